"""Geocoding without a network: Swiss places, and a few sample addresses.

Places are GeoNames' (https://www.geonames.org, CC BY 4.0), see `refresh.py`. Addresses are made up: an address that is not
among them is not found, rather than answered with the town it would be in.
"""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from workroom.core.map_actions import Coord
from workroom.geo.geocoding.geocode_query import GeocodeQuery, significant
from workroom.geo.name_matching import best_matches, folded, likeness
from workroom.geo.sample.data import Address, sample
from workroom.geo.types import GeoPlace

WITHOUT_TOWN = 0.95
WITHOUT_NUMBER = 0.85
OTHER_LETTER = 0.8  # 19 where 19b was meant
OTHER_POSTCODE = 0.7
BY_ANOTHER_NAME = 0.97
BY_A_SLIP = 0.95
SMALLER_NAMESAKE = 0.1
ANY = "ort"  # a name, whichever
# People. What a smaller place is called elsewhere is a word here as often as a name: Termin is Trimmis.
WELL_KNOWN = 10_000
NAMES_CACHED = 2_000


@dataclass(frozen=True)
class Town:
    id: int
    name: str
    canton: str
    coord: Coord
    people: int

    @property
    def label(self) -> str:
        return f"{self.name} ({self.canton})"


class PlaceNames:
    """The catalogue of place names that the planner asks (`agent/planning/ports.py`)."""

    def has(self, name: str) -> bool:
        return _is_name(name)

    def has_word(self, word: str) -> bool:
        return _is_word(word)


@lru_cache(maxsize=NAMES_CACHED)
def _is_name(name: str) -> bool:
    """Whether this is what a place is called, as it is written: with its postcode or canton perhaps, without a typo."""
    query = GeocodeQuery.parse(name)
    if query.is_address or not query.words:
        return False
    return any(
        query.canton in (None, town.canton) and _goes_by(query.name, town, own=own)
        for town, own in _index().get(query.name, ())
    )


@lru_cache(maxsize=NAMES_CACHED)
def _is_word(word: str) -> bool:
    """Whether it stands in the name of some place or beside one, as the `de` in La Chaux-de-Fonds and cantons do."""
    return folded(word) in _words() or not GeocodeQuery.parse(f"{ANY} {word}").name.removeprefix(ANY)


class EmbeddedGeocoder:
    async def geocode(self, query: str, language: str) -> Sequence[GeoPlace]:
        return await asyncio.to_thread(_search, query)


def _search(query: str) -> list[GeoPlace]:
    parsed = GeocodeQuery.parse(query)
    scored = [*_addresses(parsed), *_towns(parsed)]
    return [_scored(place, score) for score, place in best_matches(scored)]


def _addresses(query: GeocodeQuery) -> Iterator[tuple[float, Address | Town]]:
    for address in sample().addresses:
        named = _named(query, address)
        if named and query.canton in (None, address.canton):
            yield named * _numbered(query, address), address


def _named(query: GeocodeQuery, address: Address) -> float:
    """Street and town, in this order or the other; the street alone is nearly as good."""
    street = " ".join(significant(folded(address.street).split()))
    towns = _names_of(address.town)
    best = WITHOUT_TOWN * likeness(query.name, street)
    for cut in range(1, len(query.words)):
        first, second = " ".join(query.words[:cut]), " ".join(query.words[cut:])
        for near_street, near_town in ((first, second), (second, first)):
            if (here := likeness(near_street, street)) and (there := max(likeness(near_town, town) for town in towns)):
                best = max(best, 0.6 * here + 0.4 * there)
    return best


def _numbered(query: GeocodeQuery, address: Address) -> float:
    postcode = 1.0 if query.postcode in (None, address.postcode) else OTHER_POSTCODE
    if query.number is None:
        return postcode * WITHOUT_NUMBER
    if query.number == folded(address.number):
        return postcode
    same = query.number.rstrip("abcdefgh") == folded(address.number).rstrip("abcdefgh")
    return postcode * OTHER_LETTER if same else 0.0


def _towns(query: GeocodeQuery) -> Iterator[tuple[float, Town]]:
    if query.is_address or not query.words:
        return  # the middle of its town would be a wrong answer
    scores: dict[Town, float] = defaultdict(float)
    for town, own in _index().get(query.name, ()):
        scores[town] = max(scores[town], 1.0 if own else BY_ANOTHER_NAME)
    if not scores:
        for name, towns in _index().items():
            if score := likeness(query.name, name) * BY_A_SLIP:
                for town, _ in towns:
                    scores[town] = max(scores[town], score)
    here = {town: score for town, score in scores.items() if query.canton in (None, town.canton)}
    largest = max((town.people for town in here), default=0) or 1
    for town, score in here.items():
        yield score - SMALLER_NAMESAKE * (1 - town.people / largest), town


def _scored(match: Address | Town, score: float) -> GeoPlace:
    confidence = round(min(score, 1.0), 2)
    if isinstance(match, Address):
        return GeoPlace(match.id, match.label, match.coord, "address", confidence, sample=True)
    return GeoPlace(str(match.id), match.label, match.coord, "place", confidence)


def _goes_by(name: str, town: Town, *, own: bool) -> bool:
    """Under its own name, or one of two (Murten/Morat); and under any other if many people speak of it, or in Chinese."""
    halves = {folded(half) for half in town.name.split("/") if half == half.strip()}
    return own or name in halves or town.people >= WELL_KNOWN or not name.isascii()


@cache
def _names_of(town: str) -> tuple[str, ...]:
    """Folded, its names in other languages too: Soleure is Solothurn."""
    own = {" ".join(significant(folded(name).split())) for name in (town, *town.split("/"))}
    others = {name for name, towns in _index().items() if any(each.name == town for each, _ in towns)}
    return tuple(sorted(own | others))


@cache
def _words() -> frozenset[str]:
    """Signs of Chinese are words of their own."""
    return frozenset(
        word for name in _index() for part in name.split() for word in (part, *(() if part.isascii() else part))
    )


@cache
def _index() -> dict[str, tuple[tuple[Town, bool], ...]]:
    """Every name, folded, with the towns that have it, and whether it is their own."""
    text = (resources.files(__package__) / "places.json").read_text(encoding="utf-8")
    index: dict[str, list[tuple[Town, bool]]] = defaultdict(list)
    for number, name, canton, easting, northing, people, others in json.loads(text)["places"]:
        town = Town(number, name, canton, (float(easting), float(northing)), people)
        for each, own in ((name, True), *((other, False) for other in others)):
            plain = each.removesuffix(f" {canton}")  # Lully VD: beside a name the canton is asked for as one
            index[" ".join(significant(folded(plain).split()))].append((town, own))
    return {name: tuple(towns) for name, towns in index.items()}
