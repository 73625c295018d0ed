"""Values of maps. Coordinates are easting and northing in EPSG:2056; `sample` marks what is made up to show how things work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from workroom.core.map_actions import Coord, LayerSource
from workroom.core.wire import Wire

PlaceKind = Literal["address", "place", "parcel"]
LayerType = Literal["wmts", "wms", "geojson"]


@dataclass(frozen=True)
class GeoPlace:
    """A named location: an address, a place or a parcel; `confidence` (0 to 1) says how well it fits the query."""

    id: str
    label: str
    coord: Coord
    kind: PlaceKind
    confidence: float
    sample: bool = False


@dataclass(frozen=True)
class MapLayer:
    id: str
    label: str
    type: LayerType
    source: LayerSource
    confidence: float
    sample: bool = False


@dataclass(frozen=True)
class Parcel:
    """`id` is what a choice is called; live services have none, so it is the EGRID there. `name` is for people."""

    id: str
    egrid: str
    name: str
    coord: Coord
    confidence: float
    number: str = ""
    sample: bool = False

    @property
    def label(self) -> str:
        return f"EGRID {self.egrid} – {self.name}" if self.name else f"EGRID {self.egrid}"


class Theme(Wire):
    """`concerned`: null where the cadastre has no data on it yet."""

    code: str
    title: str
    concerned: bool | None


class LegalDocument(Wire):
    """`kind`: `LegalProvision`, `Law` or `Hint`. `url` is the office's own address, if it has published the text."""

    kind: str
    title: str
    abbreviation: str | None = None
    number: str | None = None
    url: str | None = None


class Restriction(Wire):
    """`areaShare` in square metres, `percent` of the parcel; `lawStatus` in the words of the cadastre."""

    theme: str
    title: str
    legend: str
    type_code: str | None = None
    area_share: float | None = None
    percent: float | None = None
    law_status: str | None = None
    office: str | None = None
    documents: list[LegalDocument] = Field(default_factory=list)


class Extract(Wire):
    """What the cadastre of public-law restrictions (ÖREB) says of one parcel; `url` is the whole document as PDF."""

    egrid: str
    number: str | None = None
    kind: str | None = None
    municipality: str | None = None
    canton: str | None = None
    area: float | None = None
    coord: Coord | None = None
    created: str | None = None
    authority: str | None = None
    url: str
    themes: list[Theme] = Field(default_factory=list)
    restrictions: list[Restriction] = Field(default_factory=list)
    sample: bool = False


class MapConfig(Wire):
    """What a map is drawn on: `wmts` is the template of a base map, null when only what comes with the product is shown.
    `live`: addresses and layers are real; `oerebLive`: parcels and extracts are."""

    wmts: str | None
    attribution: str
    live: bool
    oereb_live: bool
