"""Drafts on S3: every step of one is objects of its own, `drafts/{mandate}/{draft}/{offset}`, each there whole or not.

What a draft holds is read from the list of its parts: each counts up to where the next begins, and the first gap ends it. So
nothing but the parts has to be right: a part that arrives late, from a try given up long ago, lies where its bytes belong.
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
from workroom.files.s3_bucket import PART, Absent, Bucket
from workroom.files.threads import in_thread

DRAFTS = "drafts"


class Held(Protocol):
    """What excludes other writers, as long as it is not lost."""

    def require(self) -> None: ...


@dataclass(frozen=True)
class Part:
    start: int
    stop: int


class Digest:
    def __init__(self) -> None:
        self._sha256, self.size = hashlib.sha256(), 0

    async def add(self, piece: bytes) -> None:
        await in_thread(self._sha256.update, piece)
        self.size += len(piece)

    @property
    def hash(self) -> str:
        return self._sha256.hexdigest()


def content_name(blob: Blob) -> str:
    """As on disk: a folder of blobs and a bucket can be copied into each other."""
    return f"{blob.mandate_id}/{blob.hash[:2]}/{blob.hash}"


class S3Draft:
    def __init__(self, bucket: Bucket, mandate_id: UUID, draft_id: UUID, held: Held) -> None:
        self._bucket, self._held = bucket, held
        self._folder = f"{DRAFTS}/{mandate_id}/{draft_id}"
        self._known: Digest | None = None  # of all there is, if we have written all of it

    async def append(self, at: int, chunks: AsyncIterable[bytes]) -> int:
        parts = await self._parts()
        counted = chain(parts)
        if (size := counted[-1].stop if counted else 0) < at:
            raise DraftCut(size)
        known = self._known if self._known and self._known.size == at else Digest() if at == 0 else None
        self._known = None
        await self._cut(parts, at)
        end = at
        try:
            async for batch in _batches(chunks):
                self._held.require()
                await self._bucket.put(self._name(end), batch)
                end += len(batch)
                if known:
                    await known.add(batch)
        except BaseException:
            with contextlib.suppress(StorageUnavailable):  # what is left then is beyond what counts
                await self._cut(await self._parts(), at)
            raise
        self._known = known
        return end

    async def digest(self) -> tuple[str, int]:
        known = self._known
        if known is None:
            known = Digest()
            async for piece in self._content():
                await known.add(piece)
        return known.hash, known.size

    async def keep(self, blob: Blob) -> None:
        """Never under a name that is not its hash, whatever happens to the parts meanwhile."""
        name = content_name(blob)
        if not await self._is_whole(name, blob):
            await self._bucket.put_all(name, self._verified(blob))
            if not await self._is_whole(name, blob):
                raise StorageUnavailable
        await self.discard()

    async def discard(self) -> None:
        self._known = None
        await self._cut(await self._parts(), 0)

    async def _is_whole(self, name: str, blob: Blob) -> bool:
        with contextlib.suppress(Absent):
            return await self._bucket.size(name) == blob.size
        return False

    async def _verified(self, blob: Blob) -> AsyncIterator[bytes]:
        found = Digest()
        async for piece in self._content():
            await found.add(piece)
            yield piece
        if (found.hash, found.size) != (blob.hash, blob.size):
            raise StorageUnavailable
        self._held.require()

    async def _content(self) -> AsyncIterator[bytes]:
        for part in chain(await self._parts()):
            if part.stop > part.start:
                async for piece in await self._bucket.read(self._name(part.start), 0, part.stop - part.start):
                    yield piece

    async def _parts(self) -> list[Part]:
        """All that lies there, whether it counts or not."""
        return [Part(int(each.name), int(each.name) + each.size) for each in await self._bucket.list(self._folder)]

    async def _cut(self, parts: list[Part], at: int) -> None:
        """Forget what is from `at` on, the end first: what is left is a beginning at every moment."""
        for part in reversed(parts):
            if part.start >= at:
                await self._bucket.delete(self._name(part.start))
            elif part.stop > at:
                pieces = await self._bucket.read(self._name(part.start), 0, at - part.start)
                await self._bucket.put(self._name(part.start), b"".join([piece async for piece in pieces]))

    def _name(self, start: int) -> str:
        return f"{self._folder}/{start:020}"  # so that the order of names is the order of bytes


def chain(parts: list[Part]) -> list[Part]:
    """Of parts in the order of their starts: what counts of each."""
    if not parts or parts[0].start != 0:
        return []
    counted = list[Part]()
    for part, following in pairwise([*parts, None]):
        assert part is not None
        if following is None or following.start > part.stop:
            return [*counted, part]
        counted.append(Part(part.start, following.start))
    return counted


async def _batches(chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """As large as a part may be, so that few are needed."""
    held = bytearray()
    async for chunk in chunks:
        held += chunk
        while len(held) >= PART:
            yield bytes(held[:PART])
            del held[:PART]
    if held:
        yield bytes(held)
