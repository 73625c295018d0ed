"""Content in and out of the blob store. A row is written before the blob is kept, so that the sweep (`jobs.py`) finds what a
process left behind that died in between."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from workroom.core.clock import now
from workroom.core.errors import TooLarge
from workroom.core.ids import new_id
from workroom.db import Database
from workroom.files.ports import Blob, BlobStore
from workroom.files.quotas import Quotas
from workroom.files.store import blobs as store
from workroom.identity.types import Principal


class FileContents:
    def __init__(self, db: Database, blobs: BlobStore, quotas: Quotas) -> None:
        self._db, self._blobs, self._quotas = db, blobs, quotas

    async def put(self, principal: Principal, chunks: AsyncIterable[bytes]) -> Blob:
        """Write content to the store, outside any transaction. It is swept unless `new_files.record` names it within a day."""
        async with self._blobs.draft(principal.mandate_id, new_id()) as draft:
            try:
                await draft.append(0, at_most(chunks, self._quotas.file))
                blob = Blob(principal.mandate_id, *await draft.digest())
                async with self._db.unit_of_work(principal.actor) as uow:
                    await store.touch(uow, blob, now())
                await draft.keep(blob)
            except BaseException:
                await draft.discard()
                raise
        return blob

    async def open(self, blob: Blob, start: int = 0, stop: int | None = None) -> AsyncIterator[bytes]:
        return await self._blobs.open(blob, start, stop)

    def local(self, blob: Blob) -> AbstractAsyncContextManager[Path]:
        return self._blobs.local(blob)


async def at_most(chunks: AsyncIterable[bytes], most: int) -> AsyncIterator[bytes]:
    """The same chunks; raises TooLarge once they exceed `most` bytes."""
    seen = 0
    async for chunk in chunks:
        seen += len(chunk)
        if seen > most:
            raise TooLarge(f"This is more than the {most:,} bytes there is room for.", limit=most)
        yield chunk
