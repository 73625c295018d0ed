"""Pages that are pictures are recognised one after the other, while their file stays in the index as it is; at the end its
passages are cut anew, from what is kept.

Every page is kept as soon as it is done: whatever comes between, pages of another person, a process that dies, a request to stop,
no page is done twice. What cannot be recognised is noted, and the next page is tried.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from uuid import UUID

from workroom.contents.content_cache import ContentCache
from workroom.contents.document_locator import DocumentLocator
from workroom.contents.recognised import PictureLocation, unread_in
from workroom.contents.types import KnownContent, StoredDocument
from workroom.core.actors import SystemActor, UserActor
from workroom.core.clock import now
from workroom.core.errors import WorkroomError
from workroom.db import Database
from workroom.documents.errors import OcrUnavailable
from workroom.files.scans import SCANNED_JOB
from workroom.files.service import Files
from workroom.knowledge.store import leases, recognitions
from workroom.knowledge.tasks import IndexTask, IndexTaskGone, announce, document_of, hold

log = logging.getLogger(__name__)

# Some seconds of one core for each page: a letter or a contract is read within a minute or so of being stored, and a folder full
# of scanned books does not keep the machine busy for days unasked.
BY_ITSELF = 20
MOST_PAGES = 500  # of one request
MOST_TRIES = 5
LATER = timedelta(minutes=1)  # doubled with every try
GIVEN_UP = (
    "Recognising the text of its pages went wrong again and again. Ask for it once more, or upload the file anew."
)


class Recognition:
    def __init__(self, db: Database, files: Files, reader: ContentCache) -> None:
        self._db, self._reader = db, reader
        self._locator = DocumentLocator(db, files, reader)
        self._caught_up = RecognitionBacklog(db)

    async def recognise(self, task: IndexTask) -> bool:
        """False: another person's pages go first, the rest comes later. Raises IndexTaskGone, and what is no fault of a page."""
        if task.tries > MOST_TRIES:
            log.warning("recognising was given up", extra={"file": str(task.file_id)})
            await self._end(task, WorkroomError(GIVEN_UP))
            return True
        document = await document_of(self._db, self._locator, task)
        content = await self._reader.content(document, task.lane)
        try:
            for number, spot in enumerate(await self._left(task, document, content)):
                if number and await self._does_anybody_else_wait(task):
                    return False
                await self._reader.recognise(document, content, spot, task.lane)
                await self._advance(task)
        except IndexTaskGone:  # called off, perhaps, and this page was kept after the rest was cut into passages
            await self._caught_up.heard(task.mandate_id, task.file_id)
            raise
        except OcrUnavailable as missing:
            log.warning("text cannot be recognised here", extra={"file": str(task.file_id)})
            await self._end(task, missing)
            return True
        await self._end(task)
        return True

    async def postpone(self, task: IndexTask, error: WorkroomError) -> None:
        """The disk is full, or something else is wrong that may be mended: it is tried again, and at last said so."""
        if task.tries >= MOST_TRIES:
            with suppress(IndexTaskGone):
                await self._end(task, error)
            return
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            later = LATER * 2**task.tries
            await leases.postpone(uow, task.mandate_id, task.file_id, task.epoch, later.total_seconds())

    async def _left(
        self, task: IndexTask, document: StoredDocument, content: KnownContent
    ) -> Sequence[PictureLocation]:
        if content.structure is None:
            return []
        return unread_in(content.structure, await self._reader.pictures(document, content))[: task.pages]

    async def _advance(self, task: IndexTask) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await hold(uow, task)
            await recognitions.advance(uow, task.mandate_id, task.file_id, now())
            await announce(uow, task)

    async def _end(self, task: IndexTask, error: WorkroomError | None = None) -> None:
        said = (error.code, error.message) if error is not None else (None, None)
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await hold(uow, task)
            await recognitions.end(uow, task.mandate_id, task.file_id, now(), *said)
            await announce(uow, task)
            await uow.wake(SCANNED_JOB)

    async def _does_anybody_else_wait(self, task: IndexTask) -> bool:
        async with self._db.unit_of_work(SystemActor.SWEEP) as uow:
            return await recognitions.does_anybody_else_wait(uow, task.mandate_id, task.owner_id)


class RecognitionBacklog:
    """Hears of files in which text was recognised for a person who looked at a page: from then on that is found, in all files of
    equal content."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def heard(self, mandate_id: UUID, file_id: UUID) -> None:
        async with self._db.unit_of_work(UserActor(mandate_id)) as uow:
            files = await recognitions.twins(uow, mandate_id, file_id)
        for each in files:
            async with self._db.unit_of_work(UserActor(mandate_id)) as uow:
                if await recognitions.catch_up(uow, mandate_id, each):
                    await uow.wake(SCANNED_JOB)
