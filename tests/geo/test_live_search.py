"""The geoportal's search, as it really answers: old coordinates, axes the other way round, HTML in labels; and at its worst."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.geo.answers import layer, location, results
from tests.geo.conftest import SEARCH
from workroom.geo import geoadmin
from workroom.geo.errors import GeoServiceFailed
from workroom.geo.geoadmin import SearchServer
from workroom.geo.geocoding.geoadmin import GeoAdminGeocoder
from workroom.geo.json_response import MOST_NODES, parse_json
from workroom.geo.layers.geoadmin import GEOPORTAL, GeoAdminLayers, base_map
from workroom.geo.service_client import MOST_BYTES, ServiceClient
from workroom.net.testing import ScriptedInternet, ScriptedResponse, ScriptedSite

PATH = "/rest/services/ech/SearchServer"
SOLOTHURN = location("Langendorfstrasse 19b <b>4500 Solothurn</b>", 2609767.1, 1228437.4)


@pytest.fixture
def geocoder(client: ServiceClient, search_site: ScriptedSite) -> GeoAdminGeocoder:
    return GeoAdminGeocoder(SearchServer(client, SEARCH))


@pytest.fixture
def layers(client: ServiceClient, search_site: ScriptedSite) -> GeoAdminLayers:
    return GeoAdminLayers(SearchServer(client, SEARCH + PATH), GEOPORTAL)


@pytest.mark.requirement("E7")
async def test_an_address(geocoder: GeoAdminGeocoder, search_site: ScriptedSite) -> None:
    search_site.answers[PATH] = results(SOLOTHURN)
    (found,) = await geocoder.geocode("Langendorfstrasse 19b, Solothurn", "pt")
    assert found.label == "Langendorfstrasse 19b 4500 Solothurn"
    assert (found.coord, found.kind, found.id) == ((2609767.1, 1228437.4), "address", "f1")
    assert found.confidence >= 0.9
    assert not found.sample
    (request,) = search_site.received
    asked = {name: value for name, (value,) in parse_qs(urlsplit(request.target).query).items()}
    assert (asked["sr"], asked["type"], asked["lang"]) == ("2056", "locations", "en"), "it speaks no Portuguese"
    assert asked["searchText"] == "Langendorfstrasse 19b, Solothurn"
    assert request.headers["user-agent"].startswith("workroom/")


@pytest.mark.parametrize(("east", "north"), [(609767.1, 228437.4), (1228437.4, 2609767.1)], ids=["old", "swapped"])
async def test_a_service_that_ignores_what_was_asked_is_still_understood(
    geocoder: GeoAdminGeocoder, search_site: ScriptedSite, east: float, north: float
) -> None:
    search_site.answers[PATH] = results(location("Langendorfstrasse 19b", east, north))
    (found,) = await geocoder.geocode("Langendorfstrasse 19b", "de")
    assert found.coord == pytest.approx((2609767.1, 1228437.4))


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("<i>Ort</i> <b>Bern</b> (BE)", "Ort Bern (BE)"),
        ("<script>alert(1)</script>Bern", "Bern"),
        ("&lt;img src=x onerror=alert(1)&gt;Bern", "Bern"),
        ("&amp;lt;b&amp;gt;Bern", "Bern"),
        ("Bern <", "Bern"),
        ("Bern\u202e\x00 West", "Bern West"),
        ("Bern\ud800 West", "Bern West"),
        ("Bern&#xd800; West", "Bern\ufffd West"),
        ("M&uuml;nsingen &amp; Rubigen", "Münsingen & Rubigen"),
    ],
)
async def test_labels_are_words(geocoder: GeoAdminGeocoder, search_site: ScriptedSite, label: str, words: str) -> None:
    search_site.answers[PATH] = results(location(label, 2600000, 1200000, origin="gg25"))
    (found,) = await geocoder.geocode("Bern", "de")
    assert found.label == words


async def test_several_that_fit_are_several_and_one_that_fits_is_one(
    geocoder: GeoAdminGeocoder, search_site: ScriptedSite
) -> None:
    towns = ("4600 Olten", "5000 Aarau", "4710 Balsthal")
    found_there = [
        location(f"Bahnhofstrasse 1 <b>{town}</b>", 2635000 + n, 1244000, number=n) for n, town in enumerate(towns)
    ]
    wrong = location("Bahnhofstrasse 11 <b>4600 Olten</b>", 2635100, 1244100, number=9)
    search_site.answers[PATH] = results(*found_there, wrong)
    assert len(await geocoder.geocode("Bahnhofstrasse 1", "de")) == 3
    (only,) = await geocoder.geocode("Bahnhofstrasse 1 Olten", "de")
    assert only.label == "Bahnhofstrasse 1 4600 Olten"


async def test_a_town_in_several_registers_is_one(geocoder: GeoAdminGeocoder, search_site: ScriptedSite) -> None:
    twice = [
        location("<b>Olten</b>", 2635110 + n, 1244452, origin=origin, number=n)
        for n, origin in enumerate(("gg25", "zipcode"))
    ]
    search_site.answers[PATH] = results(*twice)
    assert len(await geocoder.geocode("Olten", "de")) == 1


async def test_no_two_places_have_the_same_id(geocoder: GeoAdminGeocoder, search_site: ScriptedSite) -> None:
    registers = ("", "gg25", "zipcode", "gg25", "gg25", "")
    search_site.answers[PATH] = results(
        *(location("<b>Buchs</b>", 2600000 + 9000 * n, 1200000, origin=origin) for n, origin in enumerate(registers))
    )
    found = [place.id for place in await geocoder.geocode("Buchs", "de")]
    assert sorted(found) == ["f1", "f1-2", "gg25-f1", "gg25-f1-2", "gg25-f1-3", "zipcode-f1"]


@pytest.mark.requirement("E7")
async def test_layers_become_tiles_by_their_id(layers: GeoAdminLayers, search_site: ScriptedSite) -> None:
    search_site.answers[PATH] = results(
        layer("ch.bafu.grundwasserschutzareale", "Grundwasserschutzareale"),
        layer("ch.bafu.schutzgebiete", "Schutzgebiete"),
        layer("../../etc/passwd", "Grundwasserschutzareale"),
        layer('x"onload="', "Grundwasserschutzareale"),
    )
    (found,) = await layers.search("den Layer Grundwasserschutzareale", None)
    assert (found.id, found.label, found.type) == ("ch.bafu.grundwasserschutzareale", "Grundwasserschutzareale", "wmts")
    assert found.source.url == (
        "https://wmts.geo.admin.ch/1.0.0/ch.bafu.grundwasserschutzareale/default/current/2056/"
        "{TileMatrix}/{TileCol}/{TileRow}.png"
    )
    asked = parse_qs(urlsplit(search_site.received[0].target).query)
    assert (asked["type"], asked["searchText"]) == (["layers"], ["Grundwasserschutzareale"])


def languages(site: ScriptedSite) -> list[str]:
    return [parse_qs(urlsplit(request.target).query)["lang"][0] for request in site.received]


@pytest.mark.requirement("E7")
@pytest.mark.parametrize(
    ("language", "asked"),
    [("de", "de"), ("en", "en"), ("fr", "fr"), ("it", "it"), ("rm", "rm"), ("pt", "en"), ("zh", "en")],
)
async def test_it_is_asked_in_the_language_of_the_person(
    geocoder: GeoAdminGeocoder, layers: GeoAdminLayers, search_site: ScriptedSite, language: str, asked: str
) -> None:
    search_site.answers[PATH] = results(SOLOTHURN, layer("ch.a", "Wald"))
    await geocoder.geocode("Solothurn", language)
    await layers.search("Wald", language)
    assert languages(search_site) == [asked, asked]


async def test_what_was_asked_is_remembered_per_language(
    layers: GeoAdminLayers, geocoder: GeoAdminGeocoder, search_site: ScriptedSite
) -> None:
    search_site.answers[PATH] = results(SOLOTHURN, layer("ch.a", "Wald"))
    for language in ("de", "fr", "de", "fr", "pt", "en", "zh"):
        await layers.search("Wald", language)
        await geocoder.geocode("Solothurn", language)
    assert sorted(languages(search_site)) == ["de", "de", "en", "en", "fr", "fr"]


async def test_a_name_in_german_is_found_by_who_reads_another_language(
    layers: GeoAdminLayers, search_site: ScriptedSite
) -> None:
    search_site.answers[PATH] = results()
    assert await layers.search("Gewässerschutz", "fr") == []
    assert languages(search_site) == ["fr", "de"]
    assert await layers.search("Hochwasser", "de") == []
    assert languages(search_site) == ["fr", "de", "de"], "and nobody is asked the same twice"


async def test_a_layer_that_is_named_twice_is_one(layers: GeoAdminLayers, search_site: ScriptedSite) -> None:
    search_site.answers[PATH] = results(layer("ch.a", "Lärm Tag"), layer("ch.b", "Lärm"), layer("ch.a", "Lärm Nacht"))
    assert [each.id for each in await layers.search("Lärmkataster", "de")] == ["ch.a", "ch.b"]


async def test_a_layer_that_is_only_similar_comes_with_others(
    layers: GeoAdminLayers, search_site: ScriptedSite
) -> None:
    search_site.answers[PATH] = results(
        layer("ch.a", "Lärmbelastung Strasse Tag"), layer("ch.b", "Lärmbelastung Bahn Nacht")
    )
    found = await layers.search("Lärmbelastung", "de")
    assert len(found) == 2
    assert all(each.confidence < 0.9 for each in found)


def test_the_base_map_is_a_photograph() -> None:
    assert base_map(GEOPORTAL).endswith("/{TileMatrix}/{TileCol}/{TileRow}.jpeg")
    assert "ch.swisstopo.pixelkarte-farbe" in base_map(GEOPORTAL)


@pytest.mark.parametrize("body", [b'{"results": []}', b""], ids=["none", "no word"])
async def test_nothing_found(geocoder: GeoAdminGeocoder, search_site: ScriptedSite, body: bytes) -> None:
    search_site.answers[PATH] = ScriptedResponse(body=body)
    assert await geocoder.geocode("Nirgendwo", "de") == []


@pytest.mark.parametrize(
    ("answer", "words", "again"),
    [
        (ScriptedResponse(500, b"<h1>stack trace of theirs</h1>"), "cannot at the moment", True),
        (ScriptedResponse(429), "cannot at the moment", True),
        (ScriptedResponse(404, b"no"), "WORKROOM_GEO_SEARCH_URL", False),
        (ScriptedResponse(body=b"<html>not JSON</html>"), "cannot be read", True),
        (ScriptedResponse(body=b'{"results": 5}'), "cannot be read", True),
        (ScriptedResponse(body=b"[" * 200_000), "cannot be read", True),
        (ScriptedResponse(body=b"[]"), "cannot be read", True),
        (ScriptedResponse(body=b'{"results": [' + b"{}," * MOST_NODES + b"{}]}"), "cannot be read", True),
        (ScriptedResponse(body=b'{"results": [' + b" " * MOST_BYTES + b"]}"), "does not answer", False),
        (ScriptedResponse(raw=b"not HTTP at all"), "does not answer", True),
    ],
    ids=["500", "429", "404", "HTML", "no list", "deep", "list", "many", "huge", "no HTTP"],
)
async def test_a_service_that_fails_is_a_sentence(
    geocoder: GeoAdminGeocoder, search_site: ScriptedSite, answer: ScriptedResponse, words: str, again: bool
) -> None:
    search_site.answers[PATH] = answer
    with pytest.raises(GeoServiceFailed, match=words) as caught:
        await geocoder.geocode("Bern", "de")
    assert (caught.value.again, caught.value.code, caught.value.status) == (again, "geoServiceFailed", 502)
    assert "stack trace" not in caught.value.message
    assert "Bern" not in caught.value.message


async def test_results_that_are_nonsense_are_left_out(geocoder: GeoAdminGeocoder, search_site: ScriptedSite) -> None:
    nowhere = location("Berlin", 4_000_000, 2_000_000)
    silent = location("", 2600000, 1200000)
    broken = {"attrs": {"label": "Bern", "x": "north", "y": None}}
    huge = {"attrs": {"label": "Bern", "x": 10**400, "y": 2600000}}
    half = location("\ud800", 2600000, 1200000)
    nested = {"attrs": {"label": ["Bern"], "x": 1200000, "y": 2600000, "origin": [], "featureId": {}}}
    good = location("Bern", 2600000, 1200000)
    search_site.answers[PATH] = results(nowhere, silent, broken, huge, half, nested, {"attrs": 5}, {}, good)
    assert [place.label for place in await geocoder.geocode("Bern", "de")] == ["Bern"]


async def test_what_is_only_half_a_character_is_not_asked_for(
    geocoder: GeoAdminGeocoder, search_site: ScriptedSite
) -> None:
    search_site.answers[PATH] = results()
    assert await geocoder.geocode("Bern\ud800", "de") == []
    assert "searchText=Bern&" in search_site.received[0].target


async def test_answers_are_read_beside_everything_else(
    geocoder: GeoAdminGeocoder, search_site: ScriptedSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers: list[threading.Thread] = []

    def noted(body: bytes) -> Any:
        readers.append(threading.current_thread())
        return parse_json(body)

    monkeypatch.setattr(geoadmin, "parse_json", noted)
    search_site.answers[PATH] = results(SOLOTHURN)
    assert await geocoder.geocode("Langendorfstrasse 19b", "de")
    assert len(readers) == 1
    assert readers[0] is not threading.main_thread()


async def test_a_slow_service_is_given_up_on(internet: ScriptedInternet, search_site: ScriptedSite) -> None:
    async def never() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    search_site.answers[PATH] = ScriptedResponse(body=never())
    geocoder = GeoAdminGeocoder(SearchServer(ServiceClient(internet.client(), seconds=0.05), SEARCH))
    with pytest.raises(GeoServiceFailed, match="too long") as caught:
        await geocoder.geocode("Bern", "de")
    assert caught.value.again


async def test_a_service_that_is_away(internet: ScriptedInternet) -> None:
    with pytest.raises(GeoServiceFailed, match="does not answer"):
        await GeoAdminGeocoder(SearchServer(ServiceClient(internet.client()), "http://nobody.example.org")).geocode(
            "Bern", "de"
        )


async def test_nobody_is_led_into_the_network(internet: ScriptedInternet, search_site: ScriptedSite) -> None:
    search_site.answers[PATH] = ScriptedResponse.redirect("http://127.0.0.1:5432/")
    with pytest.raises(GeoServiceFailed, match="cannot be asked") as caught:
        await GeoAdminGeocoder(SearchServer(ServiceClient(internet.client()), SEARCH)).geocode("Bern", "de")
    assert not caught.value.again
