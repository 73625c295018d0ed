"""Locks that several machines respect: session-level advisory locks, all of a process on one connection.

PostgreSQL lets go of them when the process or its machine dies. When the connection is lost while the process lives, its
locks are lost as well; a holder asks `require` before it does something that others must be able to rely on.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator
from typing import Any

import asyncpg

from workroom.core.errors import DatabaseUnavailable
from workroom.core.waiting import to_its_end
from workroom.db.connection import UNREACHABLE, connect

ANSWER_SECONDS = 10.0
# A machine that vanishes does not say goodbye: PostgreSQL would believe in it for two hours.
NOTICE_THE_DEAD = (
    "select set_config('tcp_keepalives_idle', '20', false), set_config('tcp_keepalives_interval', '5', false),"
    " set_config('tcp_keepalives_count', '4', false)"
)


class LockTaken(Exception):
    """Held by another process, here or elsewhere."""


class Lock:
    """Held on a connection, and no longer than that lives."""

    def __init__(self) -> None:
        self.connection: asyncpg.Connection[Any] | None = None

    def require(self) -> None:
        if self.connection is None or self.connection.is_closed():
            raise DatabaseUnavailable(
                "The database went away in the middle. Nothing was stored; try again in a moment."
            )


class AdvisoryLocks:
    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._connection: asyncpg.Connection[Any] | None = None
        self._turn = asyncio.Lock()  # one statement at a time
        self._held: set[int] = set()

    @contextlib.asynccontextmanager
    async def hold(self, name: str) -> AsyncIterator[Lock]:
        """Raises LockTaken at once, without waiting."""
        key = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)
        if key in self._held:  # PostgreSQL would give it to the same session again
            raise LockTaken
        self._held.add(key)
        lock = Lock()
        try:
            # Cancelled in the middle, it would be unknown whether we have it.
            await to_its_end(self._take(key, lock))
            yield lock
        finally:
            try:
                await to_its_end(self._release(key, lock))
            finally:
                self._held.discard(key)

    async def close(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(*UNREACHABLE):
                await self._connection.close(timeout=2)

    async def _take(self, key: int, lock: Lock) -> None:
        async with self._turn:
            if self._connection is None or self._connection.is_closed():
                self._connection = await connect(self._dsn)
                await _ask(self._connection, NOTICE_THE_DEAD)
            if not await _ask(self._connection, f"select pg_try_advisory_lock({key})"):
                raise LockTaken
            lock.connection = self._connection

    async def _release(self, key: int, lock: Lock) -> None:
        async with self._turn:
            if lock.connection is not None and not lock.connection.is_closed():
                with contextlib.suppress(
                    DatabaseUnavailable
                ):  # then the connection is closed, and the lock gone with it
                    await _ask(lock.connection, f"select pg_advisory_unlock({key})")


async def _ask(connection: asyncpg.Connection[Any], sql: str) -> bool:
    try:
        return bool(await connection.fetchval(sql, timeout=ANSWER_SECONDS))
    except UNREACHABLE as error:
        connection.terminate()
        raise DatabaseUnavailable("The database cannot be reached right now. Try again in a moment.") from error
