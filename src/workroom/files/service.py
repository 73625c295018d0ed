"""Files as the rest of the product uses them: list, read, store, change, versions, trash.

What takes a unit of work lies in `storing.py` and `changing.py`: a tool calls `put` first, which is slow, and then stores
file and result in one transaction with `record`.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import UUID

from workroom.core.actors import UserActor
from workroom.core.changes import ChangeKind
from workroom.core.errors import NotFound
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.files import bulk, changing, sharing, storing
from workroom.files.access import FILE, reach
from workroom.files.contents import Contents
from workroom.files.errors import TextQuotaExceeded
from workroom.files.names import clean_tags
from workroom.files.ports import Blob, BlobStore
from workroom.files.quotas import Quotas
from workroom.files.store import derived
from workroom.files.store import files as store
from workroom.files.store import versions as version_store
from workroom.files.types import File, FileChange, FileFilter, FileVersion, NewFile
from workroom.identity import inspections
from workroom.identity.instances import require_instance
from workroom.identity.sharing import Visibility
from workroom.identity.types import Action, Principal

KEY = FILE


@dataclass(frozen=True)
class Content:
    """One version of a file, ready to be read."""

    file: File
    version: FileVersion
    blob: Blob


class Files:
    def __init__(self, db: Database, blobs: BlobStore, quotas: Quotas) -> None:
        self._db, self._quotas = db, quotas
        self._contents = Contents(db, blobs, quotas)

    async def list(self, who: Principal, instance_id: UUID, request: PageRequest, wanted: FileFilter) -> Page[File]:
        """The trash shows only what one could have put there oneself."""
        cleaned = replace(
            wanted,
            tags=tuple(clean_tags(wanted.tags)),
            type=wanted.type.strip().lower().lstrip(".") if wanted.type else None,
        )
        async with self._db.unit_of_work(who.actor) as uow:
            await require_instance(uow, who, instance_id)
            seen = reach(who, Action.DELETE if wanted.deleted else Action.READ, instance_id, inspecting=True)
            await inspections.record_list(uow, who, ChangeKind.FILE, instance_id, seen.inspected)
            return await store.listed(uow, who.mandate_id, instance_id, seen, request, cleaned)

    async def get(self, who: Principal, file_id: UUID, action: Action = Action.READ) -> File:
        """The file, if this may be done to it."""
        async with self._db.unit_of_work(who.actor) as uow:
            return await changing.checked(uow, who, action, file_id)

    async def read(self, who: Principal, file_id: UUID, version: int | None = None) -> Content:
        """What is there to read; `open` and `local` give the bytes."""
        async with self._db.unit_of_work(who.actor) as uow:
            file = await changing.checked(uow, who, Action.READ, file_id)
            found = await _version(uow, who, file, version or file.version)
            return Content(file, found, Blob(who.mandate_id, found.hash, found.size))

    async def open(self, content: Content, start: int = 0, stop: int | None = None) -> AsyncIterator[bytes]:
        return await self._contents.open(content.blob, start, stop)

    def local(self, content: Content) -> AbstractAsyncContextManager[Path]:
        """A path for parsers, only inside the block."""
        return self._contents.local(content.blob)

    async def room_left(self, content: Content) -> int | None:
        """How many bytes may still be kept of what is in it. None: no limit."""
        async with self._db.unit_of_work(UserActor(content.blob.mandate_id)) as uow:
            return await self._quotas.left(uow, content.blob.mandate_id, content.file.owner_id)

    async def charge(
        self, uow: UnitOfWork, mandate_id: UUID, owner_id: UUID, file_id: UUID, version: int, text: int, index: int
    ) -> None:
        """So many bytes are kept of its text and in the index. Raises TextQuotaExceeded when that is too much for its owner."""
        await derived.put(uow, mandate_id, file_id, version, text, index)
        left = await self._quotas.left(uow, mandate_id, owner_id)
        if left is not None and left < 0:
            raise TextQuotaExceeded

    async def put(self, who: Principal, chunks: AsyncIterable[bytes]) -> Blob:
        """Content without a name yet: the slow half of storing, before the transaction that calls `record`."""
        return await self._contents.put(who, chunks)

    async def record(self, uow: UnitOfWork, who: Principal, instance_id: UUID, new: NewFile, blob: Blob) -> File:
        """The quick half, in the caller's transaction."""
        return await storing.record(uow, who, instance_id, new, blob, self._quotas)

    async def replaced(self, who: Principal, instance_id: UUID, new: NewFile) -> File | None:
        """The file that would get a new version if this were stored."""
        async with self._db.unit_of_work(who.actor) as uow:
            await require_instance(uow, who, instance_id)
            return await storing.replaced(uow, who, instance_id, new)

    async def require_storing(
        self, who: Principal, instance_id: UUID, folder_id: UUID | None = None, size: int = 0
    ) -> None:
        """Asked before `put`, or somebody without the right, or without room for that many bytes, could fill the disk."""
        async with self._db.unit_of_work(who.actor) as uow:
            await storing.require_storing(uow, who, instance_id, folder_id)
            if size and who.user_id is not None:
                await self._quotas.require_room(uow, who.mandate_id, who.user_id, size, beginning=True)

    async def store(self, who: Principal, instance_id: UUID, new: NewFile, chunks: AsyncIterable[bytes]) -> File:
        await self.require_storing(who, instance_id, new.folder_id)
        blob = await self.put(who, chunks)
        async with self._db.unit_of_work(who.actor) as uow:
            return await self.record(uow, who, instance_id, new, blob)

    async def change(self, who: Principal, file_id: UUID, wanted: FileChange) -> File:
        async with self._db.unit_of_work(who.actor) as uow:
            return await changing.change(uow, who, file_id, wanted)

    async def change_many(
        self, who: Principal, instance_id: UUID, file_ids: Sequence[UUID], wanted: bulk.BulkChange
    ) -> Sequence[File]:
        async with self._db.unit_of_work(who.actor) as uow:
            return await bulk.apply(uow, who, instance_id, file_ids, wanted)

    async def share(
        self,
        who: Principal,
        file_ids: Sequence[UUID],
        visibility: Visibility,
        shared_with: Sequence[UUID] | None = None,
    ) -> Sequence[File]:
        """Promote, hand to the workspace or to persons, or take back; one or many, all or none."""
        async with self._db.unit_of_work(who.actor) as uow:
            return await sharing.share(uow, who, file_ids, visibility, shared_with)

    async def delete(self, who: Principal, file_id: UUID, *, forever: bool = False) -> None:
        async with self._db.unit_of_work(who.actor) as uow:
            if forever:
                await changing.purge(uow, who, file_id)
            else:
                await changing.delete(uow, who, file_id)

    async def restore(self, who: Principal, file_id: UUID) -> File:
        async with self._db.unit_of_work(who.actor) as uow:
            return await changing.restore(uow, who, file_id)

    async def versions(self, who: Principal, file_id: UUID) -> Sequence[FileVersion]:
        async with self._db.unit_of_work(who.actor) as uow:
            await changing.checked(uow, who, Action.READ, file_id)
            return await version_store.listed(uow, who.mandate_id, file_id)

    async def restore_version(self, who: Principal, file_id: UUID, version: int) -> File:
        """What it was then becomes its newest version; nothing in between is lost."""
        async with self._db.unit_of_work(who.actor) as uow:
            file = await changing.checked(uow, who, Action.UPDATE, file_id, lock=True)
            old = await _version(uow, who, file, version)
            blob = Blob(who.mandate_id, old.hash, old.size)
            return await storing.add_version(uow, who, file, blob, old.media_type, self._quotas, restored_from=version)


async def _version(uow: UnitOfWork, who: Principal, file: File, version: int) -> FileVersion:
    found = await version_store.listed(uow, who.mandate_id, file.id, version)
    if not found:
        raise NotFound("This file has no such version.")
    return found[0]
