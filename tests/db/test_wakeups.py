"""Wake-ups: sent with a transaction, heard by every worker that listens, of the kinds it knows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from workroom.core.actors import UserActor
from workroom.core.ids import new_id
from workroom.db import Database, DatabaseAddress
from workroom.db.listener import Listener
from workroom.db.wakeups import Wakeups

ACTOR = UserActor(new_id())


@pytest.fixture
async def woken(address: DatabaseAddress) -> AsyncIterator[list[asyncio.Queue[str]]]:
    """Two processes that listen, each with what it heard."""
    heard: list[asyncio.Queue[str]] = [asyncio.Queue(), asyncio.Queue()]
    listeners = [Listener(address.application) for _ in heard]
    for listener, queue in zip(listeners, heard, strict=True):
        Wakeups(listener).on("test", queue.put_nowait)
    running = [asyncio.create_task(listener.run()) for listener in listeners]
    for queue in heard:
        assert await asyncio.wait_for(queue.get(), 60) == "", "there may have been something before it listened"
    yield heard
    for listener in listeners:
        listener.stop()
    await asyncio.gather(*running)


async def test_everybody_hears_what_was_committed_and_nothing_else(
    db: Database, woken: list[asyncio.Queue[str]]
) -> None:
    for payload, commits in (("not this", False), ("this", True), ("and\nthis", True)):
        try:
            async with db.unit_of_work(ACTOR) as uow:
                await uow.wake("another kind", payload)
                await uow.wake("test", payload)
                await uow.wake("test", payload)
                if not commits:
                    raise ValueError
        except ValueError:
            pass
    for queue in woken:
        assert [await asyncio.wait_for(queue.get(), 60) for _ in range(2)] == ["this", "and\nthis"], "each once"
        assert queue.empty()
