"""Blob store in memory, for tests. It can run full, and counts the blobs it kept."""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
from collections.abc import AsyncIterable, AsyncIterator
from datetime import datetime
from pathlib import Path
from uuid import UUID

from workroom.core.clock import now
from workroom.files.errors import ContentMissing, StorageFull, UploadBusy
from workroom.files.ports import Blob, Draft, DraftCut

Name = tuple[UUID, str]


class InMemoryBlobStore:
    """`room` is the capacity in bytes, drafts included; None: unlimited."""

    def __init__(self, room: int | None = None) -> None:
        self.room = room
        self.kept: dict[Name, bytes] = {}
        self.times_kept = 0
        self.drafts: dict[Name, bytearray] = {}
        self.written: dict[Name, datetime] = {}
        self._held: set[Name] = set()

    @contextlib.asynccontextmanager
    async def draft(self, mandate_id: UUID, draft_id: UUID) -> AsyncIterator[Draft]:
        name = (mandate_id, str(draft_id))
        if name in self._held:
            raise UploadBusy
        self._held.add(name)
        self.drafts.setdefault(name, bytearray())
        self.written.setdefault(name, now())
        try:
            yield InMemoryDraft(self, name)
        finally:
            self._held.discard(name)

    async def has(self, blob: Blob) -> bool:
        return _name(blob) in self.kept

    async def open(self, blob: Blob, start: int = 0, stop: int | None = None) -> AsyncIterator[bytes]:
        if _name(blob) not in self.kept:
            raise ContentMissing
        return _as_stream(self.kept[_name(blob)][start:stop])

    @contextlib.asynccontextmanager
    async def local(self, blob: Blob) -> AsyncIterator[Path]:
        if _name(blob) not in self.kept:
            raise ContentMissing
        with tempfile.NamedTemporaryFile() as file:
            file.write(self.kept[_name(blob)])
            file.flush()
            yield Path(file.name)

    async def delete(self, blob: Blob) -> None:
        self.kept.pop(_name(blob), None)

    async def sweep_drafts(self, before: datetime) -> int:
        old = [name for name in self.drafts if name not in self._held and self.written[name] < before]
        for name in old:
            del self.drafts[name], self.written[name]
        return len(old)

    def require_room(self, more: int) -> None:
        used = sum(map(len, self.kept.values())) + sum(map(len, self.drafts.values()))
        if self.room is not None and used + more > self.room:
            raise StorageFull


class InMemoryDraft:
    def __init__(self, store: InMemoryBlobStore, name: Name) -> None:
        self._store, self._name = store, name

    async def append(self, at: int, chunks: AsyncIterable[bytes]) -> int:
        draft = self._store.drafts[self._name]
        if len(draft) < at:
            raise DraftCut(len(draft))
        del draft[at:]
        try:
            async for chunk in chunks:
                self._store.require_room(len(chunk))
                draft += chunk
        except BaseException:
            del draft[at:]
            raise
        self._store.written[self._name] = now()
        return len(draft)

    async def digest(self) -> tuple[str, int]:
        draft = self._store.drafts[self._name]
        return hashlib.sha256(draft).hexdigest(), len(draft)

    async def keep(self, blob: Blob) -> None:
        content = bytes(self._store.drafts[self._name])
        await self.discard()
        if _name(blob) not in self._store.kept:
            self._store.kept[_name(blob)] = content
            self._store.times_kept += 1

    async def discard(self) -> None:
        self._store.drafts.pop(self._name, None)
        self._store.written.pop(self._name, None)


def _name(blob: Blob) -> Name:
    return blob.mandate_id, blob.hash


async def _as_stream(content: bytes) -> AsyncIterator[bytes]:
    if content:
        yield content
