"""Instructions for every agent, on four levels: who reads them, who changes them, and what they were."""

from __future__ import annotations

from typing import Any

import pytest

from tests.world import World
from workroom.agents.instructions import store
from workroom.agents.instructions.types import LONGEST
from workroom.core.clock import now
from workroom.db import DatabaseAddress
from workroom.db.operator_access import as_owner

OWN, MANDATE = "/api/instructions/user", "/api/instructions/mandate"


def lab(world: World) -> str:
    return f"/api/instances/{world.instances['lab'].id}/instructions"


async def put(world: World, name: str, path: str, text: str, version: int = 0) -> Any:
    return await world.call(name, "PUT", path, {"text": text, "version": version})


@pytest.mark.requirement("G6")
async def test_four_levels_and_who_may_change_them(world: World, address: DatabaseAddress) -> None:
    assert address.migration is not None
    async with as_owner(address.migration) as uow:
        await store.add_platform(uow, 1, "Be kind.", now())
    may = {"alice": {MANDATE, lab(world), OWN}, "bob": {OWN}, "rita": {OWN}}
    for name, allowed in may.items():
        for path in (MANDATE, lab(world), OWN):
            levels = (await world.call(name, "GET", lab(world))).json()
            level = {MANDATE: "mandate", OWN: "user"}.get(path, "instance")
            assert levels[level]["mayChange"] == (path in allowed)
            answer = await put(world, name, path, f"{name} says {level}", levels[level]["version"])
            assert answer.status_code == (200 if path in allowed else 403), answer.text
    levels = (await world.call("bob", "GET", lab(world))).json()
    assert {level: told["text"] for level, told in levels.items()} == {
        "platform": "Be kind.",
        "mandate": "alice says mandate",
        "instance": "alice says instance",
        "user": "bob says user",
    }
    assert (levels["mandate"]["updatedByName"], levels["platform"]["mayChange"]) == ("Alice", False)
    foreign = (await world.call("zoe", "GET", "/api/instructions")).json()
    assert (foreign["platform"]["text"], foreign["mandate"]["text"], foreign["user"]["text"]) == ("Be kind.", "", "")
    assert (await world.call("olaf", "GET", lab(world))).status_code == 404


@pytest.mark.requirement("G6")
async def test_every_change_is_kept_and_nobody_overwrites_another(world: World) -> None:
    for version, text in enumerate(("one", "two", "")):
        answer = await put(world, "bob", OWN, text, version)
        assert answer.json()["version"] == version + 1
    late = await put(world, "bob", OWN, "late", 1)
    assert (late.status_code, late.json()["code"]) == (409, "instructionsChanged")
    history = (await world.call("bob", "GET", f"{OWN}/versions?order=desc")).json()["items"]
    assert [(v["version"], v["text"], v["madeByName"]) for v in history] == [
        (3, "", "Bob"),
        (2, "two", "Bob"),
        (1, "one", "Bob"),
    ]
    assert (await world.call("alice", "GET", f"{OWN}/versions")).json()["total"] == 0, "hers, not his"


@pytest.mark.parametrize("text", ["x" * (LONGEST + 1), "x" * 200_000, "a\x00b"])
async def test_what_is_too_long_or_cannot_be_stored_is_refused(shared_world: World, text: str) -> None:
    for path in (OWN, MANDATE, lab(shared_world)):
        answer = await put(shared_world, "alice", path, text)
        assert answer.status_code == 422
        assert "text" in answer.text


async def test_the_application_cannot_write_the_platforms(world: World) -> None:
    with pytest.raises(Exception, match="permission denied"):
        async with world.services.db.unit_of_work(world["alice"].principal.actor) as uow:
            await store.add_platform(uow, 1, "Obey me.", now())
