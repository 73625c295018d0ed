"""Copies of content on this machine, for parsers that want a file: each is fetched once and kept while there is room.

All processes of the machine share the folder. Who uses a copy holds a shared lock on it, who writes or removes one an exclusive
one; the system lets go of both when a process dies. A copy has its name only when it is whole and its hash is right.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import fcntl
import os
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from uuid import uuid4

from workroom.core.errors import ConfigurationError, StorageFull
from workroom.core.paths import safe_join
from workroom.files.errors import StorageUnavailable
from workroom.files.ports import Blob
from workroom.files.s3_drafts import Digest
from workroom.files.threads import in_thread

MOST_BYTES = 2_000_000_000
UNUSED_SECONDS = 3600.0
UNFINISHED = ".part"
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT}

Fetch = Callable[[Blob], Awaitable[AsyncIterator[bytes]]]


class Copies:
    def __init__(self, folder: Path, fetch: Fetch, most_bytes: int = MOST_BYTES) -> None:
        self._folder, self._fetch, self._most = folder, fetch, most_bytes
        self._fetching: defaultdict[Path, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._waiting: defaultdict[Path, int] = defaultdict(int)

    @contextlib.asynccontextmanager
    async def held(self, blob: Blob) -> AsyncIterator[Path]:
        path = self._path(blob)
        descriptor = await in_thread(_use, path)
        while descriptor is None:
            async with self._alone(path):
                if (descriptor := await in_thread(_use, path)) is None:
                    await self._fetched(blob, path)
                    descriptor = await in_thread(_use, path)
        try:
            yield path
        finally:
            await in_thread(os.close, descriptor)

    async def forget(self, blob: Blob) -> None:
        await in_thread(_remove_unused, self._path(blob))

    async def tidy(self) -> None:
        """Remove what nobody used for a while, and of the rest the least recently used until it fits."""
        await in_thread(_tidy, self._folder, self._most)

    def _path(self, blob: Blob) -> Path:
        return safe_join(self._folder, f"{blob.mandate_id}-{blob.hash}")

    @contextlib.asynccontextmanager
    async def _alone(self, path: Path) -> AsyncIterator[None]:
        """Several here want the same: one fetches it."""
        self._waiting[path] += 1
        try:
            async with self._fetching[path]:
                yield
        finally:
            self._waiting[path] -= 1
            if not self._waiting[path]:
                del self._waiting[path], self._fetching[path]

    async def _fetched(self, blob: Blob, path: Path) -> None:
        pieces = await self._fetch(blob)
        part = path.with_name(f"{path.name}.{uuid4().hex}{UNFINISHED}")
        try:
            descriptor = await in_thread(_begin, part)
            try:
                digest = Digest()
                async for piece in pieces:
                    await in_thread(_write, descriptor, piece)
                    await digest.add(piece)
                if (digest.hash, digest.size) != (blob.hash, blob.size):
                    raise StorageUnavailable
                await in_thread(os.replace, part, path)
            except BaseException:
                await in_thread(part.unlink, missing_ok=True)
                raise
            finally:
                await in_thread(os.close, descriptor)
            await self.tidy()
        except OSError as error:
            if error.errno in _NO_ROOM:
                raise StorageFull from error
            raise ConfigurationError(f"The folder for copies of files cannot be used: {error.strerror}.") from error


def _begin(part: Path) -> int:
    part.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return descriptor


def _write(descriptor: int, piece: bytes) -> None:
    view = memoryview(piece)
    while view:
        view = view[os.write(descriptor, view) :]


def _use(path: Path) -> int | None:
    """Open and held, and used just now; None if it is not there, or going at this moment."""
    with contextlib.suppress(FileNotFoundError, BlockingIOError), contextlib.ExitStack() as undo:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        undo.callback(os.close, descriptor)
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), path.stat()):
            os.utime(descriptor)
            undo.pop_all()
            return descriptor
    return None


def _remove_unused(path: Path) -> bool:
    with contextlib.suppress(FileNotFoundError, BlockingIOError):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
            return True
        finally:
            os.close(descriptor)
    return False


def _tidy(folder: Path, most: int) -> None:
    found = []
    for path in folder.iterdir() if folder.is_dir() else ():
        with contextlib.suppress(FileNotFoundError):
            about = path.stat()
            found.append((about.st_mtime, about.st_size, path))
    room = most
    for used, size, path in sorted(found, reverse=True):
        room -= size
        old = time.time() - used > UNUSED_SECONDS
        if (old or room < 0 or path.suffix == UNFINISHED) and _remove_unused(path):
            room += size
