"""Copies of content on this machine, for parsers that want a file: each is fetched once and kept while there is room.

All processes of the machine share the folder. A copy has its name only when it is whole and its hash is right; what is in use
is never taken away (`s3_copy`).
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

from workroom.core.errors import ConfigurationError, StorageFull
from workroom.core.paths import safe_join
from workroom.files.errors import StorageUnavailable
from workroom.files.ports import Blob
from workroom.files.s3_copy import UNFINISHED, Copy, remove_unused
from workroom.files.s3_drafts import Digest
from workroom.files.threads import in_thread

MOST_BYTES = 2_000_000_000
UNUSED_SECONDS = 3600.0
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT}

Fetch = Callable[[Blob], Awaitable[AsyncIterator[bytes]]]


class Copies:
    def __init__(self, folder: Path, fetch: Fetch, most_bytes: int = MOST_BYTES) -> None:
        self._folder, self._fetch, self._most = folder, fetch, most_bytes
        self._fetching: defaultdict[Path, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._waiting: defaultdict[Path, int] = defaultdict(int)

    @contextlib.asynccontextmanager
    async def held(self, blob: Blob) -> AsyncIterator[Path]:
        copy = Copy(self._path(blob))
        try:
            taken = await in_thread(copy.take)
            while not taken:
                async with self._alone(copy.path):
                    taken = await in_thread(copy.take) or await self._fetched(blob, copy)
            yield copy.path
        finally:
            await in_thread(copy.close)

    async def forget(self, blob: Blob) -> None:
        await in_thread(remove_unused, self._path(blob))

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

    async def _fetched(self, blob: Blob, copy: Copy) -> bool:
        """False if another process was quicker."""
        pieces, digest = await self._fetch(blob), Digest()
        with _explained():
            await in_thread(copy.begin)
        async for piece in pieces:
            with _explained():
                await in_thread(copy.write, piece)
            await digest.add(piece)
        if (digest.hash, digest.size) != (blob.hash, blob.size):
            raise StorageUnavailable
        with _explained():
            settled = await in_thread(copy.settle)
        await self.tidy()
        return settled


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise StorageFull from error
        raise ConfigurationError(f"The folder for copies of files cannot be used: {error.strerror}.") from error


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
        if (old or room < 0 or path.suffix == UNFINISHED) and remove_unused(path):
            room += size
