"""A file somebody is at: theirs while they hold it, and open pages see how far they are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from workroom.contents.reading import Told
from workroom.core.actors import UserActor
from workroom.core.clock import now
from workroom.db import Database, UnitOfWork
from workroom.files import looks
from workroom.files.looks import Look
from workroom.knowledge.store import states
from workroom.knowledge.types import IndexState

HELD = timedelta(minutes=1)
TOLD_EVERY = timedelta(seconds=1)


@dataclass(frozen=True)
class Task:
    """A file to be indexed, held by us. `tries` counts this one, `claim` is ours alone. `wanted`: it is in the index, and only
    gets the vectors of another model."""

    mandate_id: UUID
    file_id: UUID
    instance_id: UUID
    owner_id: UUID
    version: int
    hash: str
    media_type: str
    state: str
    tries: int
    claim: int
    wanted: str | None = None

    @property
    def look(self) -> Look:
        return Look(self.mandate_id, self.file_id, self.version, self.owner_id, self.tries, self.claim)

    @property
    def lane(self) -> str:
        return f"index {self.mandate_id}"


class Gone(Exception):
    """The file was deleted, or has a newer version, or other vectors are wanted by now."""


async def hold(uow: UnitOfWork, task: Task) -> None:
    """Nothing is written for a file that is gone, or was replaced meanwhile, or is somebody else's to index by now."""
    if not await states.hold(uow, task.mandate_id, task.file_id, task.version, task.claim, now() + HELD):
        raise Gone


async def announce(uow: UnitOfWork, task: Task) -> None:
    found = await looks.read(uow, task.look)
    if found is not None:
        await looks.announce(uow, task.mandate_id, found[0])


def telling(db: Database, task: Task, state: IndexState = IndexState.PENDING) -> Told:
    """Open pages see how far it is, at most once a second."""
    last = now()

    async def told(done: int, total: int) -> None:
        nonlocal last
        if now() - last < TOLD_EVERY:
            return
        last = now()
        async with db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await hold(uow, task)
            await states.progress(uow, task.mandate_id, task.file_id, state, done, total, now())
            await announce(uow, task)

    return told
