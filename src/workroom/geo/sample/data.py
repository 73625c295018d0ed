"""The sample as values, read once from `sample.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from workroom.core.map_actions import Coord
from workroom.geo.types import LegalDocument, Restriction, Theme

CADASTRE = "Amt für Beispiele"


@dataclass(frozen=True)
class Address:
    id: str
    street: str
    number: str
    postcode: str
    town: str
    canton: str
    coord: Coord

    @property
    def label(self) -> str:
        return f"{self.street} {self.number}, {self.postcode} {self.town}"


@dataclass(frozen=True)
class Zone:
    """What one colour of a layer means; `title` by language."""

    code: str
    colour: str
    title: Mapping[str, str]


@dataclass(frozen=True)
class Spot:
    """An area of a zone: roughly round, `radius` metres wide, `seed` gives it its shape."""

    zone: str
    centre: Coord
    radius: float
    seed: int


@dataclass(frozen=True)
class SampleLayer:
    id: str
    title: Mapping[str, str]
    names: Mapping[str, tuple[str, ...]]
    zones: tuple[Zone, ...]
    spots: tuple[Spot, ...]


@dataclass(frozen=True)
class SampleParcel:
    id: str
    egrid: str
    number: str
    name: str
    confidence: float
    coord: Coord
    municipality: str
    canton: str
    area: float
    restrictions: tuple[Restriction, ...]


@dataclass(frozen=True)
class Sample:
    addresses: tuple[Address, ...]
    layers: Mapping[str, SampleLayer]
    parcels: tuple[SampleParcel, ...]
    themes: Mapping[str, str]

    def themes_of(self, parcel: SampleParcel) -> list[Theme]:
        concerned = {restriction.theme for restriction in parcel.restrictions}
        return [Theme(code=code, title=title, concerned=code in concerned) for code, title in self.themes.items()]


@cache
def sample() -> Sample:
    raw = json.loads((resources.files(__package__) / "sample.json").read_text(encoding="utf-8"))
    return Sample(
        tuple(Address(**{**entry, "coord": _coord(entry["coord"])}) for entry in raw["addresses"]),
        {entry["id"]: _layer(entry, raw["anchors"]) for entry in raw["layers"]},
        tuple(_parcel(entry, raw) for entry in raw["parcels"]),
        raw["themes"],
    )


def _layer(entry: dict[str, Any], anchors: list[list[float]]) -> SampleLayer:
    """Every zone lies around every anchor: there is something to see wherever the sample leads."""
    zones = tuple(Zone(zone["code"], zone["colour"], zone["title"]) for zone in entry["zones"])
    spots = tuple(
        Spot(zone["code"], (east + zone["at"][0], north + zone["at"][1]), zone["radius"], 7 * place + kind)
        for place, (east, north) in enumerate(anchors)
        for kind, zone in enumerate(entry["zones"])
    )
    names = {language: tuple(names) for language, names in entry["names"].items()}
    return SampleLayer(entry["id"], entry["title"], names, zones, spots)


def _parcel(entry: dict[str, Any], raw: dict[str, Any]) -> SampleParcel:
    restrictions = tuple(_restriction(raw, **about) for about in entry["restrictions"])
    return SampleParcel(**{**entry, "coord": _coord(entry["coord"]), "restrictions": restrictions})


def _restriction(raw: dict[str, Any], theme: str, legend: str, area: float, percent: float) -> Restriction:
    documents = [LegalDocument.model_validate(document) for document in raw["documents"][theme]]
    return Restriction(
        theme=theme,
        title=raw["themes"][theme],
        legend=legend,
        area_share=area,
        percent=percent,
        law_status="In Kraft",
        office=CADASTRE,
        documents=documents,
    )


def _coord(pair: list[float]) -> Coord:
    return pair[0], pair[1]
