"""Drafts on S3: each append writes objects `drafts/{mandate}/{draft}/{offset}`, each of them atomically.

The content of a draft follows from the list of its parts: each counts up to the start of the next, and the first gap ends it.
There is no other state: a part that arrives late, from an abandoned attempt, has the bytes of its offset.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol
from uuid import UUID

from workroom.files.errors import StorageUnavailable
from workroom.files.ports import Blob, DraftCut
from workroom.files.s3_bucket import PART, Bucket, ObjectMissing
from workroom.files.threads import in_thread

DRAFTS = "drafts"


class DraftLock(Protocol):
    """Lock against other writers of the draft; `require` raises once it is lost."""

    def require(self) -> None: ...


@dataclass(frozen=True)
class DraftPart:
    start: int
    stop: int


class ContentHasher:
    def __init__(self) -> None:
        self._sha256, self.size = hashlib.sha256(), 0

    async def add(self, piece: bytes) -> None:
        await in_thread(self._sha256.update, piece)
        self.size += len(piece)

    @property
    def hash(self) -> str:
        return self._sha256.hexdigest()


def content_name(blob: Blob) -> str:
    """Object name of a blob, the same as on disk, so that a folder of blobs and a bucket can be copied into each other."""
    return f"{blob.mandate_id}/{blob.hash[:2]}/{blob.hash}"


class S3Draft:
    def __init__(self, bucket: Bucket, mandate_id: UUID, draft_id: UUID, lock: DraftLock) -> None:
        self._bucket, self._lock = bucket, lock
        self._folder = f"{DRAFTS}/{mandate_id}/{draft_id}"
        self._hasher: ContentHasher | None = None  # of the whole draft, if this process has written all of it

    async def append(self, at: int, chunks: AsyncIterable[bytes]) -> int:
        parts = await self._parts()
        counted = contiguous_parts(parts)
        if (size := counted[-1].stop if counted else 0) < at:
            raise DraftCut(size)
        hasher = self._hasher if self._hasher and self._hasher.size == at else ContentHasher() if at == 0 else None
        self._hasher = None
        await self._cut(parts, at)
        end = at
        try:
            async for batch in _batches(chunks):
                self._lock.require()
                await self._bucket.put(self._name(end), batch)
                end += len(batch)
                if hasher:
                    await hasher.add(batch)
        except BaseException:
            with contextlib.suppress(StorageUnavailable):  # parts left behind come after a gap and do not count
                await self._cut(await self._parts(), at)
            raise
        self._hasher = hasher
        return end

    async def digest(self) -> tuple[str, int]:
        hasher = self._hasher
        if hasher is None:
            hasher = ContentHasher()
            async for piece in self._content():
                await hasher.add(piece)
        return hasher.hash, hasher.size

    async def keep(self, blob: Blob) -> None:
        """Make the blob from the parts, verified against its hash while it is written."""
        name = content_name(blob)
        if not await self._is_whole(name, blob):
            await self._bucket.put_all(name, self._verified(blob))
            if not await self._is_whole(name, blob):
                raise StorageUnavailable
        await self.discard()

    async def discard(self) -> None:
        self._hasher = None
        await self._cut(await self._parts(), 0)

    async def _is_whole(self, name: str, blob: Blob) -> bool:
        with contextlib.suppress(ObjectMissing):
            return await self._bucket.size(name) == blob.size
        return False

    async def _verified(self, blob: Blob) -> AsyncIterator[bytes]:
        hasher = ContentHasher()
        async for piece in self._content():
            await hasher.add(piece)
            yield piece
        if (hasher.hash, hasher.size) != (blob.hash, blob.size):
            raise StorageUnavailable
        self._lock.require()

    async def _content(self) -> AsyncIterator[bytes]:
        for part in contiguous_parts(await self._parts()):
            if part.stop > part.start:
                async for piece in await self._bucket.read(self._name(part.start), 0, part.stop - part.start):
                    yield piece

    async def _parts(self) -> list[DraftPart]:
        """All parts in the bucket, also those after a gap."""
        return [
            DraftPart(int(entry.name), int(entry.name) + entry.size) for entry in await self._bucket.list(self._folder)
        ]

    async def _cut(self, parts: list[DraftPart], at: int) -> None:
        """Truncate to `at`, from the end backwards, so that what remains is a valid prefix at any moment."""
        for part in reversed(parts):
            if part.start >= at:
                await self._bucket.delete(self._name(part.start))
            elif part.stop > at:
                pieces = await self._bucket.read(self._name(part.start), 0, at - part.start)
                await self._bucket.put(self._name(part.start), b"".join([piece async for piece in pieces]))

    def _name(self, start: int) -> str:
        return f"{self._folder}/{start:020}"  # so that the order of names is the order of bytes


def contiguous_parts(parts: list[DraftPart]) -> list[DraftPart]:
    """The parts up to the first gap, each cut where the next begins; `parts` are sorted by start."""
    if not parts or parts[0].start != 0:
        return []
    counted = list[DraftPart]()
    for part, following in pairwise([*parts, None]):
        assert part is not None
        if following is None or following.start > part.stop:
            return [*counted, part]
        counted.append(DraftPart(part.start, following.start))
    return counted


async def _batches(chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """Chunks gathered to parts of the largest size."""
    buffer = bytearray()
    async for chunk in chunks:
        buffer += chunk
        while len(buffer) >= PART:
            yield bytes(buffer[:PART])
            del buffer[:PART]
    if buffer:
        yield bytes(buffer)
