"""Presentation of addresses, coordinates and places: the view moves there, and a labelled pin is set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workroom.agent.planning.presentation import FinishedStep, Item, Presentation, Presenter
from workroom.core.actions import UiAction
from workroom.core.map_actions import ZOOM_ADDRESS, ZOOM_PLACE, AddMarker, ClearMap, Coord, SetView, view_of
from workroom.core.plans import StepOutcome
from workroom.core.results import ToolResult
from workroom.geo.presentation.wording import failed, nothing, say, saying

NOT_KEPT = {"id", "label", "name", "confidence"}  # a choice says these itself


def coord_of(item: Item) -> Coord:
    east, north = item["coord"]
    return float(east), float(north)


def kept(item: Item) -> Mapping[str, Any]:
    return {name: value for name, value in item.items() if name not in NOT_KEPT and value is not None}


def preview(item: Item) -> Sequence[UiAction]:
    if "coord" not in item:
        return ()
    label = str(item.get("name") or item.get("label") or "")
    return [AddMarker(id=f"choice-{item['id']}", coord=coord_of(item), label=label).action()]


def _going(key: str, zoom: int, *, short: bool, together: bool = False) -> Callable[[FinishedStep], Presentation]:
    """`together`: where several are named one after the other, the last one is shown with all of them."""

    def done(step: FinishedStep) -> Presentation:
        item = step.item
        coord, label = coord_of(item), str(item.get("label", ""))
        view = view_of([*(_pinned(step.together) if together else ()), coord], zoom)
        pin = AddMarker(id=f"addr-{item['id']}", coord=coord, label=label)
        named = label.split(",")[0] if short else label
        return Presentation(say(key, step.language, label=named), [view.action(), pin.action()])

    return done


def _pinned(steps: Sequence[StepOutcome]) -> list[Coord]:
    pins = (action for step in steps for action in step.actions if action.type == AddMarker.name)
    return [AddMarker.model_validate(pin.payload).coord for pin in pins]


def _cleared(step: FinishedStep) -> Presentation:
    return Presentation(say("cleared", step.language), [ClearMap().action()])


def _zoomed(step: FinishedStep) -> Presentation:
    item = step.item
    view = SetView(center=coord_of(item), zoom=item["zoom"])
    return Presentation(say("closer" if item["closer"] else "wider", step.language), [view.action()])


def _not_zoomed(result: ToolResult, language: str) -> str:
    return say(str(result.data.get("why", "noView")), language)


def _show(done: Callable[[FinishedStep], Presentation], asks: str, none: str) -> Presenter:
    return Presenter(done, preview, kept, saying(asks), nothing(none), failed)


ADDRESS = _show(_going("address", ZOOM_ADDRESS, short=True), "whichAddress", "noAddress")
COORDINATE = _show(_going("coordinate", ZOOM_ADDRESS, short=False), "choose", "noCoordinate")
PLACE = _show(_going("place", ZOOM_PLACE, short=False, together=True), "whichPlace", "noPlace")
CLEARED = Presenter(_cleared)
ZOOMED = Presenter(_zoomed, nothing=_not_zoomed, failed=failed)
