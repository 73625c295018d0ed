"""Knowledge as people and tools use it: search, and what became of a file."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.core.clock import now
from workroom.core.errors import Conflict
from workroom.core.money import ZERO
from workroom.db import Database
from workroom.documents import ocr
from workroom.files.access import reach
from workroom.files.scans import SCANNED_JOB
from workroom.files.service import Files
from workroom.files.types import File, FileStatus
from workroom.identity.instances import require_instance
from workroom.identity.types import Action, Principal
from workroom.knowledge import chunks
from workroom.knowledge.ports import Embedders, Rerankers
from workroom.knowledge.recognition import MOST_PAGES
from workroom.knowledge.search import Search
from workroom.knowledge.store import recognitions, states
from workroom.knowledge.types import ContentChunk, IndexState, IndexStatus, Passage, Query


class Knowledge:
    def __init__(self, db: Database, files: Files, embedders: Embedders, rerankers: Rerankers | None = None) -> None:
        self._db, self._files = db, files
        self._search = Search(db, embedders, rerankers)

    async def search(self, principal: Principal, query: Query) -> list[Passage]:
        return await self._search.find(principal, query)

    async def named(self, principal: Principal, instance_id: UUID, names: Sequence[str], most: int) -> list[UUID]:
        return await self._search.named(principal, instance_id, names, most)

    async def status(self, principal: Principal, file_id: UUID) -> IndexStatus:
        file = await self._files.get(principal, file_id)
        async with self._db.unit_of_work(principal.actor) as uow:
            found = await states.of_files(uow, principal.mandate_id, [file_id])
        return _here(found[0] if found else _waiting(file))

    async def statuses(self, principal: Principal, instance_id: UUID, file_ids: Sequence[UUID]) -> list[IndexStatus]:
        """Of files that can be read from this workspace; others are left out."""
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            seen = reach(principal, Action.READ, instance_id)
            return [_here(one) for one in await states.readable(uow, principal.mandate_id, instance_id, seen, file_ids)]

    async def chunks(
        self, principal: Principal, file_id: UUID, start: int, most: int
    ) -> tuple[Sequence[ContentChunk], int | None]:
        """What the index has of a file, from number `start` on; and where to go on."""
        return await chunks.of_file(self._db, principal, file_id, start, most)

    async def again(self, principal: Principal, file_id: UUID) -> IndexStatus:
        """Index it once more, after what kept it from that is mended."""
        await self._files.get(principal, file_id, Action.UPDATE)
        async with self._db.unit_of_work(principal.actor) as uow:
            if not await states.again(uow, principal.mandate_id, file_id):
                raise Conflict("This file is being indexed already. Wait until that is done; its state says when.")
            await uow.wake(SCANNED_JOB)
        return await self.status(principal, file_id)

    async def recognise(self, principal: Principal, file_id: UUID) -> IndexStatus:
        """Recognise the text of its pages that are pictures: in the background, the first 500 of them."""
        file = await self._files.get(principal, file_id, Action.UPDATE)
        status = await self.status(principal, file_id)
        if file.status is FileStatus.ARCHIVED:
            raise Conflict("This file is archived: nothing in it is searched. Take it out of the archive first.")
        if status.version < file.version:
            raise Conflict("A newer version of this file is yet to be read. Ask again when its state says that it was.")
        if status.state is IndexState.FAILED:
            raise Conflict("This file could not be indexed; its state says why. Have it indexed once more first.")
        if not status.unread:
            raise Conflict("There is no page left in this file whose text could be recognised, as far as it is read.")
        ocr.require()
        async with self._db.unit_of_work(principal.actor) as uow:
            await recognitions.ask(uow, principal.mandate_id, file_id, MOST_PAGES)
            await uow.wake(SCANNED_JOB)
        return await self.status(principal, file_id)

    async def call_off(self, principal: Principal, file_id: UUID) -> IndexStatus:
        """No more pages are recognised; what was, is found. Nothing happens if none are."""
        await self._files.get(principal, file_id, Action.UPDATE)
        async with self._db.unit_of_work(principal.actor) as uow:
            if await recognitions.end(uow, principal.mandate_id, file_id, now()):
                await uow.wake(SCANNED_JOB)
        return await self.status(principal, file_id)


def _here(status: IndexStatus) -> IndexStatus:
    return status.model_copy(update={"recognisable": ocr.is_available()})


def _waiting(file: File) -> IndexStatus:
    return IndexStatus(
        file_id=file.id,
        version=file.version,
        state=IndexState.PENDING,
        done=0,
        total=0,
        chunks=0,
        language="simple",
        embedder=None,
        notes=[],
        problem_code=None,
        problem=None,
        wanted=None,
        cost_chf=ZERO,
        cost_assumed=False,
        updated_at=file.updated_at,
        unread=0,
        pages_wanted=0,
        pages_done=0,
    )
