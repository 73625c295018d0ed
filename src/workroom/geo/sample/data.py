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

Translations = Mapping[str, str]  # a text by language
OTHERWISE = "en"


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
    title: Translations


@dataclass(frozen=True)
class ZoneArea:
    """An area of a zone: roughly round, `radius` metres wide, `seed` gives it its shape."""

    zone: str
    centre: Coord
    radius: float
    seed: int


@dataclass(frozen=True)
class SampleLayer:
    id: str
    title: Translations
    names: Mapping[str, tuple[str, ...]]
    zones: tuple[Zone, ...]
    spots: tuple[ZoneArea, ...]


@dataclass(frozen=True)
class SampleDocument:
    kind: str
    title: Translations
    abbreviation: str | None = None
    number: str | None = None

    def in_language(self, language: str) -> LegalDocument:
        title = translated(self.title, language)
        return LegalDocument(kind=self.kind, title=title, abbreviation=self.abbreviation, number=self.number)


@dataclass(frozen=True)
class SampleRestriction:
    """`area` in square metres, `percent` of the parcel."""

    theme: str
    legend: Translations
    area: float
    percent: float


@dataclass(frozen=True)
class SampleParcel:
    id: str
    egrid: str
    number: str
    name: Translations
    confidence: float
    coord: Coord
    municipality: str
    canton: str
    area: float
    restrictions: tuple[SampleRestriction, ...]


@dataclass(frozen=True)
class Sample:
    addresses: tuple[Address, ...]
    layers: Mapping[str, SampleLayer]
    parcels: tuple[SampleParcel, ...]
    themes: Mapping[str, Translations]
    documents: Mapping[str, tuple[SampleDocument, ...]]
    words: Mapping[str, Translations]

    def themes_of(self, parcel: SampleParcel, language: str) -> list[Theme]:
        concerned = {restriction.theme for restriction in parcel.restrictions}
        return [
            Theme(code=code, title=translated(title, language), concerned=code in concerned)
            for code, title in self.themes.items()
        ]

    def restrictions_of(self, parcel: SampleParcel, language: str) -> list[Restriction]:
        return [
            Restriction(
                theme=restriction.theme,
                title=translated(self.themes[restriction.theme], language),
                legend=translated(restriction.legend, language),
                area_share=restriction.area,
                percent=restriction.percent,
                law_status=translated(self.words["inForce"], language),
                office=translated(self.words["office"], language),
                documents=[document.in_language(language) for document in self.documents[restriction.theme]],
            )
            for restriction in parcel.restrictions
        ]


def translated(text: Translations, language: str) -> str:
    """The text in this language, else in English."""
    return text.get(language, text[OTHERWISE])


@cache
def sample() -> Sample:
    raw = json.loads((resources.files(__package__) / "sample.json").read_text(encoding="utf-8"))
    return Sample(
        tuple(Address(**{**entry, "coord": _coord(entry["coord"])}) for entry in raw["addresses"]),
        {entry["id"]: _layer(entry, raw["anchors"]) for entry in raw["layers"]},
        tuple(_parcel(entry) for entry in raw["parcels"]),
        raw["themes"],
        {theme: tuple(SampleDocument(**entry) for entry in entries) for theme, entries in raw["documents"].items()},
        raw["words"],
    )


def _layer(entry: dict[str, Any], anchors: list[list[float]]) -> SampleLayer:
    """Every zone lies around every anchor: there is something to see wherever the sample leads."""
    zones = tuple(Zone(zone["code"], zone["colour"], zone["title"]) for zone in entry["zones"])
    spots = tuple(
        ZoneArea(zone["code"], (east + zone["at"][0], north + zone["at"][1]), zone["radius"], 7 * place + kind)
        for place, (east, north) in enumerate(anchors)
        for kind, zone in enumerate(entry["zones"])
    )
    names = {language: tuple(names) for language, names in entry["names"].items()}
    return SampleLayer(entry["id"], entry["title"], names, zones, spots)


def _parcel(entry: dict[str, Any]) -> SampleParcel:
    restrictions = tuple(SampleRestriction(**about) for about in entry["restrictions"])
    return SampleParcel(**{**entry, "coord": _coord(entry["coord"]), "restrictions": restrictions})


def _coord(pair: list[float]) -> Coord:
    return pair[0], pair[1]
