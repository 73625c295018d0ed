"""Which files have vectors of another model than the one that counts now for their owner, and shall get new ones.

Looked at when something about the models changes, and now and then, since what counts for a person changes with their roles
as well: once per owner and workspace, never per file.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from workroom.core.actors import SystemActor, UserActor
from workroom.core.clock import now
from workroom.core.errors import Conflict, DatabaseUnavailable, WorkroomError
from workroom.db import Database, UnitOfWork
from workroom.files import scans
from workroom.files.scans import SCANNED_JOB, Scan
from workroom.knowledge.ports import Embedders, People
from workroom.knowledge.store import renewals, vectors
from workroom.knowledge.store.renewals import RenewalGroup, Vectors

log = logging.getLogger(__name__)


class OutdatedVectors:
    def __init__(self, db: Database, embedders: Embedders, people: People) -> None:
        self._db, self._embedders, self._people = db, embedders, people
        self._changed: set[UUID] = set()
        self._something, self._stop = asyncio.Event(), False

    def wake(self, mandate_id: str) -> None:
        """Something about the models of this mandate has changed. '' when that may have been missed: the worker looks at all
        mandates now and then."""
        if mandate_id:
            self._changed.add(UUID(mandate_id))
            self._something.set()

    async def run(self) -> None:
        """Until `stop`: notices what has changed where it was woken for."""
        while not self._stop:
            await self._something.wait()
            self._something.clear()
            while self._changed and not self._stop:
                try:
                    await self.notice(self._changed.pop())
                except (Conflict, DatabaseUnavailable) as error:
                    log.warning("models that changed are noticed later", extra={"reason": error.message})
                except Exception:
                    log.exception("models that changed could not be noticed")

    def stop(self) -> None:
        self._stop = True
        self._something.set()

    async def notice(self, mandate_id: UUID | None = None) -> int:
        """Of one mandate, or of all: marks what shall get new vectors, and leaves alone what has the right ones by now."""
        async with self._db.unit_of_work(SystemActor.SWEEP) as uow:
            found = await renewals.groups(uow, mandate_id)
        marked = 0
        for group, had in found.items():
            try:
                marked += await self._look_at(group, had)
            except WorkroomError as error:  # one person's trouble leaves the others'
                log.warning("it is not known whose vectors count", extra={"reason": error.message})
        if marked:
            log.info("files get vectors of another model", extra={"files": marked})
        return marked

    async def _look_at(self, group: RenewalGroup, had: set[Vectors]) -> int:
        owner = await self._people.as_user(group.mandate_id, group.owner_id)
        if owner is None:
            return 0  # no one pays for others; what they have is searched
        info = (await self._embedders.embedder(owner, group.instance_id)).info
        if all(vectors.are_of(info) and vectors.wanted is None for vectors in had):
            return 0
        async with self._db.unit_of_work(UserActor(group.mandate_id)) as uow:
            await keep_old(uow, group.mandate_id, await renewals.unwanted(uow, group, info))
            marked = await renewals.mark(uow, group, info)
            if marked:
                await uow.wake(SCANNED_JOB)
        return marked


async def keep_old(uow: UnitOfWork, mandate_id: UUID, file_ids: Sequence[UUID]) -> None:
    """These stay with the vectors they have; what was made of others is thrown away."""
    if not file_ids:
        return
    kept: defaultdict[tuple[str, int], list[UUID]] = defaultdict(list)
    for row in await renewals.drop(uow, mandate_id, file_ids, now()):
        kept[row["embedder"] or "", row["dimensions"] or 0].append(row["file_id"])
        if row["state"] == "embedding":  # open pages show how far it is
            file = await scans.read(
                uow, Scan(mandate_id, row["file_id"], row["version"], row["owner_id"], row["tries"], row["lease_epoch"])
            )
            if file is not None:
                await scans.announce(uow, mandate_id, file[0])
    for model, files in kept.items():
        await vectors.clear_all(uow, mandate_id, files, model)
