"""Indexing as work that waits in rows: what is next, how long it is held, what happens when it goes wrong."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from workroom.core.actors import SystemActor, UserActor
from workroom.core.clock import now
from workroom.core.errors import BudgetExceeded, Conflict, DatabaseUnavailable, WorkroomError
from workroom.core.taking import NOTHING, Load
from workroom.db import Database, UnitOfWork
from workroom.files.looks import LOOKED_JOB
from workroom.knowledge.indexing import Indexing
from workroom.knowledge.recognising import Recognising
from workroom.knowledge.renewing import Renewing
from workroom.knowledge.store import recognitions, renewals, states
from workroom.knowledge.tasks import HELD, Gone, Task, is_held

log = logging.getLogger(__name__)

MOST_TRIES = 5
AT_ONCE = 3  # files: one person has two at most, the third place is for the next one to come
FIRST_SECONDS = 30.0  # for reading a file at the first try; hundreds of pages take less
LATER = timedelta(minutes=1)  # doubled with every try
Claim = Callable[[UnitOfWork, datetime, datetime, Load], Awaitable[Any | None]]
GIVEN_UP = "Reading this file went wrong again and again. Have it indexed once more, or upload it anew."


# What there is to do, in this order. A worker has places of their own for files, for slow files and for pages: none of these
# waits for the others.
FILES = (states.claim, renewals.claim)
SLOW_FILES = (states.claim_slow,)
PAGES = (recognitions.claim,)
EVERYTHING = (states.claim, states.claim_slow, recognitions.claim, renewals.claim)


class IndexJob:
    """Does what `claims` find. What takes longer to read than `seconds` is left to the one for slow files."""

    name = "index a file"

    def __init__(
        self,
        db: Database,
        indexing: Indexing,
        renewing: Renewing,
        recognising: Recognising,
        claims: Sequence[Claim] = EVERYTHING,
        seconds: float | None = None,
    ) -> None:
        self._db, self._indexing, self._renewing, self._recognising = db, indexing, renewing, recognising
        self._claims, self._seconds = claims, seconds

    async def claim(self, load: Load = NOTHING) -> Task | None:
        async with self._db.unit_of_work(SystemActor.SWEEP) as uow:
            for claim in self._claims:
                if (row := await claim(uow, now(), now() + HELD, load)) is not None:
                    return Task(**dict(row))
        return None

    async def hold(self, task: Task) -> bool:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            return await is_held(uow, task)

    async def work(self, task: Task) -> None:
        """A file whose reading ended in a way nobody has thought of, or with the process, is not begun for ever."""
        if task.is_new and task.tries > MOST_TRIES:
            return await self._failed(task, WorkroomError(GIVEN_UP))
        try:
            if not await self._done(task):
                await self.give_back(task)
        except Gone:
            log.info("a file was gone before it was indexed", extra={"file": str(task.file_id)})
            await self.give_back(task)  # it may be back already, out of the trash
        except (Conflict, DatabaseUnavailable):
            raise
        except WorkroomError as error:
            await (self._failed(task, error) if task.is_new else self._postponed(task, error))

    async def _done(self, task: Task) -> bool:
        """False: something else goes first."""
        if task.is_new:
            return await self._indexing.index(task, self._seconds)
        return await (self._renewing.renew(task) if task.pages is None else self._recognising.recognise(task))

    async def give_back(self, task: Task) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            if task.pages is not None:
                await recognitions.give_back(uow, task.mandate_id, task.file_id, task.claim)
            else:
                await states.give_back(uow, task.mandate_id, task.file_id, task.version, task.claim)
            await uow.ring(LOOKED_JOB)

    async def _failed(self, task: Task, error: WorkroomError) -> None:
        """A provider that is away, a disk that is full, a purse that is empty: later again, and at last said so."""
        log.warning("a file could not be indexed", extra={"file": str(task.file_id), "reason": error.message})
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            if task.tries < MOST_TRIES and not isinstance(error, BudgetExceeded):
                later = now() + LATER * 2 ** (task.tries - 1)
                await states.hold(uow, task.mandate_id, task.file_id, task.version, task.claim, later)
            elif await states.hold(uow, task.mandate_id, task.file_id, task.version, task.claim, now() + HELD):
                await states.fail(uow, task.mandate_id, task.file_id, task.version, error.code, error.message, now())

    async def _postponed(self, task: Task, error: WorkroomError) -> None:
        log.warning("a file must wait", extra={"file": str(task.file_id), "reason": error.message})
        await (self._renewing if task.pages is None else self._recognising).postpone(task, error)
