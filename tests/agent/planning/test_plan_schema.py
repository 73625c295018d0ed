"""The schema servers keep plans to: it admits every plan the rules make, and none that could not be carried out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import jsonschema_rs
import pytest

from tests.agent.planning.bench import INTENTS, OPEN_A, TOOLS
from tests.agent.planning.navigator import INTENTS as NAVIGATION
from tests.agent.planning.navigator import planned
from workroom.agent.planning.plan_schema import exact_plan_schema, plan_schema
from workroom.agent.registry import discover
from workroom.bootstrap.tools import TOOL_PACKAGES
from workroom.core.plans import Plan

MAP_TOOLS = {tool.name: tool for tool in discover(*TOOL_PACKAGES)}
POINTER = {"$from": {"step": 0, "call": 0, "pointer": "/items/0/id"}}
EXAMPLES = [text for intent in NAVIGATION for text in intent.examples.values()]


def fits(plan: Mapping[str, Any], *, exactly: bool = True) -> bool:
    schema = exact_plan_schema(INTENTS, TOOLS) if exactly else plan_schema(INTENTS)
    return jsonschema_rs.is_valid(schema, plan)


def of(intent: str, *calls: Mapping[str, Any], **result: str) -> dict[str, Any]:
    step: dict[str, Any] = {"intent": intent, "toolCalls": list(calls)}
    return {"steps": [step | ({"result": result} if result else {})]}


def a_call(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"tool": tool, "arguments": arguments}


@pytest.mark.requirement("E1")
@pytest.mark.parametrize("text", EXAMPLES)
def test_what_the_rules_plan_fits(text: str) -> None:
    plan = planned(text).model_dump(mode="json", by_alias=True, exclude={"request_id"}, exclude_none=True)
    for step in plan["steps"]:
        if step["toolCalls"] or step["result"]["status"] == "pending":
            del step["result"]  # models leave it out
    assert jsonschema_rs.is_valid(exact_plan_schema(NAVIGATION, MAP_TOOLS), plan)


@pytest.mark.parametrize(
    "plan",
    [
        {"steps": [OPEN_A]},
        of("open_thing", a_call("open", id="a", near=[1.5, 2])),
        of("open_thing", a_call("find", query="a"), a_call("open", id=POINTER)),
        of("open_thing", status="needs_clarification", message="Which?"),
        of("question", status="ok", message="Three."),
    ],
)
def test_a_plan_that_can_be_carried_out_fits(plan: Mapping[str, Any]) -> None:
    assert fits(plan)
    assert fits(plan, exactly=False)
    Plan.model_validate({"requestId": "r", **plan})


@pytest.mark.parametrize(
    "plan",
    [
        {"steps": []},
        of("fly", a_call("find", query="a")),
        of("open_thing"),
        of("open_thing", a_call("write", text="a")),
        of("open_thing", a_call("find")),
        of("open_thing", a_call("find", query="a", limit=3)),
        of("open_thing", a_call("find", query={"$anything": "/id"})),
        of("question", a_call("find", query="a")),
        of("question"),
        of("question", status="pending", message="later"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_does_not_fit(plan: Mapping[str, Any]) -> None:
    assert not fits(plan)
