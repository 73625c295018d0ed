"""S7: a role taken away, a suspension, the end of a session: open streams, running runs and waiting ones feel it at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from uuid import UUID

import pytest
from starlette.requests import Request

from tests.interaction.talking import ask, finished, said_until, worker
from tests.world import World
from workroom.api.events import event_stream
from workroom.api.runs import stream_run
from workroom.core.pages import PageRequest
from workroom.db import DatabaseAddress
from workroom.identity.types import Status
from workroom.identity.users import UserChange
from workroom.models.testing import Drip, Reply, ScriptedAnswer, ScriptedProvider, writer
from workroom.models.testing.requests import ReceivedRequest
from workroom.runs import rights

SECONDS = 60.0
Ending = Callable[[World], Awaitable[None]]


async def suspend(world: World) -> None:
    await world.services.users.change(
        world["alice"].principal, world["bob"].user.id, UserChange(status=Status.SUSPENDED)
    )


async def demote(world: World) -> None:
    """To a reader, who may not use agents."""
    role = world.roles["lab-reader"].id
    await world.services.users.change(world["alice"].principal, world["bob"].user.id, UserChange(role_id=role))


async def sign_out(world: World) -> None:
    bob = world["bob"].principal
    for session in (await world.services.sessions.list(bob, PageRequest())).items:
        await world.services.sessions.end(bob, session.id)


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    """Says half of its answer and then nothing, or does what it is told."""
    never = asyncio.Event()

    def behaviour(asked: ReceivedRequest) -> ScriptedAnswer:
        return Drip(Reply("one two three four"), never, after=3) if asked.question == "drip" else writer(asked)

    async with ScriptedProvider(behaviour=behaviour) as scripted:
        yield scripted


@pytest.fixture
async def working(
    world: World, address: DatabaseAddress, provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[World]:
    monkeypatch.setattr(rights, "ASK_SECONDS", 0.2)
    async with worker(world, address, provider) as working:
        yield working


def request_of(world: World) -> Request:
    """What bob's browser sends; the generator behind a stream is read directly, because a test transport does not stream."""
    cookie = f"{world.services.site.cookie_name}={world['bob'].cookie}".encode()
    return Request({"type": "http", "app": world.app, "headers": [(b"cookie", cookie)], "client": ("127.0.0.1", 1)})


async def read_to_its_end(stream: AsyncIterator[bytes], opened: asyncio.Event) -> list[str]:
    parts: list[str] = []
    async for part in stream:
        parts.append(bytes(part).decode())
        opened.set()
    return parts


@pytest.mark.requirement("N2")
@pytest.mark.parametrize("ending", [suspend, sign_out])
@pytest.mark.parametrize("which", ["the browser's", "the run's"])
async def test_an_open_stream_says_so_and_ends(working: World, ending: Ending, which: str) -> None:
    accepted = await ask(working, "drip")
    await said_until(working, accepted["runId"], frozenset({"chunk"}))
    bob, request = working["bob"].principal, request_of(working)
    if which == "the browser's":
        stream = event_stream(request, bob, working.services)
    else:
        response = await stream_run(UUID(accepted["runId"]), request, bob, working.services)
        stream = response.body_iterator  # type: ignore[assignment]
    opened = asyncio.Event()
    reading = asyncio.create_task(read_to_its_end(stream, opened))
    await asyncio.wait_for(opened.wait(), SECONDS)
    await ending(working)
    parts = await asyncio.wait_for(reading, SECONDS)
    assert any("signedOut" in part for part in parts[-2:]) or "event: error" in parts[-1]
    again = await working.call("bob", "GET", f"/api/runs/{accepted['runId']}/events")
    assert again.status_code == 401


@pytest.mark.requirement("N2")
@pytest.mark.parametrize("ending", [suspend, demote])
async def test_a_running_answer_ends_with_the_right_to_it(working: World, ending: Ending) -> None:
    accepted = await ask(working, "drip")
    await said_until(working, accepted["runId"], frozenset({"chunk"}))
    await ending(working)
    said = await finished(working, accepted["runId"])
    assert (said[-1]["type"], said[-1]["code"]) == ("error", "forbidden")
    assert said[-2]["type"] == "agentSummary"
    assert await counted(working, "select count(*) from reservations") == 0


async def test_signing_out_stops_no_answer(working: World) -> None:
    """The session is the browser's; the run is its owner's, who still may."""
    accepted = await ask(working, 'writeNote {"title": "kept", "text": "x"}')
    await sign_out(working)
    assert (await finished(working, accepted["runId"]))[-1]["state"] == "completed"


@pytest.mark.requirement("N2")
@pytest.mark.parametrize(("ending", "status"), [(suspend, 401), (demote, 403), (sign_out, 401)])
async def test_a_waiting_run_takes_no_answer_from_who_may_not_any_more(
    working: World, ending: Ending, status: int
) -> None:
    accepted = await ask(working, 'askUser {"question": "Go on?"}\nwriteNote {"title": "unwanted", "text": "x"}')
    asked = (await said_until(working, accepted["runId"], frozenset({"choice"})))[-1]
    await ending(working)
    body = {"callId": str(asked["callId"]), "answer": {"kind": "question", "text": "yes"}}
    answer = await working.call("bob", "POST", f"/api/runs/{accepted['runId']}/answer", body)
    assert answer.status_code == status
    assert await counted(working, "select count(*) from runs where state = 'paused'") == 1
    assert await counted(working, "select count(*) from notes") == 0


@pytest.mark.requirement("N2")
@pytest.mark.parametrize("ending", [suspend, demote])
async def test_an_answer_given_in_time_sets_nothing_off_afterwards(
    world: World, address: DatabaseAddress, provider: ScriptedProvider, ending: Ending
) -> None:
    """The right is gone before a worker takes the run up again."""
    async with worker(world, address, provider):
        accepted = await ask(world, 'askUser {"question": "Go on?"}\nwriteNote {"title": "unwanted", "text": "x"}')
        asked = (await said_until(world, accepted["runId"], frozenset({"choice"})))[-1]
    body = {"callId": str(asked["callId"]), "answer": {"kind": "question", "text": "yes"}}
    answer = await world.call("bob", "POST", f"/api/runs/{accepted['runId']}/answer", body)
    assert answer.status_code == 200
    await ending(world)
    async with worker(world, address, provider):
        said = await finished(world, accepted["runId"])
    assert (said[-1]["type"], said[-1]["code"]) == ("error", "forbidden")
    assert await counted(world, "select count(*) from notes") == 0


async def counted(world: World, sql: str) -> int:
    async with world.services.db.unit_of_work(world["alice"].principal.actor) as uow:
        return int(await uow.fetchval(sql))
