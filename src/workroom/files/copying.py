"""A folder of blobs copied into another, for backups on disk: only what is missing there, and only what is its own hash.

Content never changes, so this may run while the workspace works, and again to add what came since. Drafts stay behind.
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
class Copied:
    files: int = 0
    bytes: int = 0
    damaged: int = 0  # what is not its hash is not copied

    def __str__(self) -> str:
        damaged = f"; {self.damaged:,} left out because they are damaged" if self.damaged else ""
        return f"{self.files:,} contents ({self.bytes:,} bytes){damaged}"


def copy_contents(source: Path, target: Path) -> Copied:
    done = Copied()
    for path in contents(source):
        there = safe_join(target, *path.relative_to(source).parts)
        if there.is_file() and there.stat().st_size == path.stat().st_size:
            continue
        for folder in (target, there.parent.parent, there.parent):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if (size := _copy(path, there)) is None:
            done.damaged += 1
        else:
            done.files, done.bytes = done.files + 1, done.bytes + size
    return done


def contents(folder: Path) -> Iterator[Path]:
    """`{mandate}/{hash[:2]}/{hash}`, and nothing that only looks like a file."""
    for path in folder.glob("*/??/*"):
        if _NAME.fullmatch(path.name) and path.is_file() and not path.is_symlink():
            yield path


def _copy(path: Path, there: Path) -> int | None:
    """There whole or not at all."""
    part, digest, size = there.with_name(f"{there.name}.{uuid4().hex}"), hashlib.sha256(), 0
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
        os.replace(part, there)
        return size
    finally:
        part.unlink(missing_ok=True)
