"""Actions on the map. Coordinates are easting and northing in EPSG:2056; the page applies them strictly in order."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from workroom.core.actions import UiAction
from workroom.core.wire import Wire

CRS: Literal["EPSG:2056"] = "EPSG:2056"
ZOOM_PLACE, ZOOM_ADDRESS, ZOOM_PARCEL = 13, 17, 18
ZOOM_WIDEST, ZOOM_CLOSEST = 7, 19  # the whole country, and the largest scale that the Swiss tiles are drawn in
METRES_AT_0 = 107_160  # of a pixel at level 0, in the middle of the country
NARROWEST = 240  # pixels of a map that everything should be seen on

Coord = tuple[float, float]


class MapAction(Wire):
    """One action; `name` is its type on the wire."""

    name: ClassVar[str]

    def action(self) -> UiAction:
        return UiAction(type=self.name, payload=self.model_dump(mode="json", exclude_none=True))


class SetView(MapAction):
    name = "setView"

    center: Coord
    zoom: Annotated[int, Field(ge=0, le=28)]
    crs: Literal["EPSG:2056"] = CRS


class AddMarker(MapAction):
    """`id` begins with what it is of: `addr-…`, `choice-…`, `oereb-…`. One that is there already is replaced."""

    name = "addMarker"

    id: str
    coord: Coord
    style: Literal["pin-default"] = "pin-default"
    label: str


class LayerSource(Wire):
    """`url`: for `wmts` a template with {TileMatrix}, {TileRow} and {TileCol} in the Swiss grid, for `wms` the service's
    address, for `geojson` where the data are. `layers`, `format` and `legend` as far as the service has them."""

    url: str
    layers: str | None = None
    format: str | None = None
    legend: str | None = None
    attribution: str | None = None


class AddLayer(MapAction):
    """`sample`: made up to show how things work, and labelled so wherever it is shown."""

    name = "addLayer"

    id: str
    type: Literal["wmts", "wms", "geojson"]
    source: LayerSource
    visible: bool = True
    title: str | None = None
    sample: bool | None = None


class RemoveLayer(MapAction):
    name = "removeLayer"

    id: str


class ShowOerebExtract(MapAction):
    """The extract of a parcel, to be read beside the map; `url` is the document itself."""

    name = "showOerebExtract"

    egrid: str
    url: str


class ClearMap(MapAction):
    name = "clearMap"


def view_of(places: Sequence[Coord], closest: int) -> SetView:
    """One that shows all of them, as close as that allows, but no closer than one alone is shown."""
    easts, norths = zip(*places, strict=True)
    center = ((min(easts) + max(easts)) / 2, (min(norths) + max(norths)) / 2)
    span = max(max(easts) - min(easts), max(norths) - min(norths))
    level = math.floor(math.log2(METRES_AT_0 * NARROWEST / span)) if span else closest
    return SetView(center=center, zoom=min(max(level, ZOOM_WIDEST), closest))


MAP_ACTIONS: tuple[type[MapAction], ...] = (SetView, AddMarker, AddLayer, RemoveLayer, ShowOerebExtract, ClearMap)


def layers_after(done: Iterable[UiAction]) -> dict[str, dict[str, Any]]:
    """The layers that are on the map once all of this is done, actions and what people changed: payloads by id, the lowest
    first."""
    shown: dict[str, dict[str, Any]] = {}
    for action in done:
        payload = action.payload
        match action.type:
            case AddLayer.name:
                shown[payload["id"]] = payload
            case RemoveLayer.name:
                shown.pop(payload["id"], None)
            case ClearMap.name:
                shown.clear()
            case "showLayer" if payload["id"] in shown:
                shown[payload["id"]] = {**shown[payload["id"]], "visible": payload["visible"]}
            case "sortLayers":
                named = [name for name in payload["ids"] if name in shown]
                shown = {name: shown[name] for name in (*named, *shown)}
    return shown


def view_after(done: Iterable[UiAction]) -> SetView | None:
    """What the map shows once all of this is done, as far as an action said so. One that was cleared shows nothing."""
    view: SetView | None = None
    for action in done:
        if action.type == SetView.name:
            view = SetView.model_validate(action.payload)
        elif action.type == ClearMap.name:
            view = None
    return view
