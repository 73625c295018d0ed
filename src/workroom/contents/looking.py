"""Looks into every file that was stored, in the background: what kind it is, what its structure is, what an archive holds.
The files' rows say what is left to do, so a restart goes on where it was; one person's thousand files do not keep another's
waiting, nor does one that takes long: after `FIRST_SECONDS` it is tried again at low priority, in a place of its own. Whoever
opens a file does not wait for its turn at all (`service.py`)."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

from workroom.contents import store
from workroom.contents.content_cache import ContentCache
from workroom.contents.document_locator import DocumentLocator
from workroom.core.actors import SystemActor, UserActor
from workroom.core.clock import now
from workroom.core.errors import Conflict, DatabaseUnavailable, WorkroomError
from workroom.core.taking import NOTHING, Load
from workroom.db import Database
from workroom.files import looks
from workroom.files.looks import Look
from workroom.files.ports import Blob
from workroom.files.service import Content, Files

log = logging.getLogger(__name__)

HELD = timedelta(seconds=20)  # renewed while somebody is at it; so long a file waits whose worker died
LATER = timedelta(minutes=5)  # before the next try
MOST_TRIES = 3
AT_ONCE = 3  # first tries: one person has two at most, the third place is for the next one to come
FIRST_SECONDS = 10.0  # for a first try; ordinary files take less than one
UNUSED_KEPT = timedelta(days=1)


class LookJob:
    """For a `Taker` (core/taking.py). What takes longer than `seconds` is left to another one, for those that are `slow`."""

    name = "look into a file"

    def __init__(
        self, db: Database, files: Files, reader: ContentCache, *, seconds: float | None = None, slow: bool = False
    ) -> None:
        self._db, self._reader = db, reader
        self._places = DocumentLocator(db, files, reader)
        self._seconds, self._slow = seconds, slow

    async def claim(self, load: Load = NOTHING) -> Look | None:
        async with self._db.unit_of_work(SystemActor.SWEEP) as uow:
            return await looks.claim(uow, now(), now() + HELD, load, slow=self._slow)

    async def hold(self, task: Look) -> bool:
        """Whoever deletes a file, or stores a newer version, ends the look into it."""
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            if await looks.read(uow, task) is None:
                return False
            await looks.hold(uow, task, now() + HELD)
            return True

    async def work(self, task: Look) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            found = await looks.read(uow, task)
        if found is None:
            await self.give_back(task)  # whoever takes it out of the trash does not wait for our hold to lapse
            return
        file, version = found
        lane = f"look {task.mandate_id}:{task.owner_id}"
        if task.tries <= MOST_TRIES:
            try:
                stored = Content(file, version, Blob(task.mandate_id, version.hash, version.size))
                async with asyncio.timeout(self._seconds) as limit:
                    await self._reader.content(await self._places.of(stored, lane), lane)
            except TimeoutError:
                if not limit.expired():
                    raise
                await self._slow_down(task)
                return
            except (Conflict, DatabaseUnavailable):
                raise
            except WorkroomError as error:  # the content is missing, the disk is full: opening it says so, too
                log.warning("a file could not be looked into", extra={"file": str(file.id), "reason": error.message})
                if task.tries < MOST_TRIES:
                    async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
                        await looks.hold(uow, task, now() + LATER)
                    return
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await looks.done(uow, task)

    async def _slow_down(self, task: Look) -> None:
        log.info("a file takes long to look into", extra={"file": str(task.file_id)})
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await looks.slow_down(uow, task.mandate_id, task.file_id, task.version)
            await looks.give_back(uow, task)

    async def give_back(self, task: Look) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await looks.give_back(uow, task)


async def forget_unused(db: Database) -> int:
    """Contents no file and no archive holds any more."""
    async with db.unit_of_work(SystemActor.SWEEP) as uow:
        swept = await store.sweep(uow, now() - UNUSED_KEPT)
    if swept:
        log.info("forgot contents that no file has", extra={"contents": swept})
    return swept
