"""Reads documents for people and tools. Every request first checks the right to read the file (`document_locator.py`)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from uuid import UUID

from workroom.contents import compressed, storable, store
from workroom.contents.content_cache import ContentCache
from workroom.contents.document import MOST_OBJECTS, Document
from workroom.contents.document_locator import DocumentLocator, holds_files
from workroom.contents.parts import PartSelection
from workroom.contents.recognised import found_in
from workroom.contents.types import (
    FileContentIndex,
    KnownContent,
    MemberInfo,
    ObjectPage,
    ObjectSummary,
    Reading,
    StoredDocument,
)
from workroom.core.errors import InvalidInput
from workroom.db import Database, UnitOfWork
from workroom.documents.types import Element, Hit, PageText, Structure
from workroom.files.ports import Blob
from workroom.files.service import Files
from workroom.files.types import File, NewFile
from workroom.identity.sharing import Visibility
from workroom.identity.types import Principal

MOST_TAKEN = 100
CHUNK = 1 << 20
SUMMARISED = 200
SUMMARY_LENGTH = 120
OnRecognised = Callable[[UUID, UUID], Awaitable[None]]  # a mandate and a file of it


async def _ignored(mandate_id: UUID, file_id: UUID) -> None: ...


class DocumentReader:
    """Reads stored documents with the rights of a principal. `recognised` is called for files in which text was newly recognised
    in pictures, so that they are indexed again."""

    def __init__(self, db: Database, files: Files, reader: ContentCache, recognised: OnRecognised = _ignored) -> None:
        self._db, self._files, self._reader, self._recognised = db, files, reader, recognised
        self._locator = DocumentLocator(db, files, reader)

    @property
    def counts(self) -> Mapping[str, int]:
        """How often something was really done by this process: scans, parts, members, recognised."""
        return self._reader.counts

    async def place(
        self, principal: Principal, file_id: UUID, inside: str = "", version: int | None = None
    ) -> StoredDocument:
        """Finds a document and checks the right to read it, once for all the other methods."""
        return await self._locator.find(principal, file_id, inside, version, lane=_lane(principal))

    async def require_still(self, principal: Principal, document: StoredDocument) -> None:
        """For what takes long: NotFound if the file is gone, or was taken back, since its place was found."""
        await self._files.get(principal, document.file.id)

    async def document(self, principal: Principal, document: StoredDocument) -> Document:
        """The document with its structure, loaded once for several questions about it."""
        content = await self._reader.content(document, _lane(principal))
        return Document(self._db, self._reader, principal, document, content, _lane(principal))

    async def reading(self, principal: Principal, document: StoredDocument) -> Reading:
        return (await self.document(principal, document)).reading

    async def structure(self, principal: Principal, document: StoredDocument) -> Structure:
        """Raises the DocumentError that says why there is none."""
        return (await self.document(principal, document)).structure

    async def passages(
        self,
        principal: Principal,
        document: StoredDocument,
        selection: PartSelection,
        *,
        after: tuple[int, int] = (0, 0),
        most: int = MOST_OBJECTS,
    ) -> ObjectPage:
        """What is wanted, from `after` on. Only as many parts are read as are needed for `most` objects."""
        return await (await self.document(principal, document)).passages(selection, after=after, most=most)

    async def read_whole(self, principal: Principal, document: StoredDocument) -> None:
        """Everything is read and kept, with what belongs to no page, sheet or slide."""
        await self._reader.keep_all(document, await self._readable(principal, document), _lane(principal))

    async def element(self, principal: Principal, document: StoredDocument, location: str) -> Element:
        async with self._reader.opened(document, _lane(principal)) as source:
            return await self._reader.parsers.element(source, location, lane=_lane(principal))

    async def page_image(self, principal: Principal, document: StoredDocument, page: int, width: int) -> Element:
        """`page` from 1; slides are pages, too."""
        async with self._reader.opened(document, _lane(principal)) as source:
            return await self._reader.parsers.page_image(source, page - 1, width, lane=_lane(principal))

    async def picture(
        self, principal: Principal, document: StoredDocument, page: int | None = None, location: str | None = None
    ) -> Element:
        """For a model to look at: a page, from 1, what lies at a location, or the picture that the file is."""
        async with self._reader.opened(document, _lane(principal)) as source:
            index = None if page is None else page - 1
            return await self._reader.parsers.picture(
                source, page_index=index, location=location, lane=_lane(principal)
            )

    async def page_text(self, principal: Principal, document: StoredDocument, page: int) -> PageText:
        async with self._reader.opened(document, _lane(principal)) as source:
            found = await self._reader.parsers.page_text(source, page - 1, lane=_lane(principal))
        if found.lines:
            return found
        said = await self._reader.said_in(document, await self._readable(principal, document), page - 1)
        return found.model_copy(update={"recognised": said})

    async def search(
        self, principal: Principal, document: StoredDocument, text: str, most: int, page: int | None = None
    ) -> tuple[list[Hit], bool]:
        """The first places where it occurs, and whether there are more; on one page, from 1, that is quick. What was
        recognised in pictures has no place on them."""
        content = await self._readable(principal, document)
        said = found_in(await self._reader.recognised_on(document, content, None if page is None else page - 1), text)
        hits: list[Hit] = []
        async with (
            self._reader.opened(document, _lane(principal)) as source,
            aclosing(
                self._reader.parsers.find(
                    source, text, most=most + 1, page_index=None if page is None else page - 1, lane=_lane(principal)
                )
            ) as found,
        ):
            async for hit in found:
                hits.append(hit)
                if len(hits) > most:
                    break
        if said:
            hits = sorted([*hits, *said], key=_page_of)
        return hits[:most], len(hits) > most

    async def recognise(
        self, principal: Principal, document: StoredDocument, page: int | None, location: str | None
    ) -> str:
        """The text in a picture, read by OCR once. `page` from 1."""
        if (page is None) == (location is None):
            raise InvalidInput("Say a page, or the location of a picture.")
        content = await self._readable(principal, document)
        index = None if page is None else page - 1
        text, is_new = await self._reader.recognised(document, content, index, location, _lane(principal))
        if is_new:
            await self._recognised(document.key.mandate_id, document.file.id)
        return text

    async def members(
        self, principal: Principal, document: StoredDocument, *, start: int = 0, limit: int = 1000, text: str = ""
    ) -> tuple[list[MemberInfo], int | None]:
        """What lies in an archive or a mail, and where the list goes on."""
        content = await self._readable(principal, document)
        wanted = storable.text(text)
        async with self._db.unit_of_work(principal.actor) as uow:
            rows = await store.members(uow, principal.mandate_id, content.id, start=start, limit=limit + 1, text=wanted)
        shown = [
            MemberInfo(
                path=compressed.shown(document.name, document.key.media_type, row["path"]),
                size=row["size"],
                is_folder=row["is_folder"],
                modified=row["modified"],
                media_type=row["media_type"],
                encrypted=row["encrypted"],
                index=row["place"],
                opens=not row["is_folder"] and holds_files(row["media_type"] or ""),
            )
            for row in rows[:limit]
        ]
        return shown, rows[limit]["place"] if len(rows) > limit else None

    async def bytes(
        self, principal: Principal, document: StoredDocument, start: int = 0, stop: int | None = None
    ) -> AsyncGenerator[bytes, None]:
        """Of a file or a member, from `start` to before `stop`."""
        left = (document.size if stop is None else stop) - start
        async with self._reader.opened(document, _lane(principal)) as source:
            file = await asyncio.to_thread(source.path.open, "rb")
            try:
                await asyncio.to_thread(file.seek, start)
                while left > 0 and (chunk := await asyncio.to_thread(file.read, min(CHUNK, left))):
                    left -= len(chunk)
                    yield chunk
            finally:
                await asyncio.to_thread(file.close)

    async def put(self, principal: Principal, document: StoredDocument) -> Blob:
        """A member's content, ready to be recorded as a file: the slow half of taking it out."""
        async with aclosing(self.bytes(principal, document)) as chunks:
            return await self._files.put(principal, chunks)

    async def take_out(
        self, principal: Principal, file_id: UUID, inside: Sequence[str], folder_id: UUID | None
    ) -> Sequence[File]:
        """Members become files of the container's workspace; all of them or none."""
        if not 0 < len(inside) <= MOST_TAKEN:
            raise InvalidInput(f"Take out between one and {MOST_TAKEN} at a time.", field="paths")
        principal = replace(principal, inspects=frozenset())  # what is looked into for a reason is not taken along
        container = await self._files.get(principal, file_id)
        await self._files.require_storing(principal, container.instance_id, folder_id)
        documents = [await self.place(principal, file_id, path) for path in dict.fromkeys(inside)]
        size = sum(document.size for document in documents)
        await self._files.require_storing(principal, container.instance_id, folder_id, size)
        blobs = [await self.put(principal, document) for document in documents]
        async with self._db.unit_of_work(principal.actor) as uow:
            return [
                await self.record(uow, principal, document, blob, folder_id)
                for document, blob in zip(documents, blobs, strict=True)
            ]

    async def record(
        self,
        uow: UnitOfWork,
        principal: Principal,
        document: StoredDocument,
        blob: Blob,
        folder_id: UUID | None,
        instance_id: UUID | None = None,
    ) -> File:
        """The quick half, in the caller's transaction; into that workspace, or the one the container belongs to."""
        new = NewFile(
            document.name, folder_id, document.key.media_type, description=f"From {document.container_path}"[:2000]
        )
        return await self._files.record(uow, principal, instance_id or document.file.instance_id, new, blob)

    async def index(self, principal: Principal, file_id: UUID) -> FileContentIndex:
        document = await self.place(principal, file_id)
        content = await self._reader.content(document, _lane(principal))
        async with self._db.unit_of_work(principal.actor) as uow:
            total, since = await store.totals(uow, principal.mandate_id, content.id)
            summaries = await store.first_objects(uow, principal.mandate_id, content.id, SUMMARISED, SUMMARY_LENGTH)
        failed = content.problem is not None
        return FileContentIndex(
            id=file_id,
            user_id=document.file.owner_id,
            feature_instance_id=document.file.instance_id,
            mandate_id=principal.mandate_id,
            is_shared=document.file.visibility is Visibility.ALL,
            file_name=document.file.name,
            mime_type=document.key.media_type,
            container_path=document.container_path,
            total_objects=total,
            total_size=document.size,
            structure=content.structure,
            object_summary=[ObjectSummary(**dict(row)) for row in summaries],
            # When others began is not theirs to know.
            extracted_at=since and max(since, document.stored.version.made_at),
            status="failed" if failed else "extracted" if total else "structured",
        )

    async def _readable(self, principal: Principal, document: StoredDocument) -> KnownContent:
        """Raises the DocumentError that says why not."""
        return (await self.document(principal, document)).content


def _page_of(hit: Hit) -> int:
    kind, _, number = hit.part.partition(":")
    return int(number) if kind == "page" and number.isdecimal() else 0


def _lane(principal: Principal) -> str:
    """The queue of a person: one person's many files do not hold up another's."""
    return f"{principal.mandate_id}:{principal.user_id}"
