"""Resumable uploads in chunks, which survive a lost connection or a restart.

The row has the number of bytes that count, the draft in the blob store has the bytes. The draft is the lock of an upload: the
row is read again once the draft is locked. Finishing is idempotent: it makes one file.
"""

from __future__ import annotations

from collections.abc import AsyncIterable
from uuid import UUID

from workroom.core.clock import now
from workroom.core.errors import Conflict, NotFound
from workroom.core.ids import new_id
from workroom.db import Database, UnitOfWork
from workroom.files import edits, new_files
from workroom.files.contents import at_most
from workroom.files.errors import FileExists, UploadDamaged, UploadOffset
from workroom.files.names import clean_file_name
from workroom.files.ports import Blob, BlobStore, Draft, DraftCut
from workroom.files.quotas import Quotas
from workroom.files.store import blobs as blob_store
from workroom.files.store import folders as folder_store
from workroom.files.store import uploads as store
from workroom.files.types import File, NewFile, OnConflict, Upload
from workroom.identity.types import Action, Principal

NO_UPLOAD = "There is no such upload, or it was given up. Begin again."


class Uploads:
    def __init__(self, db: Database, blobs: BlobStore, quotas: Quotas) -> None:
        self._db, self._blobs, self._quotas = db, blobs, quotas

    async def begin(self, principal: Principal, instance_id: UUID, new: NewFile, size: int) -> Upload:
        """Start an upload; everything that can be refused is refused here, before anything is sent."""
        assert principal.user_id is not None
        self._quotas.require_size(size)
        upload = Upload(
            id=new_id(),
            instance_id=instance_id,
            folder_id=new.folder_id,
            name=clean_file_name(new.name),
            media_type=new.media_type,
            on_conflict=new.on_conflict,
            size=size,
            offset=0,
            hash=None,
            file_id=None,
            created_at=now(),
        )
        async with self._db.unit_of_work(principal.actor) as uow:
            await new_files.require_storing(uow, principal, instance_id, new.folder_id)
            if new.on_conflict is OnConflict.FAIL and await new_files.find_same_name(
                uow, principal, instance_id, upload.name, new.folder_id, new.folder_id
            ):
                raise FileExists(upload.name)
            await self._quotas.require_room(uow, principal.mandate_id, principal.user_id, size, beginning=True)
            await store.insert(uow, principal.mandate_id, principal.user_id, upload)
        return upload

    async def get(self, principal: Principal, upload_id: UUID) -> Upload:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await _get_own(uow, principal, upload_id)

    async def append(self, principal: Principal, upload_id: UUID, offset: int, chunks: AsyncIterable[bytes]) -> int:
        """Append a chunk, all or nothing, and return the offset of the next."""
        await self.get(principal, upload_id)
        async with self._blobs.draft(principal.mandate_id, upload_id) as draft:
            upload = await self._unfinished(principal, upload_id)
            if offset != upload.offset:
                raise UploadOffset(upload.offset)
            try:
                end = await draft.append(offset, at_most(chunks, upload.size - offset))
            except DraftCut as cut:
                await self._set_offset(principal, upload_id, cut.size)
                raise UploadOffset(cut.size, "Some of what was sent is lost.") from None
            await self._set_offset(principal, upload_id, end)
            return end

    async def finish(self, principal: Principal, upload_id: UUID, sha256: str | None = None) -> File:
        upload = await self.get(principal, upload_id)
        if upload.file_id is not None:
            return await self._made(principal, upload.file_id)
        async with self._blobs.draft(principal.mandate_id, upload_id) as draft:
            upload = await self.get(principal, upload_id)
            if upload.file_id is not None:
                return await self._made(principal, upload.file_id)
            file = await self._recorded(principal, upload, await self._kept(principal, upload, draft, sha256))
            await draft.discard()
            return file

    async def cancel(self, principal: Principal, upload_id: UUID) -> None:
        """Cancel an upload. If it is finished, its file stays."""
        await self.get(principal, upload_id)
        async with self._blobs.draft(principal.mandate_id, upload_id) as draft:
            async with self._db.unit_of_work(principal.actor) as uow:
                await store.delete(uow, principal.mandate_id, upload_id)
            await draft.discard()

    async def _kept(self, principal: Principal, upload: Upload, draft: Draft, sha256: str | None) -> Blob:
        """Keep the content as a blob with a row in the database."""
        if upload.offset < upload.size:
            raise UploadOffset(upload.offset, "The upload is not complete.")
        if upload.hash is not None:  # an earlier call was interrupted
            blob = Blob(principal.mandate_id, upload.hash, upload.size)
            if await self._blobs.has(blob):
                _require_same(sha256, blob.hash)
                return blob
        digest, size = await draft.digest()
        if size != upload.size:
            await self._set_offset(principal, upload.id, min(size, upload.size))
            raise UploadOffset(min(size, upload.size), "Some of what was sent is lost.")
        try:
            _require_same(sha256, digest)
        except UploadDamaged:
            await self._set_offset(principal, upload.id, 0)
            raise
        blob = Blob(principal.mandate_id, digest, size)
        async with self._db.unit_of_work(principal.actor) as uow:
            await blob_store.touch(uow, blob, now())
            await store.set_hash(uow, principal.mandate_id, upload.id, digest)
        await draft.keep(blob)
        return blob

    async def _recorded(self, principal: Principal, upload: Upload, blob: Blob) -> File:
        async with self._db.unit_of_work(principal.actor) as uow:
            folder = await folder_store.get(uow, principal.mandate_id, upload.folder_id) if upload.folder_id else None
            gone = (
                folder is None or folder.deleted_at is not None
            )  # deleted meanwhile: store the file at the root rather than lose it
            new = NewFile(upload.name, None if gone else upload.folder_id, upload.media_type, upload.on_conflict)
            file = await new_files.record(uow, principal, upload.instance_id, new, blob, self._quotas)
            await store.set_file(uow, principal.mandate_id, upload.id, file.id)
            return file

    async def _unfinished(self, principal: Principal, upload_id: UUID) -> Upload:
        upload = await self.get(principal, upload_id)
        if upload.file_id is not None:
            raise Conflict("This upload is finished.", code="uploadOffset", offset=upload.size)
        return upload

    async def _set_offset(self, principal: Principal, upload_id: UUID, offset: int) -> None:
        async with self._db.unit_of_work(principal.actor) as uow:
            await store.set_offset(uow, principal.mandate_id, upload_id, offset, now())

    async def _made(self, principal: Principal, file_id: UUID) -> File:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await edits.get_file(uow, principal, Action.READ, file_id)


async def _get_own(uow: UnitOfWork, principal: Principal, upload_id: UUID) -> Upload:
    """The upload of this user, while they may store in its workspace."""
    upload = await store.get(uow, principal.mandate_id, principal.user_id, upload_id)
    if upload is None:
        raise NotFound(NO_UPLOAD)
    try:
        await new_files.require_storing(uow, principal, upload.instance_id, None)
    except NotFound:
        raise NotFound(NO_UPLOAD) from None
    return upload


def _require_same(expected: str | None, actual: str) -> None:
    if expected is not None and expected.lower() != actual:
        raise UploadDamaged
