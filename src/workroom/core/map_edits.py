"""What people change on a map with their own hands. They travel as actions do, a type and a payload; taking a layer away is the
same as an action that does so."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictBool

from workroom.core.actions import UiAction
from workroom.core.wire import Wire

LayerId = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]
Opacity = Annotated[float, Field(strict=True, ge=0, le=1)]


class Shown(Wire):
    id: LayerId
    visible: StrictBool


class Faded(Wire):
    id: LayerId
    opacity: Opacity


class Sorted(Wire):
    """The lowest first; those that are not named stay above them."""

    ids: Annotated[list[LayerId], Field(max_length=200)]


class Removed(Wire):
    id: LayerId


class Closed(Wire):
    """There is only one extract to be read."""


class ShowLayer(Wire):
    type: Literal["showLayer"] = "showLayer"
    payload: Shown


class ShowMarker(Wire):
    """A marker that is hidden is off the map until a person or an action puts it there again."""

    type: Literal["showMarker"] = "showMarker"
    payload: Shown


class FadeLayer(Wire):
    type: Literal["fadeLayer"] = "fadeLayer"
    payload: Faded


class SortLayers(Wire):
    type: Literal["sortLayers"] = "sortLayers"
    payload: Sorted


class TakeLayer(Wire):
    type: Literal["removeLayer"] = "removeLayer"
    payload: Removed


class CloseExtract(Wire):
    type: Literal["closeExtract"] = "closeExtract"
    payload: Closed


MapEdit = Annotated[
    ShowLayer | FadeLayer | SortLayers | TakeLayer | CloseExtract | ShowMarker, Field(discriminator="type")
]


def action_of(edit: MapEdit) -> UiAction:
    return UiAction(type=edit.type, payload=edit.payload.model_dump(mode="json"))


def layer_of(edit: MapEdit) -> str:
    """Which layer or marker it is about; of the same thing done to the same one the last counts."""
    return getattr(edit.payload, "id", "")
