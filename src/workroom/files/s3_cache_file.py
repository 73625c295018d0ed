"""One use of a file in the cache of blobs. Blocking: for threads.

Readers hold a shared file lock, writing and removing takes an exclusive one; the system releases both when a process dies.
`close` closes what a thread has opened, also when its caller was cancelled.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path
from uuid import uuid4

UNFINISHED = ".part"


class CachedFile:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._part = path.with_name(f"{path.name}.{uuid4().hex}{UNFINISHED}")
        self._descriptor: int | None = None

    def take(self) -> bool:
        """Lock the file for reading and mark it as used; False if it does not exist or is being removed."""
        with contextlib.suppress(FileNotFoundError, BlockingIOError):
            self._descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
            fcntl.flock(self._descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(self._descriptor), self.path.stat()):
                os.utime(self._descriptor)
                return True
        self.close()
        return False

    def begin(self) -> None:
        self._part.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._descriptor = os.open(self._part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def write(self, piece: bytes) -> None:
        assert self._descriptor is not None
        view = memoryview(piece)
        while view:
            view = view[os.write(self._descriptor, view) :]

    def settle(self) -> bool:
        """Give the written file its name and keep it locked for reading; False if another process made it first."""
        assert self._descriptor is not None
        try:
            os.link(self._part, self.path)
        except FileExistsError:
            self.close()
            return False
        self._part.unlink()
        fcntl.flock(self._descriptor, fcntl.LOCK_SH)
        return True

    def close(self) -> None:
        if self._descriptor is not None:
            self._part.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = None


def remove_unused(path: Path) -> bool:
    with contextlib.suppress(FileNotFoundError, BlockingIOError):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
            return True
        finally:
            os.close(descriptor)
    return False
