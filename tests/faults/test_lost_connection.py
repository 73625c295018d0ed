"""The connection to the database is cut, slowed, silenced: one honest answer, then everything works again by itself."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.faults.proxy import DEAF, HOLD, PASS, Proxy, drip
from tests.world import World, make_world
from workroom.bootstrap.server import open_services
from workroom.core.actors import SystemActor
from workroom.db import Database, DatabaseAddress, listener
from workroom.db.connection import connect
from workroom.db.listener import Listener
from workroom.db.wakeups import Wakeups
from workroom.identity.store import users
from workroom.settings import Settings

SECONDS = 60.0


@pytest.fixture
async def far_world(settings: Settings, through_proxy: DatabaseAddress) -> AsyncIterator[World]:
    async with open_services(settings, through_proxy, settings.port) as services:
        yield await make_world(services)


def hold_at(statement: str, proxy: Proxy, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """The wire holds its breath when this statement of the people's store is sent: in the middle of a transaction."""
    original, held = getattr(users, statement), asyncio.Event()

    async def holding(*args: Any, **more: Any) -> Any:
        monkeypatch.setattr(users, statement, original)
        proxy.mood = HOLD
        held.set()
        return await original(*args, **more)

    monkeypatch.setattr(users, statement, holding)
    return held


async def test_cut_in_the_middle_of_a_request_is_503_and_the_next_one_works(
    far_world: World, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with far_world.client("alice") as client:
        held = hold_at("listed", proxy, monkeypatch)
        asking = asyncio.create_task(client.get("/api/users"))
        await asyncio.wait_for(held.wait(), SECONDS)
        await asyncio.wait_for(proxy.asked.wait(), SECONDS)
        proxy.cut()
        proxy.mood = PASS
        lost = await asyncio.wait_for(asking, SECONDS)
        assert lost.status_code == 503
        assert lost.json()["code"] == "databaseUnavailable"
        assert lost.json()["traceId"]
        assert (await client.get("/api/users")).status_code == 200


async def test_cut_before_anything_was_said_is_not_noticed(far_world: World, proxy: Proxy) -> None:
    async with far_world.client("alice") as client:
        proxy.mood = HOLD
        asking = asyncio.create_task(client.get("/api/users"))
        await asyncio.wait_for(proxy.asked.wait(), SECONDS)
        proxy.cut()
        proxy.mood = PASS
        assert (await asyncio.wait_for(asking, SECONDS)).status_code == 200


async def test_cut_between_requests_is_not_noticed(far_world: World, proxy: Proxy) -> None:
    async with far_world.client("alice") as client:
        assert (await client.get("/api/users")).status_code == 200
        proxy.cut()
        answers = [(await client.get("/api/users")).status_code for _ in range(3)]
    assert answers[-1] == 200
    assert set(answers) <= {200, 503}, "a connection found dead may cost one request, never a 500"


async def test_a_write_that_was_cut_off_left_nothing(
    far_world: World, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = {"login": "cut@example.org", "displayName": "Cut", "roleId": str(far_world.roles["lab-member"].id)}
    async with far_world.client("alice") as client:
        held = hold_at("insert", proxy, monkeypatch)
        writing = asyncio.create_task(client.post("/api/users", json=body))
        await asyncio.wait_for(held.wait(), SECONDS)
        await asyncio.wait_for(proxy.asked.wait(), SECONDS)
        proxy.cut()
        proxy.mood = PASS
        assert (await asyncio.wait_for(writing, SECONDS)).status_code == 503
        again = await client.post("/api/users", json=body)
    assert again.status_code == 201, "the same request works the second time, so the first left nothing"


async def test_ready_says_no_while_the_database_is_away(far_world: World, proxy: Proxy) -> None:
    async with far_world.client() as client:
        proxy.mood = DEAF
        away = await asyncio.wait_for(client.get("/ready"), SECONDS)
        assert (away.status_code, away.json()["checks"]["database"]) == (503, False)
        proxy.mood = PASS
        proxy.cut()
        back = await asyncio.wait_for(client.get("/ready"), SECONDS)
        assert back.status_code == 200


async def test_a_dripping_wire_is_slow_and_right(far_world: World, proxy: Proxy) -> None:
    async with far_world.client("alice") as client:
        proxy.mood = drip(64, 0.001)
        answer = await asyncio.wait_for(client.get("/api/users"), SECONDS)
    assert {user["login"] for user in answer.json()["items"]} >= {"alice@example.org", "olaf@example.org"}


@contextlib.asynccontextmanager
async def listening(address: DatabaseAddress) -> AsyncIterator[tuple[asyncio.Queue[str], asyncio.Queue[None]]]:
    """What a listener on the channel `weather` heard, and each time it connected."""
    heard: asyncio.Queue[str] = asyncio.Queue()
    connected: asyncio.Queue[None] = asyncio.Queue()
    made = Listener(address.application)
    made.on("weather", heard.put_nowait)
    made.on_connect(lambda: connected.put_nowait(None))
    running = asyncio.create_task(made.run())
    try:
        await asyncio.wait_for(connected.get(), SECONDS)
        yield heard, connected
    finally:
        made.stop()
        await asyncio.wait_for(running, SECONDS)


async def notify(address: DatabaseAddress, text: str) -> None:
    connection = await connect(address.administration or "")
    await connection.execute("select pg_notify('weather', $1)", text)
    await connection.close()


async def test_listener_comes_back_after_a_cut_and_says_so(through_proxy: DatabaseAddress, proxy: Proxy) -> None:
    async with listening(through_proxy) as (heard, connected):
        await notify(through_proxy, "rain")
        assert await asyncio.wait_for(heard.get(), SECONDS) == "rain"
        proxy.cut()
        await asyncio.wait_for(connected.get(), SECONDS)
        await notify(through_proxy, "sun")
        assert await asyncio.wait_for(heard.get(), SECONDS) == "sun"


@pytest.mark.drill
async def test_listener_notices_a_silent_wire(
    through_proxy: DatabaseAddress, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No reset, no end: only silence. It asks now and then, and gets no answer."""
    monkeypatch.setattr(listener, "PING_SECONDS", 0.2)
    async with listening(through_proxy) as (heard, connected):
        proxy.silence()
        await asyncio.wait_for(connected.get(), SECONDS)
        await notify(through_proxy, "sun")
        assert await asyncio.wait_for(heard.get(), SECONDS) == "sun"


SILENCE = pytest.param("silence", marks=pytest.mark.drill)


@pytest.mark.parametrize("trouble", ["cut", SILENCE])
async def test_wake_ups_come_again_and_what_was_missed_is_told(
    db: Database, through_proxy: DatabaseAddress, proxy: Proxy, trouble: str
) -> None:
    woken: asyncio.Queue[str] = asyncio.Queue()

    async def wake(payload: str) -> None:
        async with db.unit_of_work(SystemActor.SWEEP) as uow:
            await uow.wake("greet", payload)

    listener = Listener(through_proxy.application)
    Wakeups(listener).on("greet", woken.put_nowait)
    running = asyncio.create_task(listener.run())
    try:
        assert await asyncio.wait_for(woken.get(), SECONDS) == "", "what came before it listened"
        await wake("before")
        assert await asyncio.wait_for(woken.get(), SECONDS) == "before"
        if trouble == "cut":
            proxy.cut()
        else:
            proxy.silence()
        await wake("while away")
        assert await asyncio.wait_for(woken.get(), 3 * SECONDS) in ("", "while away")
        await wake("after")
        async with asyncio.timeout(SECONDS):
            while await woken.get() != "after":
                pass
    finally:
        listener.stop()
        proxy.cut()  # whatever still waits on a silent wire
        await asyncio.wait_for(running, SECONDS)
