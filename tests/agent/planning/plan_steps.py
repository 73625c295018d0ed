"""Steps of plans as short tuples: what tests of the rules expect, and what a plan comes to."""

from __future__ import annotations

from typing import Any

from workroom.core.plans import Plan

ASKS, ANSWERS = ("question", "needs_clarification"), ("question", "ok")
CLEARS = ("clear_map",)
SELECTED = [("oereb.extract_by_id", {"egrid": {"$selection": "/egrid"}})]
Step = tuple[Any, ...]


def address(query: str) -> Step:
    return ("goto_address", ("geolocation.geocode", {"query": query}))


def place(query: str) -> Step:
    return ("search_place", ("geolocation.geocode", {"query": query}))


def at(x: float, y: float) -> Step:
    return ("goto_coordinate", ("geolocation.coordinate", {"x": x, "y": y}))


def layer(query: str) -> Step:
    return ("load_layer", ("layers.search", {"query": query}))


def without(query: str) -> Step:
    return ("remove_layer", ("layers.shown", {"query": query}))


def extract_at(x: Any, y: Any) -> Step:
    return ("oereb_extract", ("oereb.egrid_by_xy", {"x": x, "y": y}), *SELECTED)


def extract_there(step: int = 0) -> Step:
    found = ({"$from": {"step": step, "call": 0, "pointer": f"/items/0/coord/{axis}"}} for axis in (0, 1))
    return extract_at(*found)


def extract_for(query: str) -> Step:
    coord = {"x": {"$selection": "/coord/0"}, "y": {"$selection": "/coord/1"}}
    return ("oereb_extract", ("geolocation.geocode", {"query": query}), ("oereb.egrid_by_xy", coord), *SELECTED)


def extract_of(egrid: str) -> Step:
    return ("oereb_extract", ("oereb.extract_by_id", {"egrid": egrid}))


def steps(plan: Plan) -> list[Step]:
    """A step as its intent and its calls; one that is told with the plan as its intent and status."""
    return [
        (step.intent, *((call.tool, call.arguments) for call in step.tool_calls))
        if step.result.status == "pending"
        else (step.intent, step.result.status)
        for step in plan.steps
    ]
