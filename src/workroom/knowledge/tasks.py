"""A file that this worker has leased for indexing, and how open pages are told how far it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from workroom.contents.content_cache import Progress
from workroom.contents.document_locator import DocumentLocator
from workroom.contents.types import StoredDocument
from workroom.core.actors import UserActor
from workroom.core.clock import now
from workroom.db import Database, UnitOfWork
from workroom.files import scans
from workroom.files.ports import Blob
from workroom.files.scans import Scan
from workroom.files.service import Content
from workroom.knowledge.store import recognitions, states
from workroom.knowledge.types import IndexState

TOLD_EVERY = timedelta(seconds=1)


@dataclass(frozen=True)
class IndexTask:
    """A file to be indexed. `tries` counts this one; `epoch` is the fencing number of the lease. `wanted`: it is in the
    index, and only gets the vectors of another model. `pages`: it is in the index, and the text of so many of its pages is still
    to be recognised; with 0 only the end of that is left to do. `slow`: it is read at low priority."""

    mandate_id: UUID
    file_id: UUID
    instance_id: UUID
    owner_id: UUID
    version: int
    hash: str
    media_type: str
    state: str
    tries: int
    epoch: int
    wanted: str | None = None
    pages: int | None = None
    slow: bool = False

    @property
    def scan(self) -> Scan:
        return Scan(self.mandate_id, self.file_id, self.version, self.owner_id, self.tries, self.epoch)

    @property
    def is_new(self) -> bool:
        """It is not searched yet, or begun anew."""
        return self.wanted is None and self.pages is None

    @property
    def lane(self) -> str:
        return f"index {self.mandate_id}:{self.owner_id}"


class IndexTaskGone(Exception):
    """The file was deleted, or has a newer version, or other vectors are wanted by now."""


async def hold(uow: UnitOfWork, task: IndexTask) -> None:
    """Before every write: raises IndexTaskGone if the file is gone, was replaced, or was claimed by another worker."""
    if not await is_held(uow, task):
        raise IndexTaskGone


async def is_held(uow: UnitOfWork, task: IndexTask) -> bool:
    """Whether it is still ours, until the transaction ends."""
    holding = states.hold if task.pages is None else recognitions.hold
    return await holding(uow, task.mandate_id, task.file_id, task.version, task.epoch)


async def document_of(db: Database, locator: DocumentLocator, task: IndexTask) -> StoredDocument:
    """Raises IndexTaskGone."""
    async with db.unit_of_work(UserActor(task.mandate_id)) as uow:
        found = await scans.read(uow, task.scan)
    if found is None:
        raise IndexTaskGone
    file, version = found
    return await locator.of(Content(file, version, Blob(task.mandate_id, version.hash, version.size)), task.lane)


async def announce(uow: UnitOfWork, task: IndexTask) -> None:
    found = await scans.read(uow, task.scan)
    if found is not None:
        await scans.announce(uow, task.mandate_id, found[0])


def progress_reporter(db: Database, task: IndexTask, state: IndexState = IndexState.PENDING) -> Progress:
    """A callback that publishes how far the indexing is to open pages, at most once a second."""
    last = now()

    async def report_progress(done: int, total: int) -> None:
        nonlocal last
        if now() - last < TOLD_EVERY:
            return
        last = now()
        async with db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await hold(uow, task)
            await states.progress(uow, task.mandate_id, task.file_id, state, done, total, now())
            await announce(uow, task)

    return report_progress
