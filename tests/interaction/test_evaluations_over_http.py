"""Evaluations of switching, the whole way over HTTP: who may have one done, what it would cost, what it says in the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.evaluations.behaviours import CASES, case_of, inert, obedient
from tests.evaluations.room import DEAR, MODEL, PATH, Room, room, shares
from tests.world import some_id
from workroom.api.events import _may_see
from workroom.bootstrap.worker import open_worker_services
from workroom.core.changes import Change, ChangeKind
from workroom.core.money import Price
from workroom.db import DatabaseAddress
from workroom.evaluations.cases import read
from workroom.models.testing import Reply

ALL = len(CASES)
EACH = len(read("de"))


@pytest.fixture
async def evaluating(address: DatabaseAddress, tmp_path: Path) -> AsyncIterator[Room]:
    async with room(address, tmp_path / "data", inert) as opened:
        yield opened


@pytest.mark.requirement("G5")
async def test_a_worker_carries_it_out_and_the_reset_is_seen_to_help(
    evaluating: Room, address: DatabaseAddress
) -> None:
    world = evaluating.world
    async with open_worker_services(world.services.settings, address.application, world.services.db):
        with world.services.changes.subscribe() as inbox:
            started = await evaluating.start()
            async with asyncio.timeout(60):
                while (found := await evaluating.get(started))["state"] != "done":
                    await inbox.take(5)
    assert shares(found)["all", False] == (0, ALL)
    assert shares(found)["all", True] == (ALL, ALL)
    listed = (await world.call("alice", "GET", PATH)).json()
    assert listed["items"] == [found]
    assert (found["askedByName"], found["languages"], found["repeats"]) == ("Alice", ["de", "en", "pt"], 1)


@pytest.mark.requirement("G5")
async def test_what_it_would_cost_is_told_before_anything_is_asked(evaluating: Room) -> None:
    await evaluating.put_price(
        Price(Decimal(0), Decimal(1_000_000), Decimal(0))
    )  # only what is written, a franc a token
    wanted = {"model": MODEL, "languages": ["en", "de"], "repeats": 2, "dryRun": True}
    answer = await evaluating.world.call("alice", "POST", PATH, wanted)
    assert answer.status_code == 200
    questions = 2 * 2 * 2 * EACH
    assert answer.json() == {
        "questions": questions,
        "costCHF": str(300 * questions),
        "assumed": False,
        "evaluation": None,
    }
    assert (await evaluating.world.call("alice", "GET", PATH)).json()["total"] == 0
    await evaluating.put_price(DEAR)
    dearer = (await evaluating.world.call("alice", "POST", PATH, wanted)).json()
    assert Decimal(dearer["costCHF"]) > 3 * questions, "what is read costs as well"
    assert evaluating.provider.requests == []


async def test_answers_are_listed_with_what_gave_them_away(evaluating: Room) -> None:
    old_name = next(case for case in read("de") if case.id == "pirat-zu-notar")
    evaluating.provider.behaviour = lambda asked: (
        Reply(old_name.turns[0].answer) if case_of(asked) == old_name else obedient(asked)
    )
    started = await evaluating.start(languages=["de"])
    await evaluating.carry_out()
    assert (await evaluating.answers(started))["total"] == 2 * EACH
    lost = await evaluating.answers(started, "&kept=false")
    assert [(item["caseId"], item["withReset"], item["number"]) for item in lost["items"]] == [
        ("pirat-zu-notar", False, 1),
        ("pirat-zu-notar", True, 1),
    ]
    [first, _] = lost["items"]
    assert first["missing"] == ["begins: Sehr geehrte", "signs: Dr. Weber"]
    assert first["left"] == ["begins: Ahoi", "signs: Flint"]
    assert (first["oldName"], first["newName"], first["question"]) == ("Käpt'n Flint", "Dr. Weber", old_name.question)
    assert first["answer"] == old_name.turns[0].answer
    pages = [await _page(evaluating, started, None)]
    while pages[-1]["nextCursor"]:
        pages.append(await _page(evaluating, started, pages[-1]["nextCursor"]))
    ids = [item["id"] for page in pages for item in page["items"]]
    assert len(ids) == len(set(ids)) == 2 * EACH


async def _page(evaluating: Room, started: str, cursor: str | None) -> dict[str, Any]:
    more = f"&cursor={cursor}" if cursor else ""
    answer = await evaluating.world.call("alice", "GET", f"{PATH}/{started}/answers?limit=5{more}")
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.requirement("G5")
async def test_who_may_see_them_and_who_may_have_them_done(evaluating: Room) -> None:
    """Members read models and do not change them; readers do not even know of them."""
    world = evaluating.world
    started = await evaluating.start(languages=["de"])
    one = f"{PATH}/{started}"
    body = {"model": MODEL}
    for method, path, sent in [("POST", PATH, body), ("POST", f"{one}/stop", None), ("DELETE", one, None)]:
        assert (await world.call("bob", method, path, sent)).status_code == 403
        assert (await world.call("rita", method, path, sent)).status_code == 404
    for path in (PATH, one, f"{one}/answers"):
        assert (await world.call("bob", "GET", path)).status_code == 200
        assert (await world.call("rita", "GET", path)).status_code == 404
        assert (await world.call(None, "GET", path)).status_code == 401
    assert (await evaluating.get(started))["state"] == "queued"


@pytest.mark.requirement("G5")
async def test_another_mandate_sees_nothing_of_it(evaluating: Room) -> None:
    world = evaluating.world
    started = await evaluating.start(languages=["de"])
    await evaluating.carry_out()
    assert (await world.call("zoe", "GET", PATH)).json()["total"] == 0
    for method, path in [("GET", ""), ("GET", "/answers"), ("POST", "/stop"), ("DELETE", "")]:
        theirs = await world.call("zoe", method, f"{PATH}/{started}{path}")
        nobodys = await world.call("zoe", method, f"{PATH}/{some_id()}{path}")
        assert theirs.status_code == nobodys.status_code == 404
        assert theirs.json()["message"] == nobodys.json()["message"]
    assert await evaluating.start("zoe", languages=["de"]), "one of theirs is not in the way of ours"
    assert (await evaluating.get(started))["answered"] == 2 * EACH


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"model": MODEL, "languages": []}, 422, "invalidInput"),
        ({"model": MODEL, "languages": ["fr"]}, 422, "invalidInput"),
        ({"model": MODEL, "repeats": 0}, 422, "invalidInput"),
        ({"model": MODEL, "repeats": 11}, 422, "invalidInput"),
        ({"model": "nobody/nothing"}, 404, "modelUnknown"),
        ({"model": "nobody/nothing", "dryRun": True}, 404, "modelUnknown"),
        ({"model": "a\x00b"}, 422, "invalidInput"),
        ({}, 422, "invalidInput"),
    ],
)
async def test_what_cannot_be_evaluated_is_said(evaluating: Room, body: dict[str, Any], status: int, code: str) -> None:
    answer = await evaluating.world.call("alice", "POST", PATH, body)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert (await evaluating.world.call("alice", "GET", PATH)).json()["total"] == 0


async def test_a_model_is_evaluated_once_at_a_time(evaluating: Room) -> None:
    first = await evaluating.start(languages=["de"])
    again = await evaluating.world.call("alice", "POST", PATH, {"model": MODEL})
    assert (again.status_code, again.json()["code"]) == (409, "conflict")
    assert MODEL in again.json()["message"]
    await evaluating.world.call("alice", "POST", f"{PATH}/{first}/stop")
    assert await evaluating.start(languages=["de"])


async def test_changes_are_told_to_those_who_may_read_models(evaluating: Room) -> None:
    world = evaluating.world
    change = Change(mandate_id=world.acme.id, kind=ChangeKind.EVALUATION, id=some_id())
    heard = {name: _may_see(world[name].principal, change) for name in ("alice", "bob", "rita")}
    assert heard == {"alice": True, "bob": True, "rita": False}
