"""What is set decides who answers: nothing leaves the machine unasked, and made-up data never stand beside real ones."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path

import pytest

from tests.geo.answers import layer, location, results
from tests.geo.conftest import CADASTRE, SEARCH
from workroom.core.errors import ConfigurationError, InvalidInput, NotFound
from workroom.geo.geoadmin import SearchServer
from workroom.geo.geocoding.geoadmin import GeoAdminGeocoder
from workroom.geo.layers.geoadmin import GEOPORTAL, GeoAdminLayers
from workroom.geo.oereb.live import OerebServices
from workroom.geo.service import Geo
from workroom.geo.service_client import ServiceClient
from workroom.net.testing import ScriptedResponse, ScriptedSite
from workroom.settings import Settings


@pytest.mark.requirement("E7")
async def test_with_nothing_set_everything_is_answered_here(tmp_path: Path) -> None:
    geo = Geo.of(Settings(data=tmp_path))
    config = geo.config()
    assert (config.live, config.oereb_live, config.wmts) == (False, False, None)
    assert "GeoNames" in config.attribution
    assert (await geo.geocode("<b>Bern</b>"))[0].label == "Bern (BE)"
    assert (await geo.layers("Gewässerschutz"))[0].sample
    assert len(await geo.parcels(1215519, 2600513)) == 2, "in either order"
    assert (await geo.document("CH1234567891011")).startswith(b"%PDF")
    assert geo._clients == []
    assert geo.tile_origins == ()


async def test_a_service_answers_instead_of_the_sample(
    client: ServiceClient, search_site: ScriptedSite, cadastre_site: ScriptedSite
) -> None:
    server = SearchServer(client, SEARCH)
    geo = Geo(GeoAdminGeocoder(server), GeoAdminLayers(server, GEOPORTAL), OerebServices(client, [CADASTRE]))
    search_site.answers["*"] = results(
        location("Bern", 2600000, 1200000, origin="gg25"), layer("ch.x", "Gewässerschutz")
    )
    cadastre_site.answers["*"] = ScriptedResponse(204)
    assert [place.sample for place in await geo.geocode("Langendorfstrasse 19b, Solothurn")] == [False]
    assert [found.id for found in await geo.layers("Gewässerschutz")] == ["ch.x"]
    assert await geo.parcels(2600513, 1215519) == []
    for asked in (geo.required_extract("CH1234567891011"), geo.document("CH1234567891011")):
        with pytest.raises(NotFound):
            await asked
    with pytest.raises(NotFound):
        geo.tile("ch.so.gws", 20, 1, 1)
    assert geo.config().live


async def test_what_the_settings_make_of_it(tmp_path: Path) -> None:
    named = Settings(
        data=tmp_path,
        geo_search_url="https://api3.geo.admin.ch",
        oereb_url="https://geo.so.ch/api/oereb/, https://oereb.example.org",
        map_wmts=GEOPORTAL,
    )
    assert named.oereb_bases == ["https://geo.so.ch/api/oereb", "https://oereb.example.org"]
    geo = Geo.of(named)
    config = geo.config()
    assert (config.live, config.oereb_live) == (True, True)
    assert config.wmts is not None
    assert "pixelkarte" in config.wmts
    await geo.aclose()


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("geo_search_url", "api3.geo.admin.ch", "http"),
        ("oereb_url", "https://geo.so.ch,ftp://x", "http"),
        ("map_wmts", "https://wmts.example.org/{layer}", "{TileMatrix}"),
    ],
)
def test_a_setting_that_cannot_be(tmp_path: Path, name: str, value: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words) as caught:
        Settings.load(**{"data": tmp_path, name: value})
    assert f"WORKROOM_{name.upper()}" in caught.value.message


@pytest.mark.parametrize("query", ["", "  ", "<br>", "x" * 201])
async def test_a_question_that_is_none(tmp_path: Path, query: str) -> None:
    geo = Geo.of(Settings(data=tmp_path))
    for asked in (geo.geocode(query), geo.layers(query)):
        with pytest.raises(InvalidInput):
            await asked


@pytest.mark.parametrize(
    ("settings", "origins"),
    [
        ({"geo_search_url": "https://api3.geo.admin.ch"}, ["https://wmts.geo.admin.ch"]),
        (
            {"map_wmts": "https://a.example:8443/{layer}/{TileMatrix}/{TileCol}/{TileRow}.png"},
            ["https://a.example:8443"],
        ),
        ({"map_wmts": "https://a.example;script-src */{layer}/{TileMatrix}/{TileCol}/{TileRow}"}, []),
    ],
)
async def test_pages_may_load_tiles_from_where_the_settings_say(
    tmp_path: Path, settings: dict[str, str], origins: list[str]
) -> None:
    async with aclosing(Geo.of(Settings(data=tmp_path, **settings))) as geo:  # type: ignore[arg-type]
        assert list(geo.tile_origins) == origins
