"""Tools that search the map: geocoding, coordinates, layers, parcels at a point, extracts of the cadastre.

Nothing found is an answer with a message and no items; several items are for the user to choose from. Coordinates are easting
and northing in EPSG:2056; names are in the language of the person who asks, as far as there are any in it.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from workroom.agent.tool import ToolContext, tool
from workroom.core.map_actions import CRS
from workroom.core.results import ToolResult
from workroom.geo.coordinates import pair_in
from workroom.geo.errors import CoordinateOutside
from workroom.geo.oereb.egrids import LONGEST as LONGEST_EGRID
from workroom.geo.service import LONGEST_QUERY, Geo
from workroom.geo.types import Extract, GeoPlace, MapLayer, Parcel

ONLY_SAMPLE = " No map service is set up: only Swiss places and a few sample addresses, layers and parcels are known."
NO_PLACE = "Nothing was found under this name. Check the spelling, or add the town or the postcode."
NO_LAYER = "There is no layer with such a name. Try a simpler word for it."
NO_PARCEL = "The cadastre has no parcel at this point."
NO_EXTRACT = "The cadastre knows no parcel with this EGRID."

Query = Annotated[str, Field(min_length=1, max_length=LONGEST_QUERY)]
Number = Annotated[float, Field(ge=-1_000_000_000, le=1_000_000_000)]
Egrid = Annotated[str, Field(min_length=1, max_length=LONGEST_EGRID)]


@tool("geolocation.geocode", effect="read", sets={"map"})
async def geocode(ctx: ToolContext, query: Query) -> ToolResult:
    """Find an address or a place in Switzerland: street, house number, town, postcode, as far as they are known."""
    geo = ctx.use(Geo)
    if (pair := pair_in(query)) is not None:
        return _located(geo, *pair)
    places = await geo.geocode(query, ctx.language)
    return _result([_place(place) for place in places], NO_PLACE, live=geo.search_is_live)


@tool("geolocation.coordinate", effect="read", sets={"map"})
async def coordinate(ctx: ToolContext, x: Number, y: Number) -> ToolResult:
    """Read a Swiss coordinate: LV95, LV03, or longitude and latitude, in either order."""
    return _located(ctx.use(Geo), x, y)


@tool("layers.search", effect="read", sets={"map"})
async def search_layers(ctx: ToolContext, query: Query) -> ToolResult:
    """Find a map layer by what it shows, such as groundwater protection or building zones."""
    geo = ctx.use(Geo)
    layers = await geo.layers(query, ctx.language)
    return _result([_layer(layer) for layer in layers], NO_LAYER, live=geo.search_is_live)


@tool("oereb.egrid_by_xy", effect="read", sets={"map"})
async def egrid_by_xy(ctx: ToolContext, x: Number, y: Number) -> ToolResult:
    """Find the parcels at a Swiss coordinate, with their EGRID: the number that an extract is asked for by."""
    geo = ctx.use(Geo)
    try:
        parcels = await geo.parcels(x, y, ctx.language)
    except CoordinateOutside as outside:
        return _outside(outside)
    return _result([_parcel(parcel) for parcel in parcels], NO_PARCEL, live=geo.oereb_is_live)


@tool("oereb.extract_by_id", effect="read", sets={"map"})
async def extract_by_id(ctx: ToolContext, egrid: Egrid) -> ToolResult:
    """Get the extract of a parcel, by its EGRID, from the cadastre of public-law restrictions on landownership (ÖREB)."""
    geo = ctx.use(Geo)
    extract = await geo.extract(egrid, ctx.language)
    return _result([] if extract is None else [_extract(extract)], NO_EXTRACT, live=geo.oereb_is_live)


def _located(geo: Geo, x: float, y: float) -> ToolResult:
    try:
        located = geo.coordinate(x, y)
    except CoordinateOutside as outside:
        return _outside(outside)
    east, north = located.coord
    item = {"id": f"{east:.0f}-{north:.0f}", "label": f"{east:.1f} / {north:.1f}", "coord": [east, north], "crs": CRS}
    return ToolResult(items=[item], data={"takenFor": located.taken_for, "swapped": located.swapped})


def _outside(error: CoordinateOutside) -> ToolResult:
    return ToolResult(message=error.message, data={"why": error.reason})


def _result(items: list[dict[str, Any]], nothing: str, *, live: bool) -> ToolResult:
    """The response of a live service is untrusted content."""
    if not items:
        return (
            ToolResult(message=nothing)
            if live
            else ToolResult(message=nothing + ONLY_SAMPLE, data={"onlySample": True})
        )
    return ToolResult(items=items, untrusted=live)


def _place(place: GeoPlace) -> dict[str, Any]:
    about = {"kind": place.kind, "confidence": place.confidence}
    return (
        {"id": place.id, "label": place.label, "coord": list(place.coord), "crs": CRS} | about | _sample(place.sample)
    )


def _layer(layer: MapLayer) -> dict[str, Any]:
    source = layer.source.model_dump(mode="json", exclude_none=True)
    about = {"type": layer.type, "source": source, "confidence": layer.confidence}
    return {"id": layer.id, "label": layer.label} | about | _sample(layer.sample)


def _parcel(parcel: Parcel) -> dict[str, Any]:
    where = {"coord": list(parcel.coord), "crs": CRS, "confidence": parcel.confidence}
    named = {"id": parcel.id, "label": parcel.label, "name": parcel.name, "egrid": parcel.egrid}
    return named | where | _sample(parcel.sample)


def _extract(extract: Extract) -> dict[str, Any]:
    """As much as an answer needs; the panel shows the rest."""
    where = {} if extract.coord is None else {"coord": list(extract.coord)}
    named = {"id": extract.egrid, "egrid": extract.egrid, "label": extract.egrid, "extractUrl": extract.url}
    content = {
        "municipality": extract.municipality,
        "themes": [theme.model_dump(mode="json") for theme in extract.themes],
        "restrictions": [
            {"theme": each.title, "legend": each.legend, "percent": each.percent, "lawStatus": each.law_status}
            for each in extract.restrictions
        ],
    }
    return named | where | {"crs": CRS} | content | _sample(extract.sample)


def _sample(is_one: bool) -> dict[str, bool]:
    return {"sample": True} if is_one else {}
