"""Opens the container class for a media type."""

from __future__ import annotations

from workroom.documents.containers.budget import UnpackingBudget
from workroom.documents.containers.compressed_file import CompressedFileContainer
from workroom.documents.containers.decompression import BZIP2, GZIP, UNREADABLE, XZ, decompressed, is_disk_error
from workroom.documents.containers.folders import FolderContainer
from workroom.documents.containers.mails import MailContainer
from workroom.documents.containers.outlook import OutlookContainer
from workroom.documents.containers.tars import TarContainer
from workroom.documents.containers.types import Container
from workroom.documents.containers.zips import ZipContainer
from workroom.documents.errors import DamagedDocument, UnsupportedDocument
from workroom.documents.kinds import FOLDER, is_mail
from workroom.documents.sniffing.magic import is_tar
from workroom.documents.types import SourceFile

_ZIPS = frozenset({"application/zip", "application/java-archive"})
_COMPRESSED = frozenset({GZIP, BZIP2, XZ})
_OUTLOOK = "application/vnd.ms-outlook"
_REFUSED = {
    "application/x-7z-compressed": "7z",
    "application/vnd.rar": "RAR",
    "application/vnd.ms-cab-compressed": "CAB",
    "application/zstd": "Zstandard",
    "application/x-lzma": "LZMA",
    "application/x-iso9660-image": "disc image",
}


def can_open(media_type: str) -> bool:
    known = media_type in _ZIPS or media_type in _COMPRESSED or media_type in (FOLDER, "application/x-tar")
    return known or is_mail(media_type)


def open_container(source: SourceFile, budget: UnpackingBudget | None = None) -> Container:
    """Open a file as a container. Raises UnsupportedDocument for other kinds, DamagedDocument for broken files."""
    budget = budget or UnpackingBudget()
    kind = source.media_type
    if kind in _ZIPS:
        return ZipContainer(source.path, budget)
    if kind == "application/x-tar" or (kind in _COMPRESSED and _holds_tar(source)):
        return TarContainer(source.path, kind, budget)
    if kind in _COMPRESSED:
        return CompressedFileContainer(source.path, source.name, kind, budget)
    if kind == FOLDER:
        return FolderContainer(source.path, budget)
    if kind == _OUTLOOK:
        return OutlookContainer(source.path, source.name, budget)
    if is_mail(kind):
        return MailContainer(source.path, budget)
    if kind in _REFUSED:
        raise UnsupportedDocument(
            f"{_REFUSED[kind]} archives cannot be opened here. Pack the files as a ZIP and upload that."
        )
    raise UnsupportedDocument("This file holds no other files.")


def _holds_tar(source: SourceFile) -> bool:
    try:
        with decompressed(source.path, source.media_type) as stream:
            start = stream.read(512)
            if start or source.path.stat().st_size:
                return is_tar(start)
            raise EOFError
    except (*UNREADABLE, OSError) as error:
        if is_disk_error(error):
            raise
        raise DamagedDocument(
            "This compressed file is damaged or incomplete. Upload it again, or upload its content."
        ) from error
