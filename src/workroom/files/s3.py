"""Blob store on S3-compatible storage, shared by all machines, under the same names as on disk.

A blob that is deleted while it is read stays readable as long as the connection lives. Writing is `s3_drafts`, local files for
parsers are `s3_cache`, requests are `s3_bucket`. A draft in use is held by a lock in the database, which is released when the
process dies, on whatever machine.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from pathlib import Path
from typing import Protocol
from uuid import UUID, uuid4

from workroom.db.locks import LockTaken
from workroom.files.errors import ContentMissing, StorageUnavailable, UploadBusy
from workroom.files.ports import Blob, Draft
from workroom.files.s3_bucket import Bucket, ObjectMissing
from workroom.files.s3_cache import LocalCache
from workroom.files.s3_drafts import DRAFTS, DraftLock, S3Draft, content_name

PROBES = "probes"


class Locks(Protocol):
    def hold(self, name: str) -> AbstractAsyncContextManager[DraftLock]:
        """Hold the lock of that name across all machines. Raises LockTaken when it is held elsewhere."""
        ...


class S3BlobStore:
    def __init__(self, bucket: Bucket, locks: Locks, copies: Path) -> None:
        self._bucket, self._locks = bucket, locks
        self._cache = LocalCache(copies, self.open)

    @contextlib.asynccontextmanager
    async def draft(self, mandate_id: UUID, draft_id: UUID) -> AsyncIterator[Draft]:
        async with contextlib.AsyncExitStack() as stack:
            try:
                lock = await stack.enter_async_context(self._locks.hold(f"files.draft {mandate_id} {draft_id}"))
            except LockTaken:
                raise UploadBusy from None
            yield S3Draft(self._bucket, mandate_id, draft_id, lock)

    async def has(self, blob: Blob) -> bool:
        with contextlib.suppress(ObjectMissing):
            await self._bucket.size(content_name(blob))
            return True
        return False

    async def open(self, blob: Blob, start: int = 0, stop: int | None = None) -> AsyncIterator[bytes]:
        if not await self.has(blob):
            raise ContentMissing
        stop = blob.size if stop is None else min(stop, blob.size)
        if start >= stop:
            return _nothing()
        try:
            return await self._bucket.read(content_name(blob), start, stop)
        except StorageUnavailable:
            if not await self.has(blob):  # deleted between the two requests
                raise ContentMissing from None
            raise

    def local(self, blob: Blob) -> AbstractAsyncContextManager[Path]:
        return self._cache.local(blob)

    async def delete(self, blob: Blob) -> None:
        await self._cache.remove(blob)
        await self._bucket.delete(content_name(blob))

    async def sweep_drafts(self, before: datetime) -> int:
        await self._cache.evict()
        last = defaultdict[tuple[str, str], list[datetime]](list)
        for entry in await self._bucket.list(DRAFTS):
            mandate, draft, _ = entry.name.split("/")
            last[mandate, draft].append(entry.written)
        swept = 0
        for (mandate, draft), written in last.items():
            if max(written) < before:
                with contextlib.suppress(UploadBusy):
                    swept += await self._swept(UUID(mandate), UUID(draft), before)
        return swept

    async def _swept(self, mandate_id: UUID, draft_id: UUID, before: datetime) -> bool:
        async with self.draft(mandate_id, draft_id) as draft:
            parts = await self._bucket.list(f"{DRAFTS}/{mandate_id}/{draft_id}")
            if not parts or max(part.written for part in parts) >= before:  # written to before we locked it
                return False
            await draft.discard()
            return True


async def probe(bucket: Bucket) -> None:
    """Check the storage by writing, reading, listing and deleting an object. Raises the first error."""
    name, content = f"{PROBES}/{uuid4()}", b"Can this be written, read and deleted?"
    await bucket.put(name, content)
    try:
        read_back = b"".join([piece async for piece in await bucket.read(name)])
        listed = [entry.name for entry in await bucket.list(PROBES)]
    finally:
        await bucket.delete(name)
    if read_back != content or name.rpartition("/")[2] not in listed:
        raise StorageUnavailable


async def _nothing() -> AsyncIterator[bytes]:
    return
    yield b""
