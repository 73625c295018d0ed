"""The pool, and the one way to rows: `unit_of_work(actor)`.

A unit of work is one transaction that acts for one actor. Its first statement tells PostgreSQL for whom; row-level
security does the rest. Nothing said inside is visible to others before the block ends well.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any
from uuid import UUID

import asyncpg

from workroom.core.actors import Actor, SystemActor, UserActor
from workroom.core.changes import Change
from workroom.core.errors import Collided, Conflict, DatabaseUnavailable, RightsChanged, StorageFull
from workroom.db import wakeups
from workroom.db.channels import CHANGES, WORK
from workroom.db.connection import CONNECT_SECONDS, REFUSED, UNREACHABLE, explain
from workroom.db.heartbeat import Heartbeat
from workroom.db.pool_waits import PoolWaits

ACQUIRE_SECONDS = 10.0
# Two transactions at the same row: the second one reads it again.
MEANWHILE = "Somebody else changed this at the same moment. Look again, then repeat it."
COLLIDED = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)
TAKEN = (asyncpg.UniqueViolationError, asyncpg.ForeignKeyViolationError)  # what was there, or is gone, since we looked
SESSION_SETTINGS = {
    "search_path": "workroom, public",
    "statement_timeout": "30000",
    "idle_in_transaction_session_timeout": "60000",
    "timezone": "UTC",
}


AWAY = "The database cannot be reached right now. Nothing was changed; try again in a moment."
RIGHTS = "What you may do here was changed at this moment. Nothing was saved; look again, then repeat it."
UNSURE = "The database went away while this was being saved. Look whether it was, before you do it again."


class UnitOfWork:
    """One transaction, as the code that works in it sees it.

    `fetch`, `fetchrow` and `fetchval` read. A statement that changes or locks rows and answers with some says so: `writes=True`.
    `execute` and `executemany` always write. Nothing is guessed from the text of a statement; tests run whatever is not said to
    write in a read-only transaction (`tests/read_only.py`).
    """

    def __init__(
        self,
        connection: asyncpg.pool.PoolConnectionProxy[Any] | asyncpg.Connection[Any],
        writer: UserActor | None = None,
    ) -> None:
        """`writer`: the person whose rights are held before the first write."""
        self._connection = connection
        self._writer = writer

    async def fetch(self, sql: str, *args: Any, writes: bool = False) -> list[asyncpg.Record]:
        if writes:
            await self._hold_rights()
        return await self._connection.fetch(sql, *args)

    async def fetchrow(self, sql: str, *args: Any, writes: bool = False) -> asyncpg.Record | None:
        if writes:
            await self._hold_rights()
        return await self._connection.fetchrow(sql, *args)

    async def fetchval(self, sql: str, *args: Any, writes: bool = False) -> Any:
        if writes:
            await self._hold_rights()
        return await self._connection.fetchval(sql, *args)

    async def execute(self, sql: str, *args: Any) -> int:
        """Write; returns the number of rows that were changed or locked."""
        await self._hold_rights()
        tag = await self._connection.execute(sql, *args)
        last = tag.rsplit(" ", 1)[-1]
        return int(last) if last.isdigit() else 0

    async def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        await self._hold_rights()
        await self._connection.executemany(sql, rows)

    async def wake(self, kind: str, payload: str = "") -> None:
        """Wake the workers for `kind`, if and when this transaction commits."""
        await self._connection.execute("select pg_notify($1, $2)", WORK, wakeups.encode(kind, payload))

    async def announce(self, change: Change) -> None:
        """Tell open browsers, if and when this transaction commits."""
        await self.notify(CHANGES, change.model_dump_json())

    async def notify(self, channel: str, payload: str) -> None:
        """Send to all who listen on the channel, if and when this transaction commits."""
        await self._connection.execute("select pg_notify($1, $2)", channel, payload)

    async def _hold_rights(self) -> None:
        """Once, before the first row is locked or written: rights are not taken away from then until the transaction ends.
        A transaction that takes them away locks rows later, too, so there is no deadlock."""
        if self._writer is None:
            return
        writer, self._writer = self._writer, None
        key = (writer.mandate_id, writer.user_id, writer.rights_version)
        if not await self._connection.fetchval("select hold_rights($1, $2, $3)", *key):
            raise RightsChanged(RIGHTS)


class Database:
    """The application's connections. Made by `bootstrap`, closed with the process."""

    def __init__(self, pool: asyncpg.Pool[asyncpg.Record], dsn: str) -> None:
        self._pool = pool
        self._dsn = dsn
        self._standing: dict[SystemActor, asyncpg.Pool[asyncpg.Record]] = {}
        self._opening = asyncio.Lock()
        self.heartbeat = Heartbeat(dsn)
        self._waits = PoolWaits()

    @classmethod
    async def connect(cls, dsn: str, *, min_size: int = 1, max_size: int = 10) -> Database:
        try:
            pool = await asyncpg.create_pool(
                dsn,
                min_size=min_size,
                max_size=max_size,
                timeout=CONNECT_SECONDS,
                reset=_reset,
                server_settings=SESSION_SETTINGS,
            )
        except REFUSED as error:
            raise explain(error) from None
        return cls(pool, dsn)

    async def worker_id(self) -> UUID:
        """Who holds the leases of this process (db/leases.py); its heartbeat begins with the first call."""
        return await self.heartbeat.worker_id()

    async def close(self) -> None:
        await self.heartbeat.end()
        for pool in self._standing.values():
            pool.terminate()
        try:
            await asyncio.wait_for(self._pool.close(), timeout=10)
        except (TimeoutError, *UNREACHABLE):
            self._pool.terminate()

    @contextlib.asynccontextmanager
    async def unit_of_work(self, actor: Actor) -> AsyncIterator[UnitOfWork]:
        saving = False
        try:
            async with self._begun(actor) as connection:
                try:
                    yield UnitOfWork(connection, _writer(actor))
                except BaseException:
                    with contextlib.suppress(*UNREACHABLE):
                        await connection.execute("rollback")
                    raise
                saving = True
                # A transaction that swallowed an error answers COMMIT with ROLLBACK, without complaint.
                if await connection.execute("commit") != "COMMIT":
                    raise RuntimeError("a failed statement was ignored; the transaction was rolled back")
        except COLLIDED as error:
            raise Collided(MEANWHILE) from error
        except TAKEN as error:
            raise Conflict(MEANWHILE) from error
        except asyncpg.DiskFullError as error:
            raise StorageFull from error
        except UNREACHABLE as error:
            raise DatabaseUnavailable(UNSURE if saving else AWAY) from error

    @contextlib.asynccontextmanager
    async def _begun(self, actor: Actor) -> AsyncIterator[asyncpg.pool.PoolConnectionProxy[Any]]:
        """A connection whose transaction has begun. One that died while it was idle shows it only now: nothing was said
        yet, so all the old ones are let go and a new one is asked."""
        begin = _begin(actor)
        async with contextlib.AsyncExitStack() as held:
            with self._waits.measured():
                connection = await held.enter_async_context(self._pool.acquire(timeout=ACQUIRE_SECONDS))
            try:
                await connection.execute(begin)
            except UNREACHABLE:
                with contextlib.suppress(asyncpg.InterfaceError):  # it may be gone from the pool already
                    connection.terminate()
                await held.aclose()
                await self._pool.expire_connections()
                connection = await held.enter_async_context(self._pool.acquire(timeout=ACQUIRE_SECONDS))
                await connection.execute(begin)
            yield connection

    async def at_once(self, actor: SystemActor, sql: str, *args: Any) -> list[asyncpg.Record]:
        """One statement that is a transaction by itself, in one round trip instead of three: its connections are this
        actor's for good, so nothing has to be said before and nothing can leak to another actor."""
        try:
            pool = self._standing.get(actor) or await self._open_standing(actor)
            async with contextlib.AsyncExitStack() as held:
                with self._waits.measured():
                    connection = await held.enter_async_context(pool.acquire(timeout=ACQUIRE_SECONDS))
                return await connection.fetch(sql, *args)
        except COLLIDED as error:
            raise Collided(MEANWHILE) from error
        except TAKEN as error:
            raise Conflict(MEANWHILE) from error
        except asyncpg.DiskFullError as error:
            raise StorageFull from error
        except UNREACHABLE as error:
            await self._forget_standing(actor)
            raise DatabaseUnavailable(UNSURE) from error

    async def _open_standing(self, actor: SystemActor) -> asyncpg.Pool[asyncpg.Record]:
        async with self._opening:
            if actor not in self._standing:
                self._standing[actor] = await asyncpg.create_pool(
                    self._dsn,
                    min_size=1,
                    max_size=2,
                    timeout=CONNECT_SECONDS,
                    reset=_reset,
                    server_settings={**SESSION_SETTINGS, "role": actor.value},
                )
            return self._standing[actor]

    async def _forget_standing(self, actor: SystemActor) -> None:
        """Connections that died while idle show it only when used; the next statement gets new ones."""
        if (pool := self._standing.get(actor)) is not None:
            await pool.expire_connections()

    async def is_reachable(self) -> bool:
        try:
            async with self._pool.acquire(timeout=2) as connection:
                await connection.execute("select 1", timeout=2)
        except UNREACHABLE:
            return False
        return True

    @property
    def pool_wait(self) -> float:
        """How long statements have lately waited for a connection, in seconds."""
        return self._waits.longest

    @property
    def idle_and_size(self) -> tuple[int, int]:
        return self._pool.get_idle_size(), self._pool.get_size()


def _writer(actor: Actor) -> UserActor | None:
    return actor if isinstance(actor, UserActor) and actor.rights_version is not None else None


def _begin(actor: Actor) -> str:
    """One round trip: open the transaction and say for whom. Only UUIDs and our own role names are put into the text."""
    if isinstance(actor, SystemActor):
        return f"begin; set local role {actor.value}"
    user = actor.user_id or ""
    return f"begin; set local workroom.mandate = '{actor.mandate_id}'; set local workroom.user_id = '{user}'"


async def _reset(connection: asyncpg.Connection[Any]) -> None:
    """Everything we set is local to the transaction, so there is nothing to reset but a transaction left open."""
    if connection.is_in_transaction():
        await connection.execute("rollback")
