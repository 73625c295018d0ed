"""`workroom worker`: works on what waits in the database, on any number of machines. It joins a database, it never starts one."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from datetime import timedelta

from workroom.agents import store as agent_store
from workroom.bootstrap.worker import WorkerServices, open_worker_services
from workroom.companies import store as company_store
from workroom.contents.scanning import forget_unused
from workroom.conversations import store as conversation_store
from workroom.core.clock_jumps import ClockJumps
from workroom.core.errors import Conflict, DatabaseUnavailable
from workroom.core.waiting import wait_for
from workroom.custom_skills import store as skill_store
from workroom.db import Database, DatabaseAddress
from workroom.db.checks import require_usable
from workroom.db.trash import empty_trash
from workroom.files import jobs as file_jobs
from workroom.files.errors import StorageUnavailable
from workroom.identity.jobs import remove_expired
from workroom.mail.jobs import remove_expired_mails
from workroom.notes import store as note_store
from workroom.runs.compaction import compact_finished
from workroom.settings import Settings
from workroom.studio import blocks_store as block_store
from workroom.studio import personas_store as persona_store
from workroom.studio import profiles_store as profile_store
from workroom.studio import store as project_store
from workroom.todos import store as todo_store
from workroom.usage.jobs import settle_leftovers
from workroom.websearch.jobs import remove_old_results

log = logging.getLogger(__name__)

TRASHES = {
    "notes": note_store.sweep,
    "todos": todo_store.sweep,
    "companies": company_store.sweep,
    "agents": agent_store.sweep,
    "skills": skill_store.sweep,
    "projects": project_store.sweep,
    "blocks": block_store.sweep,
    "personas": persona_store.sweep,
    "profiles": profile_store.sweep,
    "conversations": conversation_store.sweep,
}

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
        async with open_worker_services(settings, address.application, db) as services:
            log.info("the worker is ready")
            await _keep_clean(stop, db, services)
        log.info("the worker has stopped")
    finally:
        await db.close()


async def _keep_clean(stop: asyncio.Event, db: Database, services: WorkerServices) -> None:
    """Until `stop`: at once, and now and then. Several workers may do it at the same time."""
    jumps = ClockJumps()
    while not stop.is_set():
        try:
            await housekeeping(db, services, jumps)
        except (Conflict, DatabaseUnavailable) as error:
            log.warning("housekeeping waits", extra={"reason": error.message})
        except Exception:
            log.exception("housekeeping failed")
        await wait_for(stop, HOUSEKEEPING_EVERY.total_seconds())


async def housekeeping(db: Database, services: WorkerServices, jumps: ClockJumps) -> None:
    await settle_leftovers(db)
    await compact_finished(db)
    await services.outdated.notice()
    if not jumps.is_steady():
        log.warning("the clock was set: nothing is removed for its age until a day has passed")
        return
    await remove_expired(db)
    await remove_expired_mails(db)
    await remove_old_results(db)
    for table, sweep in TRASHES.items():
        await empty_trash(db, table, sweep)
    with contextlib.suppress(StorageUnavailable):  # next time; the rest does not need it
        await file_jobs.clean_up(db, services.blobs)
    await forget_unused(db)


def _stop_at_end_of_input(stop: asyncio.Event) -> None:
    if not os.read(sys.stdin.fileno(), 1024):
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        stop.set()
