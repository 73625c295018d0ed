"""The map's routes over HTTP: for whoever is signed in, cacheable, harmless to show, and clear about what does not exist."""

from __future__ import annotations

import pytest
from lxml import etree

from tests.interaction.talking import ask, finished, worker
from tests.world import World
from workroom.db import DatabaseAddress
from workroom.models.testing import Call, Reply, ScriptedProvider

TILE = "/api/geo/tiles/ch.so.gws/24/316/494.svg"
LEGEND = "/api/geo/legend/ch.so.gws.svg"
EXTRACT = "/api/geo/oereb/CH1234567891011"
PATHS = (TILE, LEGEND, EXTRACT, f"{EXTRACT}/extract.pdf", "/api/geo/config")


@pytest.mark.requirement("E7")
async def test_the_extract_to_read(shared_world: World) -> None:
    answer = await shared_world.call("bob", "GET", EXTRACT)
    assert answer.status_code == 200
    found = answer.json()
    assert (found["egrid"], found["municipality"], found["sample"]) == ("CH1234567891011", "Musterwil", True)
    assert found["url"] == f"{EXTRACT}/extract.pdf"
    assert [each["legend"] for each in found["restrictions"]] == ["Wohnzone W2", "Empfindlichkeitsstufe II", "Zone S3"]
    assert found["restrictions"][0]["documents"][1] == {
        "kind": "Law", "title": "Bundesgesetz über die Raumplanung", "abbreviation": "RPG", "number": "SR 700", "url": None,
    }  # fmt: skip


@pytest.mark.requirement("E7")
async def test_its_document(shared_world: World) -> None:
    answer = await shared_world.call("rita", "GET", f"{EXTRACT}/extract.pdf")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    assert answer.content.startswith(b"%PDF-")
    assert b"SAMPLE" in answer.content


@pytest.mark.requirement("E7")
@pytest.mark.parametrize("path", [TILE, LEGEND])
async def test_pictures_are_pictures(shared_world: World, path: str) -> None:
    answer = await shared_world.call("zoe", "GET", path)
    assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, "image/svg+xml")
    assert "sandbox" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "private, max-age=86400"
    assert len(etree.fromstring(answer.content)) > 0, "something is drawn there"


async def test_the_source_of_a_layer_leads_to_its_tiles(shared_world: World) -> None:
    (layer,) = await shared_world.services.geo.layers("Gewässerschutz")
    url = layer.source.url
    for name, value in (("{TileMatrix}", "24"), ("{TileRow}", "316"), ("{TileCol}", "494")):
        url = url.replace(name, value)
    assert url == TILE


async def test_what_the_map_is_drawn_on(shared_world: World) -> None:
    answer = await shared_world.call("bob", "GET", "/api/geo/config")
    assert answer.json() == {
        "wmts": None, "attribution": "Places: GeoNames (CC BY 4.0)", "live": False, "oerebLive": False,
    }  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
async def test_only_for_those_who_are_signed_in(shared_world: World, path: str) -> None:
    assert (await shared_world.call(None, "GET", path)).status_code == 401


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/geo/oereb/CH999999999999", 404),
        ("/api/geo/oereb/CH999999999999/extract.pdf", 404),
        ("/api/geo/oereb/nonsense", 422),
        ("/api/geo/tiles/ch.so.none/24/316/494.svg", 404),
        ("/api/geo/tiles/ch.so.gws/24/99999/494.svg", 404),
        ("/api/geo/tiles/ch.so.gws/0/0/1.svg", 404),
        ("/api/geo/tiles/ch.so.gws/29/0/0.svg", 404),
        ("/api/geo/tiles/ch.so.gws/24/-1/0.svg", 404),
        ("/api/geo/tiles/ch.so.gws/24/1e9/0.svg", 404),
        ("/api/geo/legend/none.svg", 404),
        (f"{LEGEND}?language=xx", 422),
    ],
)
async def test_what_does_not_exist_is_said_so(shared_world: World, path: str, status: int) -> None:
    answer = await shared_world.call("bob", "GET", path)
    assert answer.status_code == status, answer.text
    assert answer.json()["code"] in ("notFound", "invalidInput")
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.requirement("E7")
async def test_a_run_asks_the_map(world: World, address: DatabaseAddress) -> None:
    """The whole way: the workspace has the set, the model calls by the name it may use, the worker has the data."""
    path = f"/api/instances/{world.instances['lab'].id}"
    assert (await world.call("alice", "PATCH", path, {"toolSet": "map"})).status_code == 200
    async with ScriptedProvider() as provider, worker(world, address, provider):
        where = Call("geolocation__geocode", {"query": "Langendorfstrasse 19b in Solothurn"})
        nobody = Call("oereb__extract_by_id", {"egrid": "Parzelle A"})
        provider.script = [Reply(calls=[where, nobody]), Reply("There.")]
        said = await finished(world, (await ask(world, "Where is it?"))["runId"])
    results = {event["result"]["status"]: event["result"] for event in said if event["type"] == "toolResult"}
    assert results["ok"]["items"][0]["id"] == "7568"
    assert "twelve digits" in results["error"]["message"]
    assert said[-1]["state"] == "completed"
