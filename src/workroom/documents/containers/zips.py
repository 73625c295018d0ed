"""ZIP archives. The central directory is checked before a member is returned: overlaps, sizes, ratios, links, names."""

from __future__ import annotations

import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO

from workroom.documents.bounded import BoundedFile, ReadTooLarge
from workroom.documents.containers.base import OpenContainer
from workroom.documents.containers.budget import UnpackingBudget, display_name
from workroom.documents.containers.member_names import MemberNames, zip_name
from workroom.documents.containers.types import ContainerMember
from workroom.documents.errors import ContainerLimitError, DamagedDocument, EncryptedDocument, UnsupportedDocument
from workroom.documents.kinds import media_type_of_name

_DIRECTORY = 4_000_000  # bytes; ten thousand entries with paths of 300 characters
_ENCRYPTED = 0x1
_LOCAL_HEADER = 30
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA})
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError)


class ZipContainer(OpenContainer):
    def __init__(self, file: Path | IO[bytes], budget: UnpackingBudget) -> None:
        super().__init__(budget)
        self._file = BoundedFile(file, at_once=_DIRECTORY)
        try:
            self._archive = zipfile.ZipFile(self._file)
            self._entries = self._archive.infolist()
        except ReadTooLarge:
            self._file.close()
            limit = budget.limits.files
            raise ContainerLimitError(
                f"This archive holds more than {limit:,} files. Split it into smaller ones."
            ) from None
        except (*_BROKEN, NotImplementedError) as error:
            self._file.close()
            raise DamagedDocument(
                "This ZIP cannot be opened: its directory is missing or damaged. Upload it again, or pack it again."
            ) from error

    def members(self) -> Iterator[ContainerMember]:
        _refuse_overlaps(self._entries, self._archive.start_dir)
        names = MemberNames()
        for index, info in enumerate(self._entries):
            if stat.S_ISLNK(info.external_attr >> 16):
                raise ContainerLimitError(
                    f"This archive holds a link, “{display_name(zip_name(info))}”. Links are not followed: pack it without links."
                )
            is_folder = info.is_dir()
            name = zip_name(info)
            self.count(index, name, info.file_size, info.compress_size)
            path = names.unique(name, is_folder=is_folder)
            if path is not None:
                yield ContainerMember(
                    path=path,
                    size=info.file_size,
                    is_folder=is_folder,
                    modified=_moment(info),
                    media_type=None if is_folder else media_type_of_name(path),
                    encrypted=bool(info.flag_bits & _ENCRYPTED),
                    index=index,
                )

    @contextmanager
    def reading(self, member: ContainerMember) -> Iterator[IO[bytes]]:
        info = self._entries[member.index]
        if info.flag_bits & _ENCRYPTED:
            raise EncryptedDocument(
                f"“{display_name(member.path)}” is locked with a password. Unpack it yourself, then upload it."
            )
        if info.compress_type not in _METHODS:
            raise UnsupportedDocument(
                f"“{display_name(member.path)}” is compressed in a way that cannot be read here."
                " Pack it again as an ordinary ZIP."
            )
        try:
            with self._archive.open(info) as stream:
                yield stream
        except _unreadable() as error:
            if isinstance(error, OSError) and error.errno:  # the disk, not the archive
                raise
            raise DamagedDocument(
                f"“{display_name(member.path)}” is damaged inside its archive. Pack it again, or upload the file itself."
            ) from error

    def close(self) -> None:
        self._archive.close()
        self._file.close()


def _refuse_overlaps(entries: list[zipfile.ZipInfo], directory: int) -> None:
    """Refuse archives whose entries share the same bytes, as single-layer zip bombs do."""
    end = 0
    for info in sorted(entries, key=lambda info: info.header_offset):
        if info.header_offset < end:
            raise ContainerLimitError(
                "Files in this archive share the same bytes, as in archives that were made to do harm. Pack it again."
            )
        end = info.header_offset + _LOCAL_HEADER + len(info.orig_filename) + info.compress_size
    if end > directory:
        raise ContainerLimitError(
            "A file in this archive reaches into its directory. Upload it again, or pack it again."
        )


def _moment(info: zipfile.ZipInfo) -> datetime | None:
    try:
        return datetime(*info.date_time)  # noqa: DTZ001  ZIP knows no time zone
    except ValueError:
        return None


def _unreadable() -> tuple[type[BaseException], ...]:
    import lzma

    return (*_BROKEN, NotImplementedError, RuntimeError, lzma.LZMAError)
