"""`workroom worker`: takes jobs from the queue, on any number of machines. It joins a database, it never starts one."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from datetime import timedelta

from workroom.agents import store as agent_store
from workroom.contents.scanning import forget_unused
from workroom.core.actors import SystemActor
from workroom.core.clock import now
from workroom.core.clock_jumps import ClockJumps
from workroom.core.errors import DatabaseUnavailable
from workroom.core.waiting import wait_for
from workroom.db import Database, DatabaseAddress, queue
from workroom.db.checks import require_usable
from workroom.db.queue import Handler, QueueWorker
from workroom.db.trash import empty_trash
from workroom.evaluations.jobs import EVALUATION_JOB
from workroom.files import jobs as file_jobs
from workroom.files.errors import StorageUnavailable
from workroom.files.scans import SCAN_JOB, SCANNED_JOB
from workroom.identity.jobs import remove_expired
from workroom.models.store import MODELS_JOB
from workroom.notes import store as note_store
from workroom.runs.compaction import compact_finished
from workroom.runs.jobs import RUN_JOB
from workroom.settings import Settings
from workroom.todos import store as todo_store
from workroom.usage.jobs import settle_leftovers
from workroom.workshop import Workshop, open_workshop

log = logging.getLogger(__name__)

TRASHES = {"notes": note_store.sweep, "todos": todo_store.sweep, "agents": agent_store.sweep}

HOUSEKEEPING = "housekeeping"
HOUSEKEEPING_EVERY = timedelta(minutes=10)


async def work(settings: Settings, *, child: bool = False) -> None:
    """Run until a signal or, as a child, until the parent is gone."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    if child:
        loop.add_reader(sys.stdin.fileno(), _stop_at_end_of_input, stop)
    address = DatabaseAddress.joined(settings)
    await require_usable(address)
    db = await Database.connect(address.application, max_size=5)
    try:
        async with open_workshop(settings, address.application, db) as workshop:
            done_by = handlers(db, workshop)
            await _work_until(stop, db, QueueWorker(address.application, done_by))
    finally:
        await db.close()


def handlers(db: Database, workshop: Workshop) -> dict[str, Handler]:
    """Every kind of job and who does it."""
    jumps = ClockJumps()

    async def housekeeping(_: bytes) -> None:
        await settle_leftovers(db)
        await compact_finished(db)
        await workshop.outdated.notice()
        if not jumps.is_steady():
            log.warning("the clock was set: nothing is removed for its age until a day has passed")
            return
        await remove_expired(db)
        for what, sweep in TRASHES.items():
            await empty_trash(db, what, sweep)
        with contextlib.suppress(StorageUnavailable):  # next time; the rest does not need it
            await file_jobs.clean_up(db, workshop.blobs)
        await forget_unused(db)
        async with db.unit_of_work(SystemActor.SWEEP) as uow:
            await queue.prune(uow, now() - queue.LOG_KEPT)

    return {
        HOUSEKEEPING: housekeeping,
        RUN_JOB: workshop.answerer.wake,
        SCAN_JOB: workshop.scanner.wake,
        SCANNED_JOB: workshop.indexer.wake,
        MODELS_JOB: workshop.outdated.woken,
        EVALUATION_JOB: workshop.evaluator.wake,
    }


async def _work_until(stop: asyncio.Event, db: Database, worker: QueueWorker) -> None:
    log.info("the worker is ready")
    working = asyncio.create_task(worker.run(), name="queue")
    waking = asyncio.create_task(_wake_regularly(stop, db), name="housekeeping")
    await stop.wait()
    worker.stop()
    await asyncio.gather(working, waking)
    log.info("the worker has stopped")


async def _wake_regularly(stop: asyncio.Event, db: Database) -> None:
    while not stop.is_set():
        with contextlib.suppress(DatabaseUnavailable):
            async with db.unit_of_work(SystemActor.SWEEP) as uow:
                await uow.wake(HOUSEKEEPING)
        await wait_for(stop, HOUSEKEEPING_EVERY.total_seconds())


def _stop_at_end_of_input(stop: asyncio.Event) -> None:
    if not os.read(sys.stdin.fileno(), 1024):
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        stop.set()
