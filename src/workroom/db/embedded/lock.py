"""One owner per data folder.

The lock is the kernel's (`flock`), so it is free the moment its process is gone, however it went. What the file says
(who, where, since when) is only for people: it names the owner to the second process.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from workroom.core.clock import now
from workroom.core.errors import AlreadyRunning, ConfigurationError
from workroom.db.embedded.folder import owned_folder

FILE_NAME = "server.lock"
_PROBES_LAST_AT_MOST = 5.0  # seconds; in truth microseconds


@dataclass(frozen=True)
class LockOwner:
    """Who owns a folder. Everything is None in the instant between taking the lock and writing the name."""

    pid: int | None
    address: str | None
    started_at: datetime | None


class FolderLock:
    """Held by the one `serve` of a data folder; others get AlreadyRunning with its address."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor: int | None = descriptor
        self._started_at = now()
        self._write(address=None)

    @classmethod
    def acquire(cls, folder: Path) -> FolderLock:
        path = owned_folder(folder) / FILE_NAME
        give_up = time.monotonic() + _PROBES_LAST_AT_MOST
        while True:
            try:
                descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _NO_SYMLINK, 0o600)
                if _take(descriptor, shared=False) and _is_at(descriptor, path):
                    return cls(path, descriptor)
                # Someone who only asks (`owner`) holds the lock shared for an instant; a real owner never shares it.
                only_asked = _take(descriptor, shared=True)
                found = _read(descriptor)
                os.close(descriptor)
            except OSError as error:
                raise ConfigurationError(f"The lock file {path} cannot be used: {error.strerror or error}.") from error
            if not only_asked or time.monotonic() > give_up:
                raise AlreadyRunning(_told(folder, found), address=found.address, pid=found.pid)

    def announce(self, address: str) -> None:
        """Add the address, once the port is known."""
        self._write(address)

    def release(self) -> None:
        if self._descriptor is None:
            return
        # The file stays: removing it would let two processes lock two different files of the same name.
        os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)
        self._descriptor = None

    @staticmethod
    def owner(folder: Path) -> LockOwner | None:
        """Who owns the folder now, None when it is free; never takes it."""
        try:
            descriptor = os.open(folder / FILE_NAME, os.O_RDWR | _NO_SYMLINK)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise ConfigurationError(
                f"The lock file {folder / FILE_NAME} cannot be read ({error.strerror}): use the account that runs "
                "`workroom serve`."
            ) from error
        try:
            return None if _take(descriptor, shared=True) else _read(descriptor)
        finally:
            os.close(descriptor)

    def _write(self, address: str | None) -> None:
        if self._descriptor is None:
            raise RuntimeError("the lock was released")
        entry = {"pid": os.getpid(), "address": address, "startedAt": self._started_at.isoformat()}
        os.ftruncate(self._descriptor, 0)
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        os.write(self._descriptor, json.dumps(entry).encode())


def _told(folder: Path, owner: LockOwner) -> str:
    where = f"at {owner.address}" if owner.address else "and still starting"
    who = f"process {owner.pid}" if owner.pid else "its process is not known yet"
    return (
        f"Workroom is already running {where} for the data folder {folder} ({who}): use that one, stop it first, "
        "or choose another folder with WORKROOM_DATA."
    )


def _read(descriptor: int) -> LockOwner:
    os.lseek(descriptor, 0, os.SEEK_SET)
    try:
        entry = json.loads(os.read(descriptor, 65_536))
        return LockOwner(int(entry["pid"]), entry["address"], datetime.fromisoformat(entry["startedAt"]))
    except (ValueError, KeyError, TypeError):
        return LockOwner(None, None, None)


def _is_at(descriptor: int, path: Path) -> bool:
    """Whether the locked file is still the one other processes will find there."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


if sys.platform == "win32":  # written from the documentation, never run
    import msvcrt

    _NO_SYMLINK = 0

    def _take(descriptor: int, *, shared: bool) -> bool:
        # Windows knows no shared lock here, so an asker counts as an owner for an instant. Byte 1,000,000 is locked
        # because a locked byte cannot be read.
        os.lseek(descriptor, 1_000_000, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    _NO_SYMLINK = os.O_NOFOLLOW

    def _take(descriptor: int, *, shared: bool) -> bool:
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
