"""Two requests at the same moment, in the order that does most harm: the first has read and is about to write when the
second begins."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any, TypeVar

import pytest

from workroom.core.actors import SystemActor
from workroom.db import Database, UnitOfWork

T = TypeVar("T")
U = TypeVar("U")
Gate = tuple[asyncio.Event, asyncio.Event]
HELD: ContextVar[Gate | None] = ContextVar("HELD", default=None)
WRITES = ("insert", "update", "delete", "with")


def install(patch: pytest.MonkeyPatch) -> None:
    for name in ("fetch", "fetchrow", "fetchval", "execute", "executemany"):
        patch.setattr(UnitOfWork, name, _held(getattr(UnitOfWork, name)))


def _held(run: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def held(uow: UnitOfWork, sql: str, *args: Any, **kind: bool) -> Any:
        if (gate := HELD.get()) is not None and sql.lstrip().startswith(WRITES):
            reached, go = gate
            reached.set()
            await go.wait()
        return await run(uow, sql, *args, **kind)

    return held


async def interleaved(
    db: Database, first: Callable[[], Awaitable[T]], second: Callable[[], Awaitable[U]]
) -> tuple[T, U]:
    """The second runs until it is done, or until it waits for a lock of the first."""
    reached, go = asyncio.Event(), asyncio.Event()

    async def held() -> T:
        HELD.set((reached, go))
        return await first()

    one = asyncio.create_task(held())
    waiting = asyncio.create_task(reached.wait())
    await asyncio.wait({one, waiting}, return_when=asyncio.FIRST_COMPLETED)
    assert reached.is_set(), "the first wrote nothing"
    two = asyncio.ensure_future(second())
    while not two.done() and not await somebody_waits(db):
        pass
    go.set()
    return await one, await two


async def somebody_waits(db: Database) -> bool:
    """For a lock that another transaction holds."""
    async with db.unit_of_work(SystemActor.METRICS) as uow:
        return bool(await uow.fetchval("select exists (select from pg_locks where not granted)"))
