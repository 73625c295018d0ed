"""A disk of a few kilobytes: a tmpfs, which runs full as real disks do, and can be made larger while it is in use."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

INODES = 1000


@dataclass(frozen=True)
class TinyDisk:
    path: Path

    def resize(self, size: int, inodes: int = INODES) -> None:
        """Bytes, and how many files and folders."""
        _mount("-o", f"remount,size={size},nr_inodes={inodes}", str(self.path)).check_returncode()

    @property
    def files(self) -> list[Path]:
        return [path for path in self.path.rglob("*") if path.is_file()]


@contextlib.contextmanager
def tiny_disk(path: Path, size: int, inodes: int = INODES) -> Iterator[TinyDisk]:
    """Skips the test where nobody may mount anything."""
    path.mkdir(parents=True, exist_ok=True)
    done = _mount("-t", "tmpfs", "-o", f"size={size},nr_inodes={inodes},mode=755", "tmpfs", str(path))
    if done.returncode:
        pytest.skip(f"A small disk cannot be mounted here: {done.stderr.strip()}")
    try:
        yield TinyDisk(path)
    finally:
        subprocess.run(["umount", "--lazy", str(path)], check=True)


def _mount(*words: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(["mount", *words], check=False, capture_output=True, text=True)
    except FileNotFoundError as error:
        return subprocess.CompletedProcess(words, 1, "", str(error))
