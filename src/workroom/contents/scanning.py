"""Scans every file that was stored, in the background: what kind it is, what its structure is, what an archive holds.
The files' rows say what is left to do, so a restart goes on where it was; one person's thousand files do not keep another's
waiting, nor does one that takes long: after `FIRST_SECONDS` it is tried again at low priority, in a place of its own.
A person who opens a file does not wait for its turn at all (`service.py`)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import timedelta

from workroom.contents import store
from workroom.contents.content_cache import ContentCache
from workroom.contents.document_locator import DocumentLocator
from workroom.core.actors import SystemActor, UserActor
from workroom.core.clock import now
from workroom.core.errors import Conflict, DatabaseUnavailable, WorkroomError
from workroom.db import Database
from workroom.db.work_scheduler import EMPTY_LOAD, Load
from workroom.files import scans
from workroom.files.ports import Blob
from workroom.files.scans import Scan
from workroom.files.service import Content, Files

log = logging.getLogger(__name__)

LATER = timedelta(minutes=5)  # before the next try
MOST_TRIES = 3
AT_ONCE = 3  # first tries: one person has two at most, the third place is for the next one to come
FIRST_SECONDS = 10.0  # for a first try; ordinary files take less than one
UNUSED_KEPT = timedelta(days=1)


class ScanWork:
    """For a `WorkScheduler`. What takes longer than `seconds` is left to another one, for those that are `slow`."""

    name = "scan a file"

    def __init__(
        self, db: Database, files: Files, reader: ContentCache, *, seconds: float | None = None, slow: bool = False
    ) -> None:
        self._db, self._reader = db, reader
        self._locator = DocumentLocator(db, files, reader)
        self._seconds, self._slow = seconds, slow

    async def take(self, load: Load) -> Sequence[Scan]:
        scan = await self.claim(load)
        return [] if scan is None else [scan]

    async def claim(self, load: Load = EMPTY_LOAD) -> Scan | None:
        worker_id = await self._db.worker_id()
        async with self._db.unit_of_work(SystemActor.SWEEP) as uow:
            return await scans.claim(uow, worker_id, load, slow=self._slow)

    async def is_wanted(self, task: Scan) -> bool:
        """A file that is deleted, or gets a newer version, is not scanned to the end."""
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            return await scans.read(uow, task) is not None and await scans.is_ours(uow, task)

    async def work(self, task: Scan) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            stored = await scans.read(uow, task)
        if stored is None:
            await self.release(task)  # it may come back out of the trash
            return
        file, version = stored
        lane = f"scan {task.mandate_id}:{task.owner_id}"
        if task.tries <= MOST_TRIES:
            try:
                content = Content(file, version, Blob(task.mandate_id, version.hash, version.size))
                async with asyncio.timeout(self._seconds) as limit:
                    await self._reader.content(await self._locator.of(content, lane), lane)
            except TimeoutError:
                if not limit.expired():
                    raise
                await self._slow_down(task)
                return
            except (Conflict, DatabaseUnavailable):
                raise
            except WorkroomError as error:  # the content is missing, the disk is full: opening it says so, too
                log.warning("a file could not be scanned", extra={"file": str(file.id), "reason": error.message})
                if task.tries < MOST_TRIES:
                    async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
                        await scans.postpone(uow, task, LATER)
                    return
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await scans.done(uow, task)

    async def _slow_down(self, task: Scan) -> None:
        log.info("a file takes long to scan", extra={"file": str(task.file_id)})
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await scans.slow_down(uow, task.mandate_id, task.file_id, task.version)
            await scans.release(uow, task)

    async def release(self, task: Scan) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await scans.release(uow, task)

    async def release_failed(self, task: Scan) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await scans.release_failed(uow, task)


async def forget_unused(db: Database) -> int:
    """Contents no file and no archive holds any more."""
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        swept = await store.sweep(uow, now() - UNUSED_KEPT)
    if swept:
        log.info("forgot contents that no file has", extra={"contents": swept})
    return swept
