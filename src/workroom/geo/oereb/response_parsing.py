"""Parses parcels and extracts from the tree of a response (ÖREB 2.0, XML or JSON). Missing values are left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Any

from workroom.core.map_actions import Coord
from workroom.geo.json_response import Tree, UnreadableResponse
from workroom.geo.oereb.egrids import egrid_of_response
from workroom.geo.oereb.geometry import middle_of
from workroom.geo.oereb.response_trees import EGRIDS
from workroom.geo.plain_text import UNSEEN, plain_text
from workroom.geo.types import Extract, LegalDocument, Parcel, Restriction, Theme

MOST_PARCELS = 50
MOST_THEMES = 300
MOST_RESTRICTIONS = 500
MOST_DOCUMENTS = 100
PARCEL, RIGHT = 0.9, 0.7  # who points at a place means the parcel, seldom a right on it
PARCELS = frozenset({"RealEstate", "Liegenschaft"})
THEMES = (("ConcernedTheme", True), ("NotConcernedTheme", False), ("ThemeWithoutData", None))
DEFAULT = "de"
_LINK = re.compile(rf"https?://[^\s<>\"'\\^`{{|}}{UNSEEN}]{{1,2000}}")


def parse_parcels(tree: Tree, coord: Coord, language: str = DEFAULT) -> list[Parcel]:
    listed = tree.get(EGRIDS) if isinstance(tree, dict) else tree
    if not isinstance(listed, list):
        raise UnreadableResponse
    return [parcel for entry in listed[:MOST_PARCELS] if (parcel := _parcel(entry, coord, language)) is not None]


def parse_extract(tree: Tree, url: str, language: str) -> Extract:
    """`url` is the document; services do not name it themselves."""
    whole = _extract(tree)
    estate = whole["RealEstate"]
    parser = _ExtractParser(language)
    return Extract(
        egrid=egrid_of_response(estate.get("EGRID")),
        number=_optional(estate.get("Number")),
        kind=parser.optional(_of(estate, "Type").get("Text")),
        municipality=_optional(estate.get("MunicipalityName")),
        canton=_optional(estate.get("Canton")),
        area=_number(estate.get("LandRegistryArea")),
        coord=middle_of(estate.get("Limit"), estate.get("PlanForLandRegister")),
        created=_optional(whole.get("CreationDate")),
        authority=parser.optional(_of(whole, "PLRCadastreAuthority").get("Name")),
        url=url,
        themes=parser.themes(whole),
        restrictions=parser.restrictions(estate),
    )


class _ExtractParser:
    """Parses an extract, whose texts come in several languages, in one of them."""

    def __init__(self, language: str) -> None:
        self._language = language

    def text(self, value: Tree) -> str:
        return plain_text(self.localised(value))

    def localised(self, value: Tree) -> str:
        """In the wanted language, else in German, else in whichever there is."""
        if isinstance(value, dict) and "LocalisedText" in value:
            value = value["LocalisedText"]
        entries = [entry for entry in _many(value) if isinstance(entry, dict)]
        by_language = {
            language: entry.get("Text")
            for entry in reversed(entries)
            if isinstance(language := entry.get("Language", DEFAULT), str)
        }
        for language in (self._language, DEFAULT, *by_language):
            if isinstance(text := by_language.get(language), str) and text.strip():
                return text.strip()
        return value if isinstance(value, str) else ""

    def optional(self, value: Tree) -> str | None:
        return self.text(value) or None

    def themes(self, whole: dict[str, Any]) -> list[Theme]:
        themes = (
            Theme(code=_code(theme), title=self.text(theme.get("Text")) or _code(theme), concerned=concerned)
            for name, concerned in THEMES
            for theme in _dicts(whole.get(name))
        )
        return list(islice(themes, MOST_THEMES))

    def restrictions(self, estate: dict[str, Any]) -> list[Restriction]:
        return [
            self._restriction(each) for each in _dicts(estate.get("RestrictionOnLandownership"))[:MOST_RESTRICTIONS]
        ]

    def _restriction(self, raw: dict[str, Any]) -> Restriction:
        theme = _of(raw, "Theme")
        return Restriction(
            theme=_code(theme),
            title=self.text(theme.get("Text")) or _code(theme),
            legend=self.text(raw.get("LegendText")),
            type_code=_optional(raw.get("TypeCode")),
            area_share=_number(raw.get("AreaShare")),
            percent=_number(raw.get("PartInPercent")),
            law_status=self.optional(_of(raw, "Lawstatus").get("Text")),
            office=self.optional(_of(raw, "ResponsibleOffice").get("Name")),
            documents=[self._document(each) for each in _dicts(raw.get("LegalProvisions"))[:MOST_DOCUMENTS]],
        )

    def _document(self, raw: dict[str, Any]) -> LegalDocument:
        return LegalDocument(
            kind=plain_text(_of(raw, "Type").get("Code")),
            title=self.text(raw.get("Title")),
            abbreviation=self.optional(raw.get("Abbreviation")),
            number=self.optional(raw.get("OfficialNumber")),
            url=_web_address(self.localised(raw.get("TextAtWeb"))),
        )


def _parcel(entry: Any, coord: Coord, language: str) -> Parcel | None:
    """The service says what lies at the point, and where its middle is only if it was asked to draw it."""
    if not isinstance(entry, dict) or not (egrid := egrid_of_response(entry.get("egrid"))):
        return None
    kind = _of(entry, "type")
    number = plain_text(entry.get("number"))
    name = " ".join(filter(None, [_ExtractParser(language).text(kind.get("Text")), number]))
    sure = PARCEL if plain_text(kind.get("Code")) in PARCELS else RIGHT
    return Parcel(egrid, egrid, name, middle_of(entry.get("limit")) or coord, sure, number)


def _extract(tree: Tree) -> dict[str, Any]:
    """With or without the elements around it: services differ."""
    for name in ("GetExtractByIdResponse", "extract", "Extract"):
        if isinstance(tree, dict) and name in tree:
            tree = tree[name]
    if not isinstance(tree, dict) or not isinstance(tree.get("RealEstate"), dict):
        raise UnreadableResponse
    return tree


def _code(theme: dict[str, Any]) -> str:
    return plain_text(theme.get("SubCode") or theme.get("Code"))


def _of(raw: dict[str, Any], name: str) -> dict[str, Any]:
    value = raw.get(name)
    return value if isinstance(value, dict) else {}


def _many(value: Tree) -> Sequence[Tree]:
    return [] if value is None else value if isinstance(value, list) else [value]


def _dicts(value: Tree) -> list[dict[str, Any]]:
    return [each for each in _many(value) if isinstance(each, dict)]


def _optional(value: Tree) -> str | None:
    return (plain_text(value) or None) if isinstance(value, str | int | float) else None


def _number(value: Tree) -> float | None:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if 0 <= number < 1e12 else None


def _web_address(text: str) -> str | None:
    """A link that a browser opens must be one: nothing that runs, nothing that leaves the attribute it stands in."""
    return text if _LINK.fullmatch(text) else None
