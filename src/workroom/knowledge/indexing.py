"""Every file that was looked into becomes searchable: read, cut into passages, its words counted, its meaning embedded.

The rows say how far a file has come, so a restart goes on there; what was read is kept by `contents`, so nothing is read
twice. Its first pages are found while the last are still being read, words before the vectors of a slow or distant model are
there. Equal content is copied from the file that has it already.
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
from workroom.contents.content_cache import ContentCache
from workroom.contents.document_locator import DocumentLocator, holds_files, problem_error
from workroom.contents.part_buffer import EACH, kept_bytes
from workroom.contents.recognised import recognised_parts_by_part, unread_in
from workroom.contents.types import ContentKey, KnownContent, StoredDocument
from workroom.core.actors import SystemActor, UserActor
from workroom.core.clock import now
from workroom.core.errors import Conflict, DatabaseUnavailable, StorageFull, WorkroomError
from workroom.core.prefetch import ahead
from workroom.db import Database, UnitOfWork
from workroom.documents import ocr
from workroom.documents.containers.types import UnpackingLimits
from workroom.documents.errors import DocumentError
from workroom.documents.kinds import is_container
from workroom.documents.types import ContentObject
from workroom.files import scans
from workroom.files.errors import TextQuotaExceeded
from workroom.files.scans import SCANNED_JOB
from workroom.files.service import Files
from workroom.files.store import derived
from workroom.knowledge.allowance import Allowance
from workroom.knowledge.chunk_embedding import ChunkEmbedding
from workroom.knowledge.chunking import chunked
from workroom.knowledge.passage_writer import FIRST_STORED, MOST_CHUNKS, STORED_AT_ONCE, PassageWriter
from workroom.knowledge.ports import Embedders, People
from workroom.knowledge.store import passages, recognitions, states, vectors
from workroom.knowledge.tasks import IndexTask, announce, document_of, hold, progress_reporter
from workroom.knowledge.types import Chunk, IndexState
from workroom.models.embeddings.ports import Embedder, EmbedderInfo

log = logging.getLogger(__name__)

MOST_MEMBERS = 2_000  # in all archives of one file together
MOST_TIME = timedelta(minutes=10)  # for what lies in them
MOST_NOTES = 20
VECTOR_BYTES = 2  # of each number in it
MOST_LISTED = UnpackingLimits().files
PARTS_AT_ONCE = 50
AHEAD = 8  # times as many parts are read while passages are stored


class Indexing:
    """One file from beginning to end; `counts` what was really done: read, copied, embedded. `by_itself`: so many pages that are
    pictures are recognised without being asked for."""

    def __init__(
        self,
        db: Database,
        files: Files,
        reader: ContentCache,
        embedders: Embedders,
        people: People,
        by_itself: int = 0,
    ) -> None:
        self._db, self._reader, self._embedders, self._people = db, reader, embedders, people
        self._files, self._by_itself = files, by_itself
        self._locator = DocumentLocator(db, files, reader)
        self.counts: Counter[str] = Counter()
        self._embedding = ChunkEmbedding(db, self.counts)

    async def index(self, task: IndexTask, seconds: float | None = None) -> bool:
        """False: its words are found, and another file's go before its vectors; or reading it takes longer than `seconds`, and
        it is `slow` from now on. Raises IndexTaskGone. A document that cannot be read ends as `failed`, with the reason."""
        embedder = await self._embedder(task)
        if task.state not in (IndexState.EXTRACTED, IndexState.EMBEDDING):
            try:
                if embedder is not None and await self._copied(task, embedder.info):
                    return True
                async with asyncio.timeout(seconds) as limit:
                    await self._extract(task, embedder)
            except TimeoutError:
                if not limit.expired():
                    raise
                return await self._slow_down(task)
            except (DocumentError, TextQuotaExceeded) as error:
                await self._fail(task, error)
                return True
        if embedder is not None and not await self._embedding.embed(task, embedder, lambda: self._may_go_on(task)):
            return False
        await self._finish(task, embedder)
        return True

    async def _may_go_on(self, task: IndexTask) -> bool:
        async with self._db.unit_of_work(SystemActor.SWEEP) as uow:
            return not await states.is_anything_wordless(uow, slow=task.slow)

    async def _slow_down(self, task: IndexTask) -> bool:
        log.info("a file takes long to index", extra={"file": str(task.file_id)})
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await scans.slow_down(uow, task.mandate_id, task.file_id, task.version)
        return False

    async def _copied(self, task: IndexTask, info: EmbedderInfo) -> bool:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            recognised = await content_store.recognised(uow, ContentKey(task.mandate_id, task.hash, task.media_type))
            twin = await states.twin(uow, task.mandate_id, task.file_id, task.hash, task.media_type, info, recognised)
            if twin is None:
                return False
            await hold(uow, task)
            where = (task.mandate_id, task.instance_id, task.file_id, twin)
            if not await passages.copy(uow, *where, info.ref, info.dimensions):
                return False
            await vectors.clear(uow, task.mandate_id, task.file_id)
            await vectors.copy(uow, *where, info.ref, info.dimensions)
            size = await derived.sizes(uow, task.mandate_id, twin)
            await self._files.charge(uow, task.mandate_id, task.owner_id, task.file_id, task.version, *size)
            await self._done(uow, task, info)
        self.counts["copied"] += 1
        return True

    async def _extract(self, task: IndexTask, embedder: Embedder | None) -> None:
        document = await document_of(self._db, self._locator, task)
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            # What comes later is caught up with at the end.
            recognised = await content_store.recognised(uow, document.key)
        unread, notes = await self._pictures(task, document)
        allowed = Allowance(MOST_MEMBERS, now() + MOST_TIME, notes)
        # The language of an archive is not that of the first thing in it.
        first = STORED_AT_ONCE if holds_files(task.media_type) else FIRST_STORED
        writer = PassageWriter(self._db, task, first=first)
        async with aclosing(ahead(self._chunks(task, document, allowed), AHEAD)) as chunk_batches:
            async for chunks in chunk_batches:
                # A quick model embeds while the parser reads on; others must not keep the words waiting.
                if await writer.add(chunks):
                    await self._charge(task, allowed, writer, embedder)
                    if embedder is not None and embedder.info.quick:
                        await self._embedding.embed(task, embedder, quiet=True)
                if writer.is_cut:
                    notes.insert(0, f"Only the first {MOST_CHUNKS:,} passages can be searched.")
                    break
        await writer.finish(notes[:MOST_NOTES], unread, recognised)
        await self._charge(task, allowed, writer, embedder)
        self.counts["read"] += 1

    async def _charge(
        self, task: IndexTask, allowed: Allowance, writer: PassageWriter, embedder: Embedder | None
    ) -> None:
        """What is kept of it counts for its owner. Raises TextQuotaExceeded."""
        each = EACH + VECTOR_BYTES * (embedder.info.dimensions if embedder is not None else 0)
        index = writer.text_bytes + each * writer.stored
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await hold(uow, task)
            await self._files.charge(
                uow, task.mandate_id, task.owner_id, task.file_id, task.version, allowed.text_bytes, index
            )

    async def _pictures(self, task: IndexTask, document: StoredDocument) -> tuple[int, list[str]]:
        """How many pages of it are pictures that are not recognised yet, and why some could not be."""
        content = await self._reader.content(document, task.lane)
        if content.structure is None:
            return 0, []
        kept = await self._reader.pictures(document, content)
        failed = [f"{picture.label}: {picture.problem}"[:500] for picture in kept if picture.problem is not None]
        return len(unread_in(content.structure, kept)), failed

    async def _chunks(
        self, task: IndexTask, document: StoredDocument, allowed: Allowance
    ) -> AsyncGenerator[list[Chunk], None]:
        """Of the file and, for an archive or a mail, of everything in it."""
        content = await self._reader.content(document, task.lane)
        if content.problem is not None:
            raise problem_error(content.problem.code, content.problem.message)
        if not is_container(document.key.media_type):
            async with aclosing(self._document(task, document, content, allowed)) as chunk_batches:
                async for chunks in chunk_batches:
                    yield chunks
        if holds_files(document.key.media_type):
            async with aclosing(self._members(task, document, content, allowed)) as chunk_batches:
                async for chunks in chunk_batches:
                    yield chunks

    async def _document(
        self, task: IndexTask, document: StoredDocument, content: KnownContent, allowed: Allowance
    ) -> AsyncGenerator[list[Chunk], None]:
        assert content.structure is not None
        report_progress = progress_reporter(self._db, task) if document.within is None else None
        recognised = recognised_parts_by_part(content.structure, await self._reader.pictures(document, content))
        waiting = list[str]()
        async with aclosing(self._reader.kept_all(document, content, task.lane, report_progress)) as kept:
            async for parts in kept:
                waiting += [each for part in parts for each in (part, *recognised.get(part, ()))]
                while len(waiting) >= PARTS_AT_ONCE:
                    yield await self._cut(document, content, waiting[:PARTS_AT_ONCE], allowed)
                    del waiting[:PARTS_AT_ONCE]
        if waiting:
            yield await self._cut(document, content, waiting, allowed)

    async def _cut(
        self, document: StoredDocument, content: KnownContent, parts: Sequence[str], allowed: Allowance
    ) -> list[Chunk]:
        objects = await self._reader.objects(document, content, parts)
        allowed.text_bytes += kept_bytes(objects)
        return await asyncio.to_thread(_all_chunks, objects, _kept_inside(document))

    async def _members(
        self, task: IndexTask, document: StoredDocument, content: KnownContent, allowed: Allowance
    ) -> AsyncGenerator[list[Chunk], None]:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            rows = await content_store.members(uow, task.mandate_id, content.id, start=0, limit=MOST_LISTED)
        members = [row["path"] for row in rows if not row["is_folder"]]
        report_progress = progress_reporter(self._db, task)
        for number, path in enumerate(members):
            if not allowed.take():
                return
            await report_progress(number, len(members))
            try:
                member, _ = await self._locator.below(document, path, task.lane)
                async with aclosing(self._chunks(task, member, allowed)) as chunk_batches:
                    async for chunks in chunk_batches:
                        yield chunks
            except (Conflict, DatabaseUnavailable, StorageFull, TextQuotaExceeded):
                raise  # not the member's fault: all of it is tried again
            except WorkroomError as error:  # a member that cannot be read leaves the others
                if len(allowed.notes) < MOST_NOTES:
                    allowed.notes.append(f"{path}: {error.message}"[:500])

    async def _finish(self, task: IndexTask, embedder: Embedder | None) -> None:
        """Without an embedder its words are searched, and nothing else."""
        info = embedder.info if embedder is not None else None
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await hold(uow, task)
            await vectors.clear(uow, task.mandate_id, task.file_id, but=info)
            await self._done(uow, task, info)

    async def _done(self, uow: UnitOfWork, task: IndexTask, info: EmbedderInfo | None) -> None:
        """What was recognised since it was begun is caught up with. And if a few of its pages are pictures, their text is
        recognised after that."""
        await states.finish(uow, task.mandate_id, task.file_id, task.version, info, now())
        if await recognitions.catch_up(uow, task.mandate_id, task.file_id):
            await uow.wake(SCANNED_JOB)
        elif self._by_itself and ocr.is_available():
            await recognitions.begin(uow, task.mandate_id, task.file_id, self._by_itself)
        await announce(uow, task)

    async def _fail(self, task: IndexTask, error: WorkroomError) -> None:
        async with self._db.unit_of_work(UserActor(task.mandate_id)) as uow:
            await hold(uow, task)
            await vectors.clear(uow, task.mandate_id, task.file_id)
            await passages.clear(uow, task.mandate_id, task.file_id)
            await derived.put(uow, task.mandate_id, task.file_id, task.version, 0, 0)
            await states.fail(uow, task.mandate_id, task.file_id, task.version, error.code, error.message, now())
            await announce(uow, task)

    async def _embedder(self, task: IndexTask) -> Embedder | None:
        """Of the file's owner, who pays for it; none for a person who is not here any more."""
        owner = await self._people.as_user(task.mandate_id, task.owner_id)
        return None if owner is None else await self._embedders.embedder(owner, task.instance_id)


def _kept_inside(document: StoredDocument) -> str:
    """Nothing in it depends on the name of the file: equal content is copied to others."""
    return compressed.kept(document.file.name, document.file.media_type, document.inside)


def _all_chunks(objects: list[ContentObject], inside: str) -> list[Chunk]:
    return list(chunked(objects, inside))
