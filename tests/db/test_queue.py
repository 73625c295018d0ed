"""The doorbell: jobs reach a worker, a failing handler harms nobody, and the log does not grow for ever."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from workroom.core.actors import SystemActor, UserActor
from workroom.core.clock import now
from workroom.core.ids import new_id
from workroom.db import Database, DatabaseAddress, queue
from workroom.db.connecting import connect
from workroom.db.queue import QueueWorker

ACTOR = UserActor(new_id())


async def ring(db: Database, payload: bytes) -> None:
    async with db.unit_of_work(ACTOR) as uow:
        await uow.ring("test", payload)


@pytest.mark.requirement("L1")
async def test_jobs_arrive_also_after_a_failure_and_a_lost_connection(db: Database, address: DatabaseAddress) -> None:
    done: asyncio.Queue[bytes] = asyncio.Queue()

    async def handler(payload: bytes) -> None:
        if payload == b"bad":
            raise ValueError("this one fails")
        done.put_nowait(payload)

    worker = QueueWorker(address.application, {"test": handler})
    running = asyncio.create_task(worker.run())
    await ring(db, b"bad")
    await ring(db, b"first")
    assert await asyncio.wait_for(done.get(), 60) == b"first"

    assert address.administration is not None
    administrator = await connect(address.administration)
    await administrator.execute(
        "select pg_terminate_backend(pid, 5000) from pg_stat_activity"
        " where datname = current_database() and pid <> pg_backend_pid()"
    )
    await administrator.close()
    await ring(db, b"second")
    # The first may come again, if its end could not be noted before the cut: handlers must be safe to call twice.
    while await asyncio.wait_for(done.get(), 60) != b"second":
        pass
    worker.stop()
    await asyncio.wait_for(running, 60)


async def test_the_library_cannot_be_led_astray_by_the_environment(
    db: Database, address: DatabaseAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PgQueuer reads CHANNEL, FUNCTION, QUEUE_TABLE … from the environment; ours are given explicitly."""
    for name in ("CHANNEL", "QUEUE_TABLE", "PGQUEUER_SCHEMA", "PGQUEUER_PREFIX"):
        monkeypatch.setenv(name, "elsewhere")
    await ring(db, b"x")
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        assert await uow.fetchval("select count(*) from workroom.pgqueuer") == 1


async def test_the_log_is_pruned(db: Database, address: DatabaseAddress) -> None:
    await ring(db, b"x")
    connection = await connect(address.application)
    await connection.execute("update workroom.pgqueuer_log set created = now() - interval '3 days'")
    before = await connection.fetchval("select count(*) from workroom.pgqueuer_log")
    await connection.close()
    await ring(db, b"y")
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        assert before > 0
        assert await queue.prune(uow, now() - timedelta(days=1)) == before
        assert await uow.fetchval("select count(*) from pgqueuer_log") == before
