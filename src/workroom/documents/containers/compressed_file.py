"""One compressed file: GZ, BZ2 or XZ around something that is no TAR."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from workroom.core.paths import safe_name
from workroom.documents.containers.base import OpenContainer
from workroom.documents.containers.budget import UnpackingBudget
from workroom.documents.containers.decompression import UNREADABLE, decompressed, is_disk_error
from workroom.documents.containers.types import ContainerMember
from workroom.documents.errors import DamagedDocument
from workroom.documents.kinds import media_type_of_name

_ENDINGS = (".gz", ".bz2", ".xz")


class CompressedFileContainer(OpenContainer):
    def __init__(self, path: Path, name: str, media_type: str, budget: UnpackingBudget) -> None:
        super().__init__(budget)
        self._path, self._media_type = path, media_type
        self.packed = path.stat().st_size
        self._name = safe_name(inner_name(name))

    def members(self) -> Iterator[ContainerMember]:
        # GZ claims a size, but modulo 4 GB and for its last part only: not reliable enough to show.
        self.count(0, self._name, None)
        yield ContainerMember(path=self._name, media_type=media_type_of_name(self._name))

    @contextmanager
    def reading(self, member: ContainerMember) -> Iterator[IO[bytes]]:
        try:
            with decompressed(self._path, self._media_type) as stream:
                yield stream
        except (*UNREADABLE, OSError) as error:
            if is_disk_error(error):
                raise
            raise DamagedDocument(
                "This compressed file is damaged or incomplete. Upload it again, or upload its content."
            ) from error

    def close(self) -> None:
        """Nothing stays open between reads."""


def inner_name(name: str) -> str:
    """What the unpacked file is called."""
    for ending in _ENDINGS:
        if name.lower().endswith(ending) and len(name) > len(ending):
            return name[: -len(ending)]
    return f"{name}.unpacked"
