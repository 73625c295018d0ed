"""Cache of blobs on this machine's disk, for parsers that need a file: fetched once, evicted by size and age.

All processes of the machine share the folder. A file gets its name only when it is complete and its hash is right; files in use
are not evicted (`s3_cache_file`).
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
from workroom.files.s3_cache_file import UNFINISHED, CachedFile, remove_unused
from workroom.files.s3_drafts import ContentHasher
from workroom.files.threads import in_thread

MOST_BYTES = 2_000_000_000
UNUSED_SECONDS = 3600.0
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT}

Fetch = Callable[[Blob], Awaitable[AsyncIterator[bytes]]]


class LocalCache:
    def __init__(self, folder: Path, fetch: Fetch, most_bytes: int = MOST_BYTES) -> None:
        self._folder, self._fetch, self._most = folder, fetch, most_bytes
        self._fetching: defaultdict[Path, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._waiting: defaultdict[Path, int] = defaultdict(int)

    @contextlib.asynccontextmanager
    async def local(self, blob: Blob) -> AsyncIterator[Path]:
        copy = CachedFile(self._path(blob))
        try:
            taken = await in_thread(copy.take)
            while not taken:
                async with self._fetch_lock(copy.path):
                    taken = await in_thread(copy.take) or await self._fetch_into(blob, copy)
            yield copy.path
        finally:
            await in_thread(copy.close)

    async def remove(self, blob: Blob) -> None:
        await in_thread(remove_unused, self._path(blob))

    async def evict(self) -> None:
        """Remove files unused for UNUSED_SECONDS, then the least recently used ones until the size limit holds."""
        await in_thread(_evict, self._folder, self._most)

    def _path(self, blob: Blob) -> Path:
        return safe_join(self._folder, f"{blob.mandate_id}-{blob.hash}")

    @contextlib.asynccontextmanager
    async def _fetch_lock(self, path: Path) -> AsyncIterator[None]:
        """One fetch per blob in this process; others wait for it."""
        self._waiting[path] += 1
        try:
            async with self._fetching[path]:
                yield
        finally:
            self._waiting[path] -= 1
            if not self._waiting[path]:
                del self._waiting[path], self._fetching[path]

    async def _fetch_into(self, blob: Blob, copy: CachedFile) -> bool:
        """Fetch the blob into the cache; False if another process finished first."""
        pieces, digest = await self._fetch(blob), ContentHasher()
        with _as_storage_errors():
            await in_thread(copy.begin)
        async for piece in pieces:
            with _as_storage_errors():
                await in_thread(copy.write, piece)
            await digest.add(piece)
        if (digest.hash, digest.size) != (blob.hash, blob.size):
            raise StorageUnavailable
        with _as_storage_errors():
            settled = await in_thread(copy.settle)
        await self.evict()
        return settled


@contextlib.contextmanager
def _as_storage_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise StorageFull from error
        raise ConfigurationError(f"The folder for copies of files cannot be used: {error.strerror}.") from error


def _evict(folder: Path, most: int) -> None:
    copies = []
    for path in folder.iterdir() if folder.is_dir() else ():
        with contextlib.suppress(FileNotFoundError):
            status = path.stat()
            copies.append((status.st_mtime, status.st_size, path))
    room = most
    for used, size, path in sorted(copies, reverse=True):
        room -= size
        old = time.time() - used > UNUSED_SECONDS
        if (old or room < 0 or path.suffix == UNFINISHED) and remove_unused(path):
            room += size
