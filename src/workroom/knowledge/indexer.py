"""Indexing as leased work: what is next, and what happens when it goes wrong."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from workroom.core.actors import SystemActor, UserActor
from workroom.core.clock import now
from workroom.core.errors import BudgetExceeded, Conflict, DatabaseUnavailable, WorkroomError
from workroom.db import Database, UnitOfWork
from workroom.db.work_scheduler import EMPTY_LOAD, Load
from workroom.files.scans import SCANNED_JOB
from workroom.knowledge.indexing import Indexing
from workroom.knowledge.recognition import Recognition
from workroom.knowledge.reembedding import Reembedding
from workroom.knowledge.store import leases, recognitions, renewals, states
from workroom.knowledge.tasks import IndexTask, IndexTaskGone, is_held

log = logging.getLogger(__name__)

MOST_TRIES = 5
AT_ONCE = 3  # files: one person has two at most, the third place is for the next one to come
FIRST_SECONDS = 30.0  # for reading a file at the first try; hundreds of pages take less
LATER = timedelta(minutes=1)  # doubled with every try
Claim = Callable[[UnitOfWork, UUID, Load], Awaitable[Any | None]]
GIVEN_UP = "Reading this file went wrong again and again. Have it indexed once more, or upload it anew."


# What there is to do, in this order. A worker has places of their own for files, for slow files and for pages: none of these
# waits for the others.
FILES = (states.claim, renewals.claim)
SLOW_FILES = (states.claim_slow,)
PAGES = (recognitions.claim,)
EVERYTHING = (states.claim, states.claim_slow, recognitions.claim, renewals.claim)


class IndexWork:
    """For a `WorkScheduler`: does what `claims` find. A file that takes longer to read than `seconds` is left to the
    one for slow files."""

    name = "index a file"

    def __init__(
        self,
        db: Database,
        indexing: Indexing,
        renewing: Reembedding,
        recognising: Recognition,
        claims: Sequence[Claim] = EVERYTHING,
        seconds: float | None = None,
    ) -> None:
        self._db, self._indexing, self._renewing, self._recognising = db, indexing, renewing, recognising
        self._claims, self._seconds = claims, seconds

    async def take(self, load: Load) -> Sequence[IndexTask]:
        task = await self.claim(load)
        return [] if task is None else [task]

    async def claim(self, load: Load = EMPTY_LOAD) -> IndexTask | None:
        worker_id = await self._db.worker_id()
        async with self._db.unit_of_work(SystemActor.SWEEP) as uow:
            for claim in self._claims:
                if (row := await claim(uow, worker_id, load)) is not None:
                    return IndexTask(**dict(row))
        return None

    async def is_wanted(self, task: IndexTask) -> bool:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            return await is_held(uow, task)

    async def work(self, task: IndexTask) -> None:
        """A file whose reading ends unforeseen, or ends the process, is not begun for ever."""
        if task.is_new and task.tries > MOST_TRIES:
            return await self._failed(task, WorkroomError(GIVEN_UP))
        try:
            if not await self._done(task):
                await self.release(task)
        except IndexTaskGone:
            log.info("a file was gone before it was indexed", extra={"file": str(task.file_id)})
            await self.release(task)  # it may be back already, out of the trash
        except (Conflict, DatabaseUnavailable):
            raise
        except WorkroomError as error:
            await (self._failed(task, error) if task.is_new else self._postponed(task, error))

    async def _done(self, task: IndexTask) -> bool:
        """False: something else goes first."""
        if task.is_new:
            return await self._indexing.index(task, self._seconds)
        return await (self._renewing.renew(task) if task.pages is None else self._recognising.recognise(task))

    async def release(self, task: IndexTask) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            if task.pages is not None:
                await recognitions.release(uow, task.mandate_id, task.file_id, task.epoch)
            else:
                await states.release(uow, task.mandate_id, task.file_id, task.epoch)
            await uow.wake(SCANNED_JOB)

    async def release_failed(self, task: IndexTask) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await leases.release_failed(uow, task.mandate_id, task.file_id, task.epoch)

    async def _failed(self, task: IndexTask, error: WorkroomError) -> None:
        """A provider that is away, a disk that is full, an exhausted budget: later again, and at last said so."""
        log.warning("a file could not be indexed", extra={"file": str(task.file_id), "reason": error.message})
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            if task.tries < MOST_TRIES and not isinstance(error, BudgetExceeded):
                later = LATER * 2 ** (task.tries - 1)
                await leases.postpone(uow, task.mandate_id, task.file_id, task.epoch, later.total_seconds())
            elif await is_held(uow, task):
                await states.fail(uow, task.mandate_id, task.file_id, task.version, error.code, error.message, now())

    async def _postponed(self, task: IndexTask, error: WorkroomError) -> None:
        log.warning("a file must wait", extra={"file": str(task.file_id), "reason": error.message})
        await (self._renewing if task.pages is None else self._recognising).postpone(task, error)
