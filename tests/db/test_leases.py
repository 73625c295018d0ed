"""What holds for every lease, whatever the work: who has a row, for how long, and when another worker may take it."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from uuid import UUID

import pytest

from tests.files.sending import make
from tests.lapsing import DEAD, stop_worker, wake_worker
from tests.world import World
from workroom.core.actors import SystemActor
from workroom.db import Database, DatabaseAddress, leases
from workroom.db.connection import connect
from workroom.files import scans

SHORT = ("10 seconds", "2 seconds")


async def is_held(db: Database, holder: UUID | None, *, short: bool = False) -> bool:
    return await _says(db, leases.held("r"), holder, short=short)


async def is_free(db: Database, holder: UUID | None, pause: float | None = None, claimant: UUID | None = None) -> bool:
    return await _says(db, leases.free("r", None if claimant is None else "$3::uuid"), holder, pause, claimant)


async def _says(
    db: Database,
    condition: str,
    holder: UUID | None,
    pause: float | None = None,
    claimant: UUID | None = None,
    *,
    short: bool = False,
) -> bool:
    sql = (
        f"select {condition} from (select $1::uuid as lease_holder,"
        " clock_timestamp() + make_interval(secs => $2::float) as not_before) r"
    )
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        args = (holder, pause) if claimant is None else (holder, pause, claimant)
        return bool(await uow.fetchval(sql.replace(*SHORT) if short else sql, *args))


async def test_a_row_belongs_to_its_holder_while_that_is_heard_of(db: Database, other_worker: Database) -> None:
    holder = await other_worker.worker_id()
    assert (await is_held(db, holder), await is_free(db, holder)) == (True, False)
    await stop_worker(other_worker)
    assert (await is_held(db, holder), await is_free(db, holder)) == (False, True)
    await wake_worker(other_worker)
    assert (await is_held(db, holder), await is_free(db, holder)) == (True, False)
    for nobody in (None, DEAD):
        assert (await is_held(db, nobody), await is_free(db, nobody)) == (False, True)


async def test_nothing_is_claimed_before_its_time(db: Database) -> None:
    assert not await is_free(db, None, 60)
    assert not await is_free(db, DEAD, 60)
    assert await is_free(db, None, -1)


async def test_a_worker_whose_event_loop_is_blocked_keeps_its_leases(db: Database, other_worker: Database) -> None:
    """With a lease of two seconds instead of ten, and three times as long."""
    db.heartbeat.seconds = 0.3
    holder = await db.worker_id()
    time.sleep(6)  # noqa: ASYNC251
    assert await is_held(other_worker, holder, short=True)


async def test_a_worker_whose_pool_is_used_up_keeps_its_leases(address: DatabaseAddress, db: Database) -> None:
    busy = await Database.connect(address.application, max_size=1)
    busy.heartbeat.seconds = 0.3
    holder = await busy.worker_id()
    beats = {await heartbeat_of(db, holder)}
    async with busy.unit_of_work(SystemActor.SWEEP), asyncio.timeout(60):
        while len(beats) < 10:
            await asyncio.sleep(0.05)
            beats.add(await heartbeat_of(db, holder))
    assert None not in beats, "it was never without one"
    await busy.close()


async def test_the_heartbeat_comes_back_after_a_lost_connection(address: DatabaseAddress, db: Database) -> None:
    db.heartbeat.seconds = 0.1
    holder = await db.worker_id()
    assert address.administration is not None
    admin = await connect(address.administration)
    try:
        for _ in range(3):
            await admin.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where query like '%insert into workroom.workers%'"
                " and datname = current_database() and pid <> pg_backend_pid()"
            )
            lost = await heartbeat_of(db, holder)
            async with asyncio.timeout(60):
                while await heartbeat_of(db, holder) == lost:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
    finally:
        await admin.close()


async def heartbeat_of(db: Database, worker_id: UUID) -> object:
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        return await uow.fetchval("select heartbeat_at from workers where worker_id = $1", worker_id)


async def test_a_process_that_ends_leaves_nothing_held(address: DatabaseAddress, db: Database) -> None:
    ending = await Database.connect(address.application)
    holder = await ending.worker_id()
    assert await is_held(db, holder)
    await ending.close()
    assert await is_free(db, holder)
    assert await heartbeat_of(db, holder) is None


async def test_rows_of_processes_that_died_long_ago_are_swept(address: DatabaseAddress, db: Database) -> None:
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        await uow.execute("insert into workers values ($1, now() - interval '2 hours', '-infinity')", DEAD)
    await db.worker_id()
    assert await heartbeat_of(db, DEAD) is None


async def test_a_worker_that_was_not_heard_of_takes_nothing_over_for_a_while(
    db: Database, other_worker: Database
) -> None:
    """When the database was away for longer than a lease, all heartbeats have lapsed and all workers are still there."""
    claimant = await other_worker.worker_id()
    assert await is_free(db, DEAD, claimant=claimant)
    await stop_worker(other_worker)
    await wake_worker(other_worker)
    assert not await is_free(db, DEAD, claimant=claimant)
    assert await is_free(db, None, claimant=claimant), "what has no holder is free for all"
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        await uow.execute("update workers set steady_since = steady_since - interval '11 seconds'")
    assert await is_free(db, DEAD, claimant=claimant)


async def test_two_workers_never_have_the_same_row(world: World, other_worker: Database) -> None:
    files = [(await make(world, "bob", f"{number}.txt")).id for number in range(8)]
    workers = [world.services.db, other_worker]

    async def claim(db: Database) -> UUID | None:
        worker_id = await db.worker_id()
        async with db.unit_of_work(SystemActor.SWEEP) as uow:
            scan = await scans.claim(uow, worker_id)
        return None if scan is None else scan.file_id

    claimed = Counter[UUID | None]()
    for _ in range(4):
        claimed.update(await asyncio.gather(*[claim(db) for db in workers * 2]))
    assert {file_id: claimed[file_id] for file_id in files} == dict.fromkeys(files, 1)


@pytest.mark.parametrize("kind", ["scan", "run"])
async def test_a_worker_that_is_gone_frees_what_it_has(world: World, other_worker: Database, kind: str) -> None:
    """The other kinds: test_indexing.py, test_recognising.py, test_renewing.py, test_jobs.py, test_claims.py."""
    from tests.runs.bench import RunBench
    from workroom.runs import store

    bench = RunBench(world)
    await (make(world, "bob", "a.txt") if kind == "scan" else bench.ask())

    async def take(db: Database) -> object | None:
        if kind == "run":
            return next(iter(await store.claim(db, 1, 9)), None)
        worker_id = await db.worker_id()
        async with db.unit_of_work(SystemActor.SWEEP) as uow:
            return await scans.claim(uow, worker_id)

    assert await take(other_worker) is not None
    assert await take(bench.db) is None
    await stop_worker(other_worker)
    assert await take(bench.db) is None, "not before the time that the claim set"
    await bench.sql(f"update {'files' if kind == 'scan' else 'runs'} set not_before = null")
    assert await take(bench.db) is not None
