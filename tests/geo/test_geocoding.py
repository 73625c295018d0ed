"""Places without a network: as people write them, and honest about what is not known."""

from __future__ import annotations

import pytest

from workroom.geo.geocoding.embedded import EmbeddedGeocoder, PlaceNames
from workroom.geo.types import GeoPlace

HOUSE = "Langendorfstrasse 19b, 4500 Solothurn"


async def find(query: str) -> list[GeoPlace]:
    return list(await EmbeddedGeocoder().geocode(query, "de"))


@pytest.mark.requirement("E7")
async def test_the_address_of_the_examples() -> None:
    (found,) = await find("Langendorfstrasse 19b in Solothurn")
    assert found == GeoPlace("7568", HOUSE, (2609767.1, 1228437.4), "address", 1.0, sample=True)


@pytest.mark.parametrize(
    "query",
    [
        "Langendorfstr. 19b, 4500 Solothurn",
        "langendorfstraße 19 B Solothurn",
        "Langendorf-Strasse 19b",
        "4500 Solothurn, Langendorfstrasse 19b",
        "Langndorfstrasse 19b, Soloturn",
        "Langendorfstrasse 19b, Solothurn SO",
        "Langendorfstrasse 19b à Soleure",
        "Langendorfstrasse 19",
    ],
)
async def test_the_same_address_as_people_write_it(query: str) -> None:
    assert [found.label for found in await find(query)] == [HOUSE]


async def test_an_address_in_five_towns_is_five_choices() -> None:
    found = await find("Bahnhofstrasse 1")
    assert len({place.label for place in found}) == 5
    assert all(place.sample and place.label.startswith("Bahnhofstrasse 1, ") for place in found)
    assert [place.label for place in await find("Bahnhofstr. 1 in Olten")] == ["Bahnhofstrasse 1, 4600 Olten"]
    assert [place.label for place in await find("Bahnhofstrasse 1, 5000")] == ["Bahnhofstrasse 1, 5000 Aarau"]


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("Solothurn", "Solothurn (SO)"),
        ("4500 Solothurn", "Solothurn (SO)"),
        ("Soleure", "Solothurn (SO)"),
        ("Zuerich", "Zürich (ZH)"),
        ("ZÜRICH", "Zürich (ZH)"),
        ("Genf", "Genève (GE)"),
        ("Geneva", "Genève (GE)"),
        ("日内瓦", "Genève (GE)"),
        ("La Chaux-de-Fonds", "La Chaux-de-Fonds (NE)"),
        ("Winterthuur", "Winterthur (ZH)"),
        ("Solothrun", "Solothurn (SO)"),
        ("Otlen", "Olten (SO)"),
        ("Buchs (AG)", "Buchs (AG)"),
    ],
)
async def test_places_in_any_of_their_names(query: str, label: str) -> None:
    (found,) = await find(query)
    assert (found.label, found.kind, found.sample) == (label, "place", False)


async def test_namesakes_are_choices_and_the_larger_comes_first() -> None:
    found = await find("Wil")
    assert [place.label for place in found] == ["Wil (SG)", "Wil (ZH)"]
    assert found[0].confidence > found[1].confidence
    assert [place.label for place in await find("Au")] == ["Au (SG)", "Au (ZH)"], "which is also a word"


@pytest.mark.parametrize(
    "query", ["Hauptstrasse 5, Olten", "Langendorfstrasse 19b, Bern", "Xqzvw", "Bahnhofstrasse 7", "99"]
)
async def test_what_is_not_known_is_not_made_up(query: str) -> None:
    assert await find(query) == [], "not the middle of a town either"


@pytest.mark.parametrize(
    "name",
    ["Bern", "bern", "Zürich", "Zuerich", "Berne", "Berna", "伯尔尼", "奥尔滕", "Soleure", "Biel", "Bienne", "Murten", "Morat",
     "St. Gallen", "La Chaux-de-Fonds", "Buchs SG", "Buchs (AG)", "4500 Solothurn", "Au"],
)  # fmt: skip
def test_names_of_places_are_known(name: str) -> None:
    assert PlaceNames().has(name)
    assert all(PlaceNames().has_word(word) for word in name.replace("-", " ").replace(".", "").split())


@pytest.mark.parametrize(
    "name", ["", "Danke", "Rechnung", "Termin", "Muster", "Tal", "Bern ist schön", "Buchs GE", "SO", "4500", "Bern 5"]
)
def test_what_is_only_a_word_is_no_place(name: str) -> None:
    assert not PlaceNames().has(name)


def test_a_word_of_no_name_is_known_as_such() -> None:
    assert not any(PlaceNames().has_word(word) for word in ("Rechnung", "schön", "发"))
    assert PlaceNames().has_word("伯")
