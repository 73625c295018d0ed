"""The doorbell for workers: PgQueuer, supervised.

A job here only says "look at this". The truth is in the row it points to, because the queue alone loses jobs: a
handler that raises or is cancelled deletes its job, and a stalled worker lets a second one take the same job. So every
handler must be safe to call twice, and something must ring again for work that was left behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import asyncpg

from workroom.core.waiting import wait_for
from workroom.db.channels import QUEUE
from workroom.db.connecting import UNREACHABLE, connect

if TYPE_CHECKING:
    from pgqueuer.ports.driver import Driver
    from pgqueuer.queries import Queries

    from workroom.db.database import UnitOfWork

log = logging.getLogger(__name__)

Handler = Callable[[bytes], Awaitable[None]]
LOG_KEPT = timedelta(days=1)
RETRY_SECONDS = 1.0
PING_SECONDS = 10.0
ANSWER_SECONDS = 5.0


def queries(connection: Any) -> Queries:
    """PgQueuer's statements on a connection of ours. Every name is given: the library would read them from the environment."""
    from pgqueuer.adapters.persistence import qb
    from pgqueuer.domain.settings import DBSettings, Durability
    from pgqueuer.domain.types import Channel
    from pgqueuer.queries import Queries

    names = DBSettings(
        prefix="",
        db_schema="workroom",
        channel=Channel(QUEUE),
        function="fn_pgqueuer_changed",
        statistics_table="pgqueuer_statistics",
        queue_status_type="pgqueuer_status",
        queue_table="pgqueuer",
        queue_table_log="pgqueuer_log",
        trigger="tg_pgqueuer_changed",
        schedules_table="pgqueuer_schedules",
        durability=Durability.durable,
    )
    made = Queries.from_asyncpg_connection(connection)
    made.qbe = qb.QueryBuilderEnvironment(settings=names)
    made.qbq = qb.QueryQueueBuilder(settings=names)
    made.qbs = qb.QuerySchedulerBuilder(settings=names)
    return made


async def enqueue(connection: Any, kind: str, payload: bytes) -> None:
    """Inside the caller's transaction: the bell rings if and when it commits."""
    await queries(connection).enqueue(kind, payload)


async def ensure_schema(connection: asyncpg.Connection[Any]) -> None:
    """Create or upgrade the queue's own tables; called by the migrator, as their owner."""
    made = queries(connection)
    if await made.schema_is_installed():
        await made.upgrade()
    else:
        await made.install(create_schema=False)
    tables = "workroom.pgqueuer, workroom.pgqueuer_log, workroom.pgqueuer_schedules, workroom.pgqueuer_statistics"
    await connection.execute(f"grant select, insert, update, delete on {tables} to workroom_app")
    await connection.execute("grant usage on all sequences in schema workroom to workroom_app, workroom_sweep")
    await connection.execute(f"grant select, insert, delete on {tables} to workroom_sweep")


async def prune(uow: UnitOfWork, before: datetime) -> int:
    """PgQueuer keeps a line per job for ever; a day of them is enough to look into a problem. As the sweeping actor."""
    await uow.execute("delete from pgqueuer_statistics where created < $1", before)
    return await uow.execute("delete from pgqueuer_log where created < $1", before)


class QueueWorker:
    """Takes jobs until told to stop, and comes back after every lost connection."""

    def __init__(self, dsn: str, handlers: Mapping[str, Handler], *, concurrency: int = 20) -> None:
        self._dsn = dsn
        self._handlers = handlers
        self._concurrency = concurrency
        self._stop = asyncio.Event()
        self.listening = asyncio.Event()

    def stop(self) -> None:
        self._stop.set()

    async def run(self) -> None:
        while not self._stop.is_set():
            try:
                await self._work_once()
            except Exception as error:  # whatever ends the manager, the next one starts
                log.warning("the queue is away, trying again", extra={"reason": f"{type(error).__name__}: {error}"})
            finally:
                self.listening.clear()
            await wait_for(self._stop, RETRY_SECONDS)

    async def _work_once(self) -> None:
        from pgqueuer import PgQueuer
        from pgqueuer.domain.types import Channel

        connection = await connect(self._dsn)
        made = queries(connection)
        manager = PgQueuer(made.driver, channel=Channel(QUEUE), queries=made)
        # PgQueuer's own listener goes deaf when its connection dies: end the manager, the supervisor starts the next.
        connection.add_termination_listener(lambda _: manager.shutdown.set())
        for kind, handler in self._handlers.items():
            manager.entrypoint(kind)(_entry(handler))
        beside = [
            asyncio.create_task(self._forward_stop(manager.shutdown)),
            asyncio.create_task(_hang_up_on_silence(made.driver, connection, manager.shutdown)),
        ]
        self.listening.set()
        try:
            await manager.qm.run(
                batch_size=max(1, self._concurrency // 2),
                max_concurrent_tasks=self._concurrency,
                dequeue_timeout=timedelta(seconds=10),
            )
        finally:
            for task in beside:
                task.cancel()
            with contextlib.suppress(Exception):
                await connection.close(timeout=2)

    async def _forward_stop(self, shutdown: asyncio.Event) -> None:
        await self._stop.wait()
        shutdown.set()


async def _hang_up_on_silence(driver: Driver, connection: asyncpg.Connection[Any], ended: asyncio.Event) -> None:
    """A network that falls silent says nothing, and the manager would wait for its answer for ever: ask now and then."""
    while not await wait_for(ended, PING_SECONDS):
        try:
            await asyncio.wait_for(driver.execute("select 1"), ANSWER_SECONDS)
        except (TimeoutError, *UNREACHABLE):
            connection.terminate()
            ended.set()


def _entry(handler: Handler) -> Callable[[Any], Awaitable[None]]:
    async def run(job: Any) -> None:
        await handler(job.payload or b"")

    return run
