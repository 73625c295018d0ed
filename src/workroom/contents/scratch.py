"""Files that parsers need for a while: members taken out of archives, kept as long as there is room. Nothing here is the
only copy of anything; a folder whose process is gone is removed by the next one."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from workroom.core.errors import ConfigurationError, StorageFull

MOST_BYTES = 2_000_000_000
Name = tuple[str, ...]


@dataclass
class _Entry:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    users: int = 0
    path: Path | None = None
    size: int = 0


class Scratch:
    def __init__(self, below: Path, most_bytes: int = MOST_BYTES) -> None:
        self._below, self._most = below, most_bytes
        self._own: Path | None = None
        self._entries: OrderedDict[Name, _Entry] = OrderedDict()  # least recently used first

    @contextlib.asynccontextmanager
    async def held(self, name: Name, make: Callable[[Path], Awaitable[Path]]) -> AsyncIterator[Path]:
        """The file of that name, made if it is not there; `make` puts it into a new folder below the one it is given."""
        entry = self._entries.setdefault(name, _Entry())
        self._entries.move_to_end(name)
        entry.users += 1
        try:
            async with entry.lock:
                if entry.path is None or not await asyncio.to_thread(
                    entry.path.is_file
                ):  # it may have been deleted from outside
                    path = await self._made(make)
                    entry.path, entry.size = path, (await asyncio.to_thread(path.stat)).st_size
            yield entry.path
        finally:
            entry.users -= 1
            await self._make_room()

    async def close(self) -> None:
        self._entries.clear()
        if self._own is not None:
            await asyncio.to_thread(shutil.rmtree, self._own, ignore_errors=True)

    async def _made(self, make: Callable[[Path], Awaitable[Path]]) -> Path:
        try:
            return await make(await self._folder())
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise StorageFull from error
            raise ConfigurationError(f"The folder for unpacked files cannot be used: {error.strerror}.") from error

    async def _folder(self) -> Path:
        if self._own is None or not await asyncio.to_thread(self._own.is_dir):
            self._own = await asyncio.to_thread(_begin, self._below)
        return self._own

    async def _make_room(self) -> None:
        unused = [name for name, entry in self._entries.items() if not entry.users]
        total = sum(entry.size for entry in self._entries.values())
        for name in unused:
            entry = self._entries.get(name)  # it may be used again while others are removed
            if entry is None or entry.users or (entry.path is not None and total <= self._most):
                continue
            del self._entries[name]
            total -= entry.size
            if entry.path is not None:
                await asyncio.to_thread(shutil.rmtree, entry.path.parent, ignore_errors=True)


def _begin(below: Path) -> Path:
    """A folder of this process, after removing those of processes that are gone."""
    below.mkdir(parents=True, exist_ok=True)
    for folder in below.iterdir():
        if not _is_running(folder.name.partition("-")[0]):
            shutil.rmtree(folder, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=below))


def _is_running(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True
