"""Writes a member of a container to disk, capped by its real size, and removes it when that fails."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path, PurePosixPath
from typing import IO

from workroom.core.paths import safe_join, safe_name
from workroom.documents.containers.budget import UnpackingBudget, display_name
from workroom.documents.containers.types import ContainerMember
from workroom.documents.errors import ContainerLimitError, DamagedDocument

_PIECE = 1 << 16


def write_member(
    stream: IO[bytes], member: ContainerMember, into: Path, *, budget: UnpackingBudget, packed: int | None = None
) -> Path:
    """Write a member into a new folder below `into`. A declared size was counted when the member was listed, and more than
    that is refused; otherwise bytes are counted as they are written."""
    folder = Path(tempfile.mkdtemp(dir=into))
    try:
        # A name of the archive never becomes a path: device names, trailing dots and the like end here.
        target = safe_join(folder, safe_name(PurePosixPath(member.path).name))
        with target.open("xb") as file:
            written = 0
            while piece := stream.read(_PIECE):
                written += len(piece)
                if member.size is None:
                    budget.take(len(piece))
                    budget.compare(member.path, written, packed)
                elif written > member.size:
                    raise ContainerLimitError(
                        f"“{display_name(member.path)}” is larger than its archive says."
                        " This archive is damaged or was made to do harm."
                    )
                file.write(piece)
        if member.size is not None and written < member.size:
            raise DamagedDocument(
                f"“{display_name(member.path)}” is shorter than its archive says: the archive is damaged."
            )
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return target
