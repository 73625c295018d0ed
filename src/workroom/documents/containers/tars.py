"""TAR archives, plain or compressed, read forwards within the limits.

tarfile trusts sizes and offsets: negative ones would make it loop, those of an extended header would fill the memory. The
file wrapper it reads from refuses both, and every entry is checked before the next is read.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from workroom.documents.bounded import BoundedFile, ReadTooLarge
from workroom.documents.containers.base import OpenContainer
from workroom.documents.containers.budget import UnpackingBudget, display_name
from workroom.documents.containers.decompression import UNREADABLE, decompressed, is_disk_error
from workroom.documents.containers.member_names import MemberNames, tar_name
from workroom.documents.containers.types import ContainerMember
from workroom.documents.errors import ContainerLimitError, DamagedDocument
from workroom.documents.kinds import media_type_of_name

_AT_ONCE = 1 << 20  # bytes of one header; names and attributes need a thousandth
_OVERHEAD = 4096  # bytes of headers and padding that a member may need in the archive itself
_BROKEN = (tarfile.TarError, *UNREADABLE, OSError, ValueError, OverflowError, RecursionError)
_DAMAGED = "This archive is damaged or incomplete. Upload it again, or pack it again."


class TarContainer(OpenContainer):
    def __init__(self, path: Path, media_type: str, budget: UnpackingBudget) -> None:
        super().__init__(budget)
        self._stream = path.open("rb") if media_type == "application/x-tar" else decompressed(path, media_type)
        self.packed = path.stat().st_size
        limits = budget.limits
        self._file = BoundedFile(self._stream, at_once=_AT_ONCE, in_all=limits.bytes + limits.files * _OVERHEAD)
        self._entries: list[tarfile.TarInfo] = []
        try:
            with self._sound():
                self._archive = tarfile.open(fileobj=self._file, mode="r:")  # noqa: SIM115  closed by close()
        except BaseException:
            self._stream.close()
            raise

    def members(self) -> Iterator[ContainerMember]:
        names, unpacked_so_far = MemberNames(), 0
        self._entries.clear()
        for info in self._infos():
            name = tar_name(info.name)
            _refuse_special(info, name)
            self.count(len(self._entries), name, info.size)
            unpacked_so_far += info.size
            self.budget.compare(name, unpacked_so_far, self.packed)
            self._entries.append(info)
            path = names.unique(name, is_folder=info.isdir())
            if path is not None:
                yield ContainerMember(
                    path=path,
                    size=info.size,
                    is_folder=info.isdir(),
                    modified=_moment(info.mtime),
                    media_type=None if info.isdir() else media_type_of_name(path),
                    index=len(self._entries) - 1,
                )

    def _infos(self) -> Iterator[tarfile.TarInfo]:
        infos = iter(self._archive)
        while True:
            with self._sound():
                info = next(infos, None)
            if info is None:
                return
            yield info

    @contextmanager
    def reading(self, member: ContainerMember) -> Iterator[IO[bytes]]:
        with self._sound():
            stream = self._archive.extractfile(self._entries[member.index])
            if stream is None:
                raise DamagedDocument(_DAMAGED)
            with stream:
                yield stream

    @contextmanager
    def _sound(self) -> Iterator[None]:
        try:
            yield
        except ReadTooLarge:
            raise ContainerLimitError(
                "This archive claims sizes that no honest archive has, or unpacks to more than is allowed. Pack it again."
            ) from None
        except (ContainerLimitError, DamagedDocument):
            raise
        except _BROKEN as error:
            if is_disk_error(error):
                raise
            raise DamagedDocument(_DAMAGED) from error

    def close(self) -> None:
        self._archive.close()
        self._stream.close()


def _refuse_special(info: tarfile.TarInfo, name: str) -> None:
    if info.issym() or info.islnk():
        raise ContainerLimitError(
            f"This archive holds a link, “{display_name(name)}”. Links are not followed: pack it again without links."
        )
    if not (info.isreg() or info.isdir()):
        raise ContainerLimitError(
            f"This archive holds a device or a pipe, “{display_name(name)}”. Only files and folders are taken: pack it without."
        )


def _moment(seconds: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
