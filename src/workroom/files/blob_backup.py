"""Copies a folder of blobs into another, for backups on disk: only what is missing there, and only intact blobs.

Blobs never change, so this is safe while the workspace is in use, and can be repeated to add newer ones. Drafts are not copied.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from workroom.core.paths import safe_join

_NAME = re.compile(r"[0-9a-f]{64}")
PIECE = 1024 * 1024


@dataclass
class BackupResult:
    files: int = 0
    bytes: int = 0
    damaged: int = 0  # whose content does not match their hash: not copied

    def __str__(self) -> str:
        damaged = f"; {self.damaged:,} left out because they are damaged" if self.damaged else ""
        return f"{self.files:,} contents ({self.bytes:,} bytes){damaged}"


def copy_contents(source: Path, target: Path) -> BackupResult:
    done = BackupResult()
    for path in blob_paths(source):
        destination = safe_join(target, *path.relative_to(source).parts)
        if destination.is_file() and destination.stat().st_size == path.stat().st_size:
            continue
        for folder in (target, destination.parent.parent, destination.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if (size := _copy(path, destination)) is None:
            done.damaged += 1
        else:
            done.files, done.bytes = done.files + 1, done.bytes + size
    return done


def blob_paths(folder: Path) -> Iterator[Path]:
    """Paths of all blobs, `{mandate}/{hash[:2]}/{hash}`; no symbolic links."""
    for path in folder.glob("*/??/*"):
        if _NAME.fullmatch(path.name) and path.is_file() and not path.is_symlink():
            yield path


def _copy(path: Path, destination: Path) -> int | None:
    """Copy atomically and return the size; None, and no copy, when the content does not match its hash."""
    part, digest, size = destination.with_name(f"{destination.name}.{uuid4().hex}"), hashlib.sha256(), 0
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with path.open("rb") as source, os.fdopen(descriptor, "wb") as out:
            while piece := source.read(PIECE):
                digest.update(piece)
                size += out.write(piece)
            out.flush()
            os.fsync(out.fileno())
        if digest.hexdigest() != path.name:
            return None
        os.replace(part, destination)
        return size
    finally:
        part.unlink(missing_ok=True)
