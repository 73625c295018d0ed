"""Presentation of extracts from the cadastre of public-law restrictions: the parcel on the map, the extract beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workroom.agent.planning.presentation import FinishedStep, Item, Presentation, Presenter
from workroom.core.actions import UiAction
from workroom.core.map_actions import ZOOM_PARCEL, AddMarker, SetView, ShowOerebExtract
from workroom.geo.presentation.places import coord_of, preview
from workroom.geo.presentation.wording import failed, nothing, say, saying


def _ready(step: FinishedStep) -> Presentation:
    item = step.item
    egrid = str(item["egrid"])
    shown: list[UiAction] = []
    if "coord" in item:
        coord = coord_of(item)
        shown.append(SetView(center=coord, zoom=ZOOM_PARCEL).action())
        shown.append(AddMarker(id=f"oereb-{egrid}", coord=coord, label=egrid).action())
    shown.append(ShowOerebExtract(egrid=egrid, url=str(item["extractUrl"])).action())
    return Presentation(say("extract", step.language, egrid=egrid), shown)


def _keeps(item: Item) -> Mapping[str, Any]:
    """What the next call needs to know of it."""
    return {name: item[name] for name in ("egrid", "coord") if item.get(name) is not None}


OEREB = Presenter(_ready, preview, _keeps, saying("whichParcel"), nothing("noParcel"), failed)
