"""Addresses and places of the Swiss geoportal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, count
from typing import Any

from workroom.core.errors import InvalidInput
from workroom.geo.coordinates import normalised
from workroom.geo.geoadmin import SearchServer
from workroom.geo.geocoding.geocode_query import GeocodeQuery
from workroom.geo.name_matching import best_matches, folded, word_coverage
from workroom.geo.plain_text import plain_text
from workroom.geo.types import GeoPlace, PlaceKind

ORIGINS = "address,zipcode,gg25,gazetteer,parcel"
KINDS: dict[str, PlaceKind] = {"address": "address", "parcel": "parcel"}
_ID = re.compile(r"[^A-Za-z0-9_.-]+")


class GeoAdminGeocoder:
    def __init__(self, server: SearchServer) -> None:
        self._server = server

    async def geocode(self, query: str, language: str) -> Sequence[GeoPlace]:
        text = plain_text(query)
        if not text:
            return []
        results = await self._server.search(text, "locations", language, origins=ORIGINS)
        parsed = GeocodeQuery.parse(text)
        places = [place for attrs in results if (place := _place(attrs, parsed)) is not None]
        picked = best_matches([(place.confidence, place) for place in _named_apart(_distinct(places))])
        return [place for _, place in picked]


def _place(attrs: dict[str, Any], query: GeocodeQuery) -> GeoPlace | None:
    label = plain_text(attrs.get("label"))
    try:
        # Easting is `y` here. Responses in another coordinate system than the requested one are understood as well.
        coord = normalised(float(attrs["y"]), float(attrs["x"])).coord
    except (KeyError, TypeError, ValueError, OverflowError, InvalidInput):
        return None
    if not label:
        return None
    register, known = (
        plain_text(attrs.get("origin")),
        plain_text(attrs.get("featureId")) or plain_text(attrs.get("id")) or label,
    )
    kind = KINDS.get(register, "place")
    sure = _confidence(query, f"{label} {plain_text(attrs.get('detail'))}", kind)
    return GeoPlace(_id(register, known), label, coord, kind, sure)


def _id(register: str, known: str) -> str:
    """Each register counts for itself: number 7 of the towns is not house number 7. Addresses go without, they are the most."""
    return _ID.sub("-", known if register in ("", "address") else f"{register}-{known}")[:80]


def _named_apart(places: list[GeoPlace]) -> list[GeoPlace]:
    """A choice is called by its id, so no two have the same, whatever the service says."""
    taken: set[str] = set()
    kept = []
    for place in places:
        names = chain([place.id], (f"{place.id}-{number}" for number in count(2)))
        free = next(name for name in names if name not in taken)
        taken.add(free)
        kept.append(replace(place, id=free))
    return kept


def _confidence(query: GeocodeQuery, text: str, kind: PlaceKind) -> float:
    """How well a result of the service fits the query: by how many words of the query occur in it."""
    words = [*query.words, *(value for value in (query.number, query.postcode) if value)]
    score = max(word_coverage(words, text), 0.5)
    if query.number and (kind != "address" or query.number not in folded(text).split()):
        score = min(score, 0.6)
    if not query.is_address and kind == "address":
        score = min(score, 0.7)
    return round(score, 2)


def _distinct(places: list[GeoPlace]) -> list[GeoPlace]:
    """A town is in several of its registers: the same label within a kilometre is the same place."""
    kept: list[GeoPlace] = []
    for place in places:
        if not any(_same(place, other) for other in kept):
            kept.append(place)
    return kept


def _same(place: GeoPlace, other: GeoPlace) -> bool:
    near = abs(place.coord[0] - other.coord[0]) + abs(place.coord[1] - other.coord[1]) < 1_000
    return near and folded(place.label) == folded(other.label)
