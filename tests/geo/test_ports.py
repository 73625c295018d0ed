"""What holds for whoever answers, the data that come along and the services alike: one suite over every implementation."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.geo import answers
from tests.geo.answers import layer, location, results
from tests.geo.conftest import CADASTRE, SEARCH
from workroom.core.errors import InvalidInput
from workroom.core.map_actions import AddLayer
from workroom.geo.coordinates import normalised
from workroom.geo.geoadmin import SearchServer
from workroom.geo.geocoding.embedded import EmbeddedGeocoder
from workroom.geo.geocoding.geoadmin import GeoAdminGeocoder
from workroom.geo.geocoding.ports import Geocoder
from workroom.geo.layers.embedded import EmbeddedLayers
from workroom.geo.layers.geoadmin import GEOPORTAL, GeoAdminLayers
from workroom.geo.layers.ports import LayerSearch
from workroom.geo.name_matching import MOST, folded, likeness
from workroom.geo.oereb.embedded import EmbeddedOereb
from workroom.geo.oereb.live import OerebServices
from workroom.geo.oereb.ports import Oereb
from workroom.geo.service import Geo
from workroom.geo.service_client import ServiceClient
from workroom.net.testing import ScriptedResponse, ScriptedSite

POINTS = {"embedded": (2600513.0, 1215519.0), "live": answers.POINT}
EGRIDS = {"embedded": "CH1234567891011", "live": answers.EGRID}
LABEL = "<b>Bern</b> &lt;img&gt;"


@pytest.fixture(params=["embedded", "live"])
def which(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def geocoder(which: str, client: ServiceClient, search_site: ScriptedSite) -> Geocoder:
    many = [location(f"{LABEL} {number}", 2600000 + 5000 * number, 1200000, number=number) for number in range(30)]
    search_site.answers["*"] = results(*many)
    return EmbeddedGeocoder() if which == "embedded" else GeoAdminGeocoder(SearchServer(client, SEARCH))


@pytest.fixture
def layers(which: str, client: ServiceClient, search_site: ScriptedSite) -> LayerSearch:
    search_site.answers["*"] = results(*[layer(f"ch.bafu.{number}", f"Wald {LABEL} {number}") for number in range(30)])
    return EmbeddedLayers() if which == "embedded" else GeoAdminLayers(SearchServer(client, SEARCH), GEOPORTAL)


@pytest.fixture
def oereb(which: str, client: ServiceClient, cadastre_site: ScriptedSite) -> Oereb:
    cadastre_site.answers["/oereb/getegrid/xml/"] = ScriptedResponse(body=answers.EGRID_XML)
    cadastre_site.answers["/oereb/extract/xml/"] = ScriptedResponse(body=answers.EXTRACT_XML)
    return EmbeddedOereb() if which == "embedded" else OerebServices(client, [CADASTRE])


@pytest.mark.parametrize("query", ["Bern", "Wil", "Bahnhofstrasse 1"])
async def test_places(geocoder: Geocoder, query: str) -> None:
    found = await geocoder.geocode(query, "de")
    assert 1 <= len(found) <= MOST
    assert len({place.id for place in found}) == len(found), "a choice is answered by its id"
    assert [place.confidence for place in found] == sorted((place.confidence for place in found), reverse=True)
    for place in found:
        assert 0 < place.confidence <= 1
        assert normalised(*place.coord).taken_for == "EPSG:2056"
        assert place.label
        assert "<" not in place.label


@pytest.mark.parametrize("query", ["Wald", "Gewaserschutz"])
async def test_layers(layers: LayerSearch, query: str) -> None:
    found = await layers.search(query, "de")
    assert 1 <= len(found) <= MOST
    for each in found:
        assert 0 < each.confidence <= 1
        assert "<" not in each.label
        assert all(name in each.source.url for name in ("{TileMatrix}", "{TileRow}", "{TileCol}"))
        AddLayer(id=each.id, type=each.type, source=each.source, title=each.label).action()


async def test_parcels_lead_to_their_extract(oereb: Oereb, which: str) -> None:
    found = await oereb.parcels(POINTS[which])
    assert EGRIDS[which] in {parcel.egrid for parcel in found}
    assert all(0 < parcel.confidence <= 1 and parcel.egrid in parcel.label for parcel in found)
    extract = await oereb.extract(EGRIDS[which], "de")
    assert extract is not None
    assert extract.egrid == EGRIDS[which]
    assert extract.coord is not None
    assert extract.sample is (which == "embedded")
    assert {each.theme for each in extract.restrictions} <= {theme.code for theme in extract.themes if theme.concerned}
    assert "<" not in json.dumps(extract.model_dump(mode="json"))


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=60))
async def test_no_question_makes_it_fail(query: str) -> None:
    geo = Geo(EmbeddedGeocoder(), EmbeddedLayers(), EmbeddedOereb())
    asked: list[Callable[[str], Awaitable[Sequence[object]]]] = [geo.geocode, geo.layers]
    for ask in asked:
        try:
            found = await ask(query)
        except InvalidInput:
            continue
        assert len(found) <= MOST


NAMES = st.text(max_size=40) | st.text("aeouß strAEÄäı𝐈ſ.", max_size=12)


@given(NAMES, NAMES)
@example("\N{MATHEMATICAL BOLD CAPITAL I}", "aee")
def test_likeness_is_even_and_bounded(one: str, other: str) -> None:
    a, b = folded(one), folded(other)
    assert likeness(a, a) == 1.0
    assert 0 <= likeness(a, b) <= 1
    assert folded(a) == a, "folding twice changes nothing"
