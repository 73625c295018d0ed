"""Extracts the structure and the parts of documents on first use and keeps them in the database, by content.

Concurrent requests for the same part share one extraction. Rights are not checked here: a StoredDocument is only handed out
after that (`document_locator.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from datetime import timedelta
from pathlib import Path
from uuid import UUID
from weakref import WeakValueDictionary

from workroom.contents import compressed, store
from workroom.contents.part_buffer import EACH, PartBuffer, kept_bytes, room_for
from workroom.contents.parts import REST, WHOLE, extraction_scope, part_finder, units
from workroom.contents.recognised import (
    KeptPicture,
    PictureLocation,
    object_of,
    picture_location,
    recognised_parts_by_part,
)
from workroom.contents.scratch import Scratch
from workroom.contents.types import ContentKey, KeptPart, KnownContent, Problem, StoredDocument
from workroom.core.actors import UserActor
from workroom.core.clock import now
from workroom.core.errors import InvalidInput, NotFound
from workroom.core.ids import new_id
from workroom.db import Database
from workroom.documents.containers.types import ContainerMember
from workroom.documents.errors import DocumentError, DocumentTooLarge, OcrUnavailable
from workroom.documents.kinds import is_container, is_mail
from workroom.documents.types import ContentObject, SourceFile, Structure
from workroom.documents.workers.parsers import Parsers
from workroom.files.errors import TextQuotaExceeded
from workroom.files.service import Files
from workroom.files.store import derived

READER = 2  # raised when extractors find something else in the same bytes: what is kept is then read anew
Progress = Callable[[int, int], Awaitable[None]]  # parts done, and how many there are
PAGES_AT_ONCE = 20
STORED_AT_ONCE = 10  # parts of a whole document: a transaction for each page took as long as reading it
TRIED_AGAIN = timedelta(minutes=15)
OF_A_PICTURE = (DocumentError, InvalidInput, NotFound)  # the picture's own fault, not the server's


class ContentCache:
    """What was extracted of stored documents; what is missing is extracted now. `counts`: how often that happened, for scans,
    parts and members."""

    def __init__(self, db: Database, files: Files, parsers: Parsers, scratch: Scratch) -> None:
        self._db, self._files, self.parsers, self._scratch = db, files, parsers, scratch
        self._turns: WeakValueDictionary[tuple[object, ...], asyncio.Lock] = WeakValueDictionary()
        self.counts: Counter[str] = Counter()

    @contextlib.asynccontextmanager
    async def opened(self, document: StoredDocument, lane: str) -> AsyncIterator[SourceFile]:
        """Its bytes as a local file, inside the block."""
        async with contextlib.AsyncExitStack() as stack:
            if document.within is None:
                path = await stack.enter_async_context(self._files.local(document.stored))
            else:
                path = await stack.enter_async_context(self.member_file(document.within, document.kept, lane))
            name = compressed.NAMELESS if compressed.is_compressed(document.key.media_type) else document.name
            yield SourceFile(path, name, document.key.media_type, document.container_path)

    @contextlib.asynccontextmanager
    async def member_file(self, container: StoredDocument, path: str, lane: str) -> AsyncIterator[Path]:
        """A member of a container, unpacked; by the path that the index knows."""

        async def take(into: Path) -> Path:
            self.counts["members"] += 1
            async with self.opened(container, lane) as source:
                return await self.parsers.take(source, path, into, lane=lane)

        name = (str(container.key.mandate_id), container.key.hash, path)
        async with self._scratch.held(name, take) as found:
            yield found

    async def content(self, document: StoredDocument, lane: str) -> KnownContent:
        """What a scan of it found, now or earlier. What is wrong with it is part of the answer."""
        if known := await self._known(document.key):
            return known
        async with self._turn("scan", document.key):
            if known := await self._known(document.key):
                return known
            self.counts["scans"] += 1
            content, members = await self._scan(document, lane)
            async with self._db.unit_of_work(UserActor(document.key.mandate_id)) as uow:
                if await store.insert(uow, content, READER):
                    await store.add_members(uow, document.key.mandate_id, content.id, members)
                    return content
            known = await self._known(document.key)
            return known or content

    async def keep(
        self, document: StoredDocument, content: KnownContent, parts: Sequence[str], lane: str
    ) -> dict[str, KeptPart]:
        """All these parts are kept afterwards; what is not yet is read now. Raises DocumentError."""
        assert content.structure is not None
        kept = await self._kept(content, parts)
        if all(part in kept for part in parts):
            return kept
        if REST in parts:  # only found by reading everything
            await self.keep_all(document, content, lane)
            return await self._kept(content, parts)
        async with self._turn(f"read {parts[0]} {parts[-1]}", content.id):
            kept |= await self._kept(content, parts)
            missing = [part for part in parts if part not in kept]
            for start in range(0, len(missing), PAGES_AT_ONCE):
                async for _ in self._read(document, content, missing[start : start + PAGES_AT_ONCE], lane):
                    pass
            return kept | await self._kept(content, missing)

    async def keep_all(self, document: StoredDocument, content: KnownContent, lane: str) -> None:
        """As `kept_all`, for callers who do not need the parts."""
        async for _ in self.kept_all(document, content, lane):
            pass

    async def kept_all(
        self, document: StoredDocument, content: KnownContent, lane: str, on_progress: Progress | None = None
    ) -> AsyncGenerator[Sequence[str], None]:
        """The whole document in one pass, with what belongs to no page, sheet or slide: the parts there are, some as soon as
        they are kept. A request for one page meanwhile does not wait for that. Callers that may stop early use `aclosing`."""
        assert content.structure is not None
        every = [*units(content.structure), REST]
        async with self._turn("all", content.id):
            if REST in await self._kept(content, every):
                yield every
                return
            async with aclosing(self._read(document, content, every, lane, on_progress)) as reading:
                async for parts in reading:
                    yield parts

    async def objects(
        self, document: StoredDocument, content: KnownContent, parts: Sequence[str]
    ) -> list[ContentObject]:
        """What is kept of these parts, in their order."""
        async with self._db.unit_of_work(UserActor(document.key.mandate_id)) as uow:
            found = await store.objects(uow, document.key.mandate_id, content.id, parts, document.container_path)
        return [object for _, object in found]

    async def recognised(
        self, document: StoredDocument, content: KnownContent, page: int | None, location: str | None, lane: str
    ) -> tuple[str, bool]:
        """The text in a picture, of a page, from 0, or of what lies at that location; and whether it was recognised only now.
        What could not be before is tried again."""
        assert content.structure is not None
        spot = picture_location(content.structure, page, location)
        async with self._turn(spot.part, content.id):
            kept = await self._picture(document, content, spot)
            if kept is not None and kept.problem is None:
                return kept.object.text, False
            text = await self._ocr(document, spot, lane)
            await self._keep_picture(content, spot, object_of(spot, document.container_path, text))
        return text, True

    async def recognise(
        self, document: StoredDocument, content: KnownContent, spot: PictureLocation, lane: str
    ) -> None:
        """Recognises the text of one picture, once: if that fails, the reason is kept and it is not tried again. Raises what is
        no fault of the picture: OcrUnavailable, a disk that is full."""
        async with self._turn(spot.part, content.id):
            if await self._picture(document, content, spot) is not None:
                return
            text, problem = "", None
            try:
                text = await self._ocr(document, spot, lane)
            except OcrUnavailable:
                raise
            except OF_A_PICTURE as error:
                problem = _nameless(error.message, document.name)
            await self._keep_picture(content, spot, object_of(spot, document.container_path, text, problem))

    async def pictures(self, document: StoredDocument, content: KnownContent) -> list[KeptPicture]:
        """Those whose text was recognised, or could not be."""
        async with self._db.unit_of_work(UserActor(document.key.mandate_id)) as uow:
            found = await store.pictures(uow, document.key.mandate_id, content.id, document.container_path)
        return [KeptPicture(part, object) for part, object in found]

    async def recognised_on(
        self, document: StoredDocument, content: KnownContent, page: int | None
    ) -> Sequence[ContentObject]:
        """What was recognised on pages that have no text of their own, or on one of them, from 0."""
        assert content.structure is not None
        kept = await self.pictures(document, content)
        here = {part for parts in recognised_parts_by_part(content.structure, kept).values() for part in parts}
        parts = [one.part for one in kept if one.part in here and page in (None, one.object.ref.page_index)]
        return await self.objects(document, content, parts) if parts else []

    async def said_in(self, document: StoredDocument, content: KnownContent, page: int) -> str | None:
        """The text recognised earlier on a page, counted from 0; None if there is none. Recognises nothing now."""
        kept = await self._picture(document, content, PictureLocation(page=page))
        return None if kept is None or kept.problem is not None else kept.object.text

    async def digest(self, path: Path) -> tuple[str, int]:
        def read() -> tuple[str, int]:
            with path.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest(), file.tell()

        return await asyncio.to_thread(read)

    async def _scan(self, document: StoredDocument, lane: str) -> tuple[KnownContent, list[ContainerMember]]:
        key, structure, problem, members = document.key, None, None, list[ContainerMember]()
        try:
            async with self.opened(document, lane) as source:
                if is_container(key.media_type):
                    members = await self._members(source, lane)
                    structure = _container(members)
                else:
                    structure = await self.parsers.scan(source, lane=lane)
                if is_mail(key.media_type):
                    try:
                        members = await self._members(source, lane)
                    except DocumentError as error:  # what it says itself can be read all the same
                        note = _nameless(error.message, document.name)
                        structure = structure.model_copy(update={"notes": [*structure.notes, note]})
        except DocumentError as error:
            members, problem = [], Problem(code=error.code, message=_nameless(error.message, document.name))
        return KnownContent(new_id(), key, document.size, structure, problem, now()), members

    async def _members(self, source: SourceFile, lane: str) -> list[ContainerMember]:
        async with aclosing(self.parsers.members(source, lane=lane)) as found:
            return [member async for member in found]

    async def _read(
        self,
        document: StoredDocument,
        content: KnownContent,
        parts: Sequence[str],
        lane: str,
        on_progress: Progress | None = None,
    ) -> AsyncGenerator[Sequence[str], None]:
        """One pass of the extractor; parts as they are kept. What comes late for one of them belongs to the rest."""
        assert content.structure is not None
        everything = REST in parts or list(parts) == [WHOLE]
        asked = extraction_scope(content.structure, () if everything else parts)
        room, allowed = await self._room(content, parts), await self._files.room_left(document.stored)
        is_short = allowed is not None and allowed < room
        left, buffer, current = dict.fromkeys(parts), PartBuffer(min(room, room if allowed is None else allowed)), ""
        finished, part_of = list[str](), part_finder(content.structure, parts)
        async with (
            self.opened(document, lane) as source,
            aclosing(self.parsers.extract(source, asked, lane=lane)) as found,
        ):
            async for object in found:
                part = part_of(object)
                if everything and part != current and current in left and current != REST:
                    del left[current]
                    finished.append(current)
                    if len(finished) == STORED_AT_ONCE:
                        await self._store(document, content, {part: buffer.take(part) for part in finished})
                        if on_progress is not None:
                            await on_progress(len(parts) - len(left), len(parts) - 1)
                        yield finished
                        finished = []
                current = part
                buffer.add(part if part in left else REST, object)
                if is_short and buffer.is_full:
                    raise TextQuotaExceeded
        finished += left
        await self._store(document, content, {part: buffer.take(part) for part in finished})
        yield finished

    async def _ocr(self, document: StoredDocument, spot: PictureLocation, lane: str) -> str:
        self.counts["recognised"] += 1
        async with self.opened(document, lane) as source:
            return await self.parsers.ocr(source, page_index=spot.page, location=spot.location, lane=lane)

    async def _picture(
        self, document: StoredDocument, content: KnownContent, spot: PictureLocation
    ) -> KeptPicture | None:
        async with self._db.unit_of_work(UserActor(document.key.mandate_id)) as uow:
            found = await store.objects(uow, document.key.mandate_id, content.id, [spot.part], document.container_path)
        return KeptPicture(*found[0]) if found else None

    async def _keep_picture(self, content: KnownContent, spot: PictureLocation, object: ContentObject) -> None:
        """A text takes the place of what went wrong before, in whatever process; never the other way round."""
        what, is_cut = (
            (content.key.mandate_id, content.id, spot.part),
            KeptPicture(spot.part, object).problem is not None,
        )
        async with self._db.unit_of_work(UserActor(content.key.mandate_id)) as uow:
            if await store.keep(uow, *what, [object], cut=is_cut, now=now()) or is_cut:
                return
            await store.drop_cut(uow, *what)
            await store.keep(uow, *what, [object], cut=False, now=now())

    async def _store(
        self, document: StoredDocument, content: KnownContent, parts: Mapping[str, tuple[list[ContentObject], bool]]
    ) -> None:
        """What is kept counts against the quota of the file's owner, also what lies in an archive."""
        self.counts["parts"] += len(parts)
        mandate_id = content.key.mandate_id
        async with self._db.unit_of_work(UserActor(mandate_id)) as uow:
            # In a fixed order, so that two processes storing the same do not deadlock: page 2 before page 10.
            size = 0
            for part, (objects, cut) in sorted(parts.items(), key=lambda item: (len(item[0]), item[0])):
                if await store.keep(uow, mandate_id, content.id, part, objects, cut=cut, now=now()):
                    size += kept_bytes(objects)
            await derived.add_text(uow, mandate_id, document.file.id, document.stored.version.version, size)

    async def _room(self, content: KnownContent, parts: Sequence[str]) -> int:
        """How much more of it is kept. What an earlier reading kept of these parts is kept in their place."""
        async with self._db.unit_of_work(UserActor(content.key.mandate_id)) as uow:
            objects, characters = await store.amount(uow, content.key.mandate_id, content.id, but=parts)
        return room_for(content.size) - characters - EACH * objects

    async def _known(self, key: ContentKey) -> KnownContent | None:
        """What was too slow or too large may have been so because the machine was busy: after a while it is tried again."""
        async with self._db.unit_of_work(UserActor(key.mandate_id)) as uow:
            known = await store.find(uow, key, READER)
            if known is None or known.problem is None or known.problem.code != DocumentTooLarge.code:
                return known
            if now() - known.looked_at < TRIED_AGAIN:
                return known
            await store.forget(uow, known)
            return None

    async def _kept(self, content: KnownContent, parts: Sequence[str]) -> dict[str, KeptPart]:
        async with self._db.unit_of_work(UserActor(content.key.mandate_id)) as uow:
            return dict(await store.parts(uow, content.key.mandate_id, content.id, parts))

    def _turn(self, what: str, of: ContentKey | UUID) -> asyncio.Lock:
        return self._turns.setdefault((what, of), asyncio.Lock())


def _nameless(message: str, name: str) -> str:
    """The message without the file's name: it is kept for all who have the same bytes, and names are private."""
    text = message.replace(name, "this file")
    return text[:1].upper() + text[1:]


def _container(members: Sequence[ContainerMember]) -> Structure:
    files = [member for member in members if not member.is_folder]
    counts = {"files": len(files), "folders": len(members) - len(files), "bytes": sum(m.size or 0 for m in files)}
    return Structure(kind="container", counts=counts)
