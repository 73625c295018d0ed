"""Every file that was looked into becomes searchable: read, cut into passages, its words counted, its meaning embedded.

The rows say how far a file has come, so a restart goes on there; what was read is kept by `contents`, so nothing is read
twice. Its first pages are found while the last are still being read, words before the vectors of a distant model are there.
Equal content is copied from the file that has it already.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from datetime import timedelta

from workroom.contents import compressed
from workroom.contents import store as content_store
from workroom.contents.places import Places, holds_files, problem_error
from workroom.contents.reading import ContentReader
from workroom.contents.types import KnownContent, Place
from workroom.core.actors import UserActor
from workroom.core.ahead import ahead
from workroom.core.clock import now
from workroom.core.errors import Conflict, DatabaseUnavailable, StorageFull, WorkroomError
from workroom.db import Database
from workroom.documents.containers.types import Limits
from workroom.documents.errors import DocumentError
from workroom.documents.kinds import is_container
from workroom.documents.types import ContentObject
from workroom.files import looks
from workroom.files.ports import Blob
from workroom.files.service import Content, Files
from workroom.knowledge.allowance import Allowance
from workroom.knowledge.chunking import chunked
from workroom.knowledge.embedding import ChunkEmbedding
from workroom.knowledge.filling import FIRST_STORED, MOST_CHUNKS, STORED_AT_ONCE, Filling
from workroom.knowledge.ports import Embedders, People
from workroom.knowledge.store import passages, states, vectors
from workroom.knowledge.tasks import Gone, Task, announce, hold, telling
from workroom.knowledge.types import Chunk, IndexState
from workroom.models.embeddings.ports import Embedder, EmbedderInfo

log = logging.getLogger(__name__)

MOST_MEMBERS = 2_000  # in all archives of one file together
MOST_TIME = timedelta(minutes=10)  # for what lies in them
MOST_NOTES = 20
MOST_LISTED = Limits().files
PARTS_AT_ONCE = 50
AHEAD = 8  # times as many parts are read while passages are stored


class Indexing:
    """One file from beginning to end; `counts` what was really done: read, copied, embedded."""

    def __init__(self, db: Database, files: Files, reader: ContentReader, embedders: Embedders, people: People) -> None:
        self._db, self._reader, self._embedders, self._people = db, reader, embedders, people
        self._places = Places(db, files, reader)
        self.counts: Counter[str] = Counter()
        self._embedding = ChunkEmbedding(db, self.counts)

    async def index(self, task: Task) -> None:
        """Raises Gone. A document that cannot be read ends as `failed`, with the reason."""
        embedder = await self._embedder(task)
        if task.state not in (IndexState.EXTRACTED, IndexState.EMBEDDING):
            if embedder is not None and await self._copied(task, embedder.info):
                return
            try:
                await self._extract(task, embedder)
            except DocumentError as error:
                await self._fail(task, error)
                return
        if embedder is not None:
            await self._embedding.embed(task, embedder)
        await self._finish(task, embedder)

    async def _copied(self, task: Task, info: EmbedderInfo) -> bool:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            twin = await states.twin(uow, task.mandate_id, task.file_id, task.hash, task.media_type, info)
            if twin is None:
                return False
            await hold(uow, task)
            where = (task.mandate_id, task.instance_id, task.file_id, twin)
            if not await passages.copy(uow, *where, info.ref, info.dimensions):
                return False
            await vectors.clear(uow, task.mandate_id, task.file_id)
            await vectors.copy(uow, *where, info.ref, info.dimensions)
            await states.finish(uow, task.mandate_id, task.file_id, task.version, info, now())
            await announce(uow, task)
        self.counts["copied"] += 1
        return True

    async def _extract(self, task: Task, embedder: Embedder | None) -> None:
        place = await self._place(task)
        notes = list[str]()
        allowed = Allowance(MOST_MEMBERS, now() + MOST_TIME, notes)
        # The language of an archive is not that of the first thing in it.
        first = STORED_AT_ONCE if holds_files(task.media_type) else FIRST_STORED
        filling = Filling(self._db, task, first=first)
        async with aclosing(ahead(self._chunks(task, place, allowed), AHEAD)) as found:
            async for some in found:
                # A model in this process embeds while the parser reads on; others must not keep the words waiting.
                if await filling.add(some) and embedder is not None and embedder.info.embedded:
                    await self._embedding.embed(task, embedder, quiet=True)
                if filling.is_cut:
                    notes.insert(0, f"Only the first {MOST_CHUNKS:,} passages can be searched.")
                    break
        await filling.finish(notes[:MOST_NOTES])
        self.counts["read"] += 1

    async def _chunks(self, task: Task, place: Place, allowed: Allowance) -> AsyncGenerator[list[Chunk], None]:
        """Of the file and, for an archive or a mail, of everything in it."""
        content = await self._reader.content(place, task.lane)
        if content.problem is not None:
            raise problem_error(content.problem.code, content.problem.message)
        if not is_container(place.key.media_type):
            async with aclosing(self._document(task, place, content)) as found:
                async for some in found:
                    yield some
        if holds_files(place.key.media_type):
            async with aclosing(self._members(task, place, content, allowed)) as found:
                async for some in found:
                    yield some

    async def _document(self, task: Task, place: Place, content: KnownContent) -> AsyncGenerator[list[Chunk], None]:
        told = telling(self._db, task) if place.within is None else None
        waiting = list[str]()
        async with aclosing(self._reader.kept_all(place, content, task.lane, told)) as kept:
            async for parts in kept:
                waiting += parts
                while len(waiting) >= PARTS_AT_ONCE:
                    yield await self._cut(place, content, waiting[:PARTS_AT_ONCE])
                    del waiting[:PARTS_AT_ONCE]
        if waiting:
            yield await self._cut(place, content, waiting)

    async def _cut(self, place: Place, content: KnownContent, parts: Sequence[str]) -> list[Chunk]:
        objects = await self._reader.objects(place, content, parts)
        return await asyncio.to_thread(_all_chunks, objects, _kept_inside(place))

    async def _members(
        self, task: Task, place: Place, content: KnownContent, allowed: Allowance
    ) -> AsyncGenerator[list[Chunk], None]:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            rows = await content_store.members(uow, task.mandate_id, content.id, start=0, limit=MOST_LISTED)
        members = [row["path"] for row in rows if not row["is_folder"]]
        told = telling(self._db, task)
        for number, path in enumerate(members):
            if not allowed.take():
                return
            await told(number, len(members))
            try:
                member, _ = await self._places.below(place, path, task.lane)
                async with aclosing(self._chunks(task, member, allowed)) as found:
                    async for some in found:
                        yield some
            except (Conflict, DatabaseUnavailable, StorageFull):
                raise  # not the member's fault: all of it is tried again
            except WorkroomError as error:  # a member that cannot be read leaves the others
                if len(allowed.notes) < MOST_NOTES:
                    allowed.notes.append(f"{path}: {error.message}"[:500])

    async def _finish(self, task: Task, embedder: Embedder | None) -> None:
        """Without an embedder its words are searched, and nothing else."""
        info = embedder.info if embedder is not None else None
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await hold(uow, task)
            await vectors.clear(uow, task.mandate_id, task.file_id, but=info)
            await states.finish(uow, task.mandate_id, task.file_id, task.version, info, now())
            await announce(uow, task)

    async def _fail(self, task: Task, error: WorkroomError) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await hold(uow, task)
            await vectors.clear(uow, task.mandate_id, task.file_id)
            await passages.clear(uow, task.mandate_id, task.file_id)
            await states.fail(uow, task.mandate_id, task.file_id, task.version, error.code, error.message, now())
            await announce(uow, task)

    async def _embedder(self, task: Task) -> Embedder | None:
        """Of the file's owner, who pays for it; none for somebody who is not here any more."""
        owner = await self._people.as_user(task.mandate_id, task.owner_id)
        return None if owner is None else await self._embedders.embedder(owner, task.instance_id)

    async def _place(self, task: Task) -> Place:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            found = await looks.read(uow, task.look)
        if found is None:
            raise Gone
        file, version = found
        return await self._places.of(
            Content(file, version, Blob(task.mandate_id, version.hash, version.size)), task.lane
        )


def _kept_inside(place: Place) -> str:
    """Nothing in it is what somebody calls their file: equal content is copied to others."""
    return compressed.kept(place.file.name, place.file.media_type, place.inside)


def _all_chunks(objects: list[ContentObject], inside: str) -> list[Chunk]:
    return list(chunked(objects, inside))
