"""Folders for databases and whole workspaces: in memory where there is enough of it, else where temporary files go.

A database is hundreds of files, and tests make and remove one each: on a disk that costs ten times the processor time.
Nothing is proved less: what a killed process leaves is the same, and disks that run full are mounted by those who need one.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

_MEMORY = Path("/dev/shm")
_ENOUGH = 2 << 30  # free bytes; a container has 64 MB of it unless told otherwise
_PREFIX = "wr-quick-"


def quick_place() -> str | None:
    """For `dir=` of `tempfile`; None is its own choice."""
    if os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free >= _ENOUGH:
        return str(_MEMORY)
    return None


@contextlib.contextmanager
def quick_folder(place: str | None = None) -> Iterator[Path]:
    """A short path, closed to other users, removed in the end; those of killed tests are removed by the next."""
    place = place or quick_place() or tempfile.gettempdir()
    for left in Path(place).glob(f"{_PREFIX}*"):
        with _locked(left) as ours:
            if ours:
                shutil.rmtree(left, ignore_errors=True)
    while True:
        path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place)).resolve()
        with _locked(path) as ours:
            if not ours:  # somebody who tidies up was quicker than our lock
                continue
            try:
                yield path
            finally:
                shutil.rmtree(path)
            return


@contextlib.contextmanager
def open_quick_folder() -> Iterator[Path]:
    """One that every user may pass through: PostgreSQL may run as somebody else."""
    with quick_folder() as path:
        path.chmod(0o755)
        yield path


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Whether the folder is there and nobody else's. The lock is on itself: it ends with the process, however that ends."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:  # gone meanwhile, or another user's
        yield False
        return
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield folder.exists()
    finally:
        os.close(descriptor)
