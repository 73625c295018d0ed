"""Files as the rest of the product uses them: list, read, store, change, versions, trash.

Functions that take a unit of work are in `new_files.py` and `edits.py`: a tool calls the slow `put` first, and then stores file
and result in one transaction with `record`.
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
from workroom.core.writing_agent import WritingAgent
from workroom.db import Database, UnitOfWork
from workroom.files import bulk, edits, new_files, sharing
from workroom.files.access import FILE, reach
from workroom.files.contents import FileContents
from workroom.files.errors import FileChanged, TextQuotaExceeded
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
        self._contents = FileContents(db, blobs, quotas)

    async def list(
        self, principal: Principal, instance_id: UUID, request: PageRequest, filters: FileFilter
    ) -> Page[File]:
        """A page of files the principal sees; of the trash only those that the principal may delete."""
        cleaned = replace(
            filters,
            tags=tuple(clean_tags(filters.tags)),
            type=filters.type.strip().lower().lstrip(".") if filters.type else None,
        )
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            seen = reach(principal, Action.DELETE if filters.deleted else Action.READ, instance_id, inspecting=True)
            await inspections.record_list(uow, principal, ChangeKind.FILE, instance_id, seen.inspected)
            return await store.listed(uow, principal.mandate_id, instance_id, seen, request, cleaned)

    async def get(self, principal: Principal, file_id: UUID, action: Action = Action.READ) -> File:
        """The file, if the principal may do `action` with it."""
        async with self._db.unit_of_work(principal.actor) as uow:
            return await edits.get_file(uow, principal, action, file_id)

    async def read(self, principal: Principal, file_id: UUID, version: int | None = None) -> Content:
        """A version of a file, the newest by default; `open` and `local` give its bytes."""
        async with self._db.unit_of_work(principal.actor) as uow:
            file = await edits.get_file(uow, principal, Action.READ, file_id)
            stored = await _version(uow, principal, file, version or file.version)
            return Content(file, stored, Blob(principal.mandate_id, stored.hash, stored.size))

    async def open(self, content: Content, start: int = 0, stop: int | None = None) -> AsyncIterator[bytes]:
        return await self._contents.open(content.blob, start, stop)

    def local(self, content: Content) -> AbstractAsyncContextManager[Path]:
        """A local path for parsers, valid inside the block."""
        return self._contents.local(content.blob)

    async def room_left(self, content: Content) -> int | None:
        """How many bytes of derived data the owner's quota still allows. None: no limit."""
        async with self._db.unit_of_work(UserActor(content.blob.mandate_id)) as uow:
            return await self._quotas.left(uow, content.blob.mandate_id, content.file.owner_id)

    async def charge(
        self, uow: UnitOfWork, mandate_id: UUID, owner_id: UUID, file_id: UUID, version: int, text: int, index: int
    ) -> None:
        """Charge the bytes of extracted text and index to the owner's quota. Raises TextQuotaExceeded."""
        await derived.put(uow, mandate_id, file_id, version, text, index)
        left = await self._quotas.left(uow, mandate_id, owner_id)
        if left is not None and left < 0:
            raise TextQuotaExceeded

    async def put(self, principal: Principal, chunks: AsyncIterable[bytes]) -> Blob:
        """Write content to the blob store: the slow half of storing, before the transaction that calls `record`."""
        return await self._contents.put(principal, chunks)

    async def record(
        self,
        uow: UnitOfWork,
        principal: Principal,
        instance_id: UUID,
        new: NewFile,
        blob: Blob,
        agent: WritingAgent | None = None,
    ) -> File:
        """Make a file or a version of stored content, in the caller's transaction: the quick half. `agent` wrote it."""
        return await new_files.record(uow, principal, instance_id, new, blob, self._quotas, agent)

    async def described(
        self, uow: UnitOfWork, principal: Principal, instance_id: UUID, descriptions: Sequence[str]
    ) -> dict[str, File]:
        """The principal's own files by their description, the oldest of several, for what is stored again under another name.
        No file of that workspace gets or changes its name until the transaction ends."""
        assert principal.user_id is not None
        await store.lock_names(uow, instance_id)
        found = await store.described(uow, principal.mandate_id, instance_id, principal.user_id, descriptions)
        return {file.description: file for file in found}

    async def add_version(
        self,
        uow: UnitOfWork,
        principal: Principal,
        file_id: UUID,
        blob: Blob,
        media_type: str,
        *,
        made_from: int | None = None,
        agent: WritingAgent | None = None,
    ) -> File:
        """Make stored content the newest version of a file, whatever it is called and wherever it lies. `agent` wrote it;
        `made_from`: the version it was made from; raises FileChanged when that is not the newest any more."""
        file = await edits.get_file(uow, principal, Action.UPDATE, file_id, lock=True)
        if made_from not in (None, file.version):
            raise FileChanged(file.name, file.version)
        return await new_files.add_version(uow, principal, file, blob, media_type, self._quotas, agent=agent)

    async def replaced(self, principal: Principal, instance_id: UUID, new: NewFile) -> File | None:
        """The existing file that `record` would add a version to."""
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            return await new_files.replaced(uow, principal, instance_id, new)

    async def require_storing(
        self, principal: Principal, instance_id: UUID, folder_id: UUID | None = None, size: int = 0
    ) -> None:
        """Check right and quota before `put`, so that a refused upload does not fill the disk."""
        async with self._db.unit_of_work(principal.actor) as uow:
            await new_files.require_storing(uow, principal, instance_id, folder_id)
            if size and principal.user_id is not None:
                await self._quotas.require_room(uow, principal.mandate_id, principal.user_id, size, beginning=True)

    async def store(self, principal: Principal, instance_id: UUID, new: NewFile, chunks: AsyncIterable[bytes]) -> File:
        await self.require_storing(principal, instance_id, new.folder_id)
        blob = await self.put(principal, chunks)
        async with self._db.unit_of_work(principal.actor) as uow:
            return await self.record(uow, principal, instance_id, new, blob)

    async def change(self, principal: Principal, file_id: UUID, patch: FileChange) -> File:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await edits.change(uow, principal, file_id, patch)

    async def change_many(
        self, principal: Principal, instance_id: UUID, file_ids: Sequence[UUID], change: bulk.BulkChange
    ) -> Sequence[File]:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await bulk.apply(uow, principal, instance_id, file_ids, change)

    async def share(
        self,
        principal: Principal,
        file_ids: Sequence[UUID],
        visibility: Visibility,
        shared_with: Sequence[UUID] | None = None,
    ) -> Sequence[File]:
        """Set the visibility of files and the persons they are shared with; all of them, or none."""
        async with self._db.unit_of_work(principal.actor) as uow:
            return await sharing.share(uow, principal, file_ids, visibility, shared_with)

    async def delete(self, principal: Principal, file_id: UUID, *, forever: bool = False) -> None:
        async with self._db.unit_of_work(principal.actor) as uow:
            if forever:
                await edits.purge(uow, principal, file_id)
            else:
                await edits.delete(uow, principal, file_id)

    async def restore(self, principal: Principal, file_id: UUID) -> File:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await edits.restore(uow, principal, file_id)

    async def versions(self, principal: Principal, file_id: UUID) -> Sequence[FileVersion]:
        async with self._db.unit_of_work(principal.actor) as uow:
            await edits.get_file(uow, principal, Action.READ, file_id)
            return await version_store.listed(uow, principal.mandate_id, file_id)

    async def restore_version(self, principal: Principal, file_id: UUID, version: int) -> File:
        """Add a new version with the content of an old one."""
        async with self._db.unit_of_work(principal.actor) as uow:
            file = await edits.get_file(uow, principal, Action.UPDATE, file_id, lock=True)
            old = await _version(uow, principal, file, version)
            blob = Blob(principal.mandate_id, old.hash, old.size)
            return await new_files.add_version(
                uow, principal, file, blob, old.media_type, self._quotas, restored_from=version
            )


async def _version(uow: UnitOfWork, principal: Principal, file: File, version: int) -> FileVersion:
    versions = await version_store.listed(uow, principal.mandate_id, file.id, version)
    if not versions:
        raise NotFound("This file has no such version.")
    return versions[0]
