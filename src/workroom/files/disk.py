"""Content on this machine's disk: `{folder}/{mandate}/{hash[:2]}/{hash}`, drafts beside it in `drafts/`.

A draft is a file under a temporary name, synced and then renamed, so content appears atomically. A draft in use is held by a
file lock, which the system releases when the process dies. Files are readable by this user alone.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
from collections.abc import AsyncIterable, AsyncIterator, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, ParamSpec, TypeVar
from uuid import UUID

from workroom.core.errors import ConfigurationError
from workroom.core.paths import safe_join
from workroom.files.errors import ContentMissing, StorageFull, UploadBusy
from workroom.files.ports import Blob, Draft, DraftCut
from workroom.files.threads import in_thread

P = ParamSpec("P")
T = TypeVar("T")

DRAFTS = "drafts"
PIECE = 256 * 1024  # read at once
BATCH = 1024 * 1024  # written at once
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT}


class DiskBlobStore:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @contextlib.asynccontextmanager
    async def draft(self, mandate_id: UUID, draft_id: UUID) -> AsyncIterator[Draft]:
        path = safe_join(self._folder, str(mandate_id), DRAFTS, str(draft_id))
        descriptors: list[int] = []  # filled by the thread, so that they are closed although we are cancelled meanwhile
        try:
            await _in_disk_thread(lambda: descriptors.append(_open_locked(path)))
            yield DiskDraft(self, path, descriptors[0])
        finally:
            for descriptor in descriptors:
                await in_thread(os.close, descriptor)

    async def has(self, blob: Blob) -> bool:
        return await in_thread(self.path(blob).is_file)

    async def open(self, blob: Blob, start: int = 0, stop: int | None = None) -> AsyncIterator[bytes]:
        try:
            file = await in_thread(self.path(blob).open, "rb")
        except FileNotFoundError:
            raise ContentMissing from None
        return _pieces(file, start, blob.size if stop is None else stop)

    @contextlib.asynccontextmanager
    async def local(self, blob: Blob) -> AsyncIterator[Path]:
        if not await self.has(blob):
            raise ContentMissing
        yield self.path(blob)

    async def delete(self, blob: Blob) -> None:
        await in_thread(self.path(blob).unlink, missing_ok=True)

    async def sweep_drafts(self, before: datetime) -> int:
        return await in_thread(_sweep, self._folder, before)

    def path(self, blob: Blob) -> Path:
        return safe_join(self._folder, str(blob.mandate_id), blob.hash[:2], blob.hash)


class DiskDraft:
    def __init__(self, store: DiskBlobStore, path: Path, descriptor: int) -> None:
        self._store, self._path, self._descriptor = store, path, descriptor

    async def append(self, at: int, chunks: AsyncIterable[bytes]) -> int:
        size = os.fstat(self._descriptor).st_size
        if size < at:
            raise DraftCut(size)
        end = at
        try:
            await _in_disk_thread(os.ftruncate, self._descriptor, at)
            async for batch in _batches(chunks):
                await _in_disk_thread(_write_at, self._descriptor, batch, end)
                end += len(batch)
            await _in_disk_thread(os.fsync, self._descriptor)
        except BaseException:
            await _in_disk_thread(os.ftruncate, self._descriptor, at)
            raise
        return end

    async def digest(self) -> tuple[str, int]:
        return await _in_disk_thread(_digest, self._descriptor)

    async def keep(self, blob: Blob) -> None:
        await _in_disk_thread(_move_into_place, self._path, self._store.path(blob))

    async def discard(self) -> None:
        await in_thread(self._path.unlink, missing_ok=True)


def _open_locked(path: Path) -> int:
    """Open and lock a draft. If it was swept or kept between the two, the descriptor is stale: try again."""
    _make_folder(path.parent)
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_same_file(descriptor, path):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            raise UploadBusy from None
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _is_same_file(descriptor: int, path: Path) -> bool:
    with contextlib.suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(descriptor), path.stat())
    return False


def _move_into_place(draft: Path, target: Path) -> None:
    if target.exists():
        draft.unlink(missing_ok=True)
        return
    _make_folder(target.parent)
    os.replace(draft, target)
    for folder in (target.parent, target.parent.parent):
        _sync_folder(folder)


def _make_folder(folder: Path) -> None:
    """Make a folder and its parents with mode 0700; `parents=True` would give the parents the default mode."""
    if not folder.exists():
        _make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def _sync_folder(folder: Path) -> None:
    """Sync a folder: a rename is durable only after that."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write_at(descriptor: int, data: bytes, offset: int) -> None:
    view = memoryview(data)
    while view:
        written = os.pwrite(descriptor, view, offset)
        view, offset = view[written:], offset + written


def _digest(descriptor: int) -> tuple[str, int]:
    digest, size = hashlib.sha256(), 0
    while piece := os.pread(descriptor, BATCH, size):
        digest.update(piece)
        size += len(piece)
    return digest.hexdigest(), size


async def _batches(chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """Chunks gathered to about BATCH bytes: network chunks are small, and each write costs a thread switch."""
    buffer = bytearray()
    async for chunk in chunks:
        buffer += chunk
        if len(buffer) >= BATCH:
            yield bytes(buffer)
            buffer.clear()
    if buffer:
        yield bytes(buffer)


async def _pieces(file: BinaryIO, start: int, stop: int) -> AsyncIterator[bytes]:
    try:
        await in_thread(file.seek, start)
        left = stop - start
        while left > 0 and (piece := await in_thread(file.read, min(PIECE, left))):
            left -= len(piece)
            yield piece
    finally:
        file.close()


def _sweep(folder: Path, before: datetime) -> int:
    swept = 0
    for path in folder.glob(f"*/{DRAFTS}/*"):
        with contextlib.suppress(FileNotFoundError, UploadBusy):
            if not _is_old(path.stat(), before):
                continue
            descriptor = _open_locked(path)
            try:
                if _is_old(os.fstat(descriptor), before):  # or it was written to before we locked it
                    path.unlink()
                    swept += 1
            finally:
                os.close(descriptor)
    return swept


def _is_old(status: os.stat_result, before: datetime) -> bool:
    return datetime.fromtimestamp(status.st_mtime, UTC) < before


async def _in_disk_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `work` in a thread; raises StorageFull or ConfigurationError for an OSError."""
    try:
        return await in_thread(work, *args, **kwargs)
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise StorageFull from error
        raise ConfigurationError(f"The folder for files cannot be used: {error.strerror}.") from error
