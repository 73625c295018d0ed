"""Detects the media type of a file by its content. The name only helps among similar text formats; a wrong one is reported.

The detection itself is in `sniffing/`. Nothing is read but the beginning of the file and, for archives and old Office files,
their directory, with a cap on its size.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import IO

from workroom.documents.sniffing import compound, encoding, magic, names, texts, zipped

FOLDER = "inode/directory"
EMPTY = "application/x-empty"
UNKNOWN = "application/octet-stream"
ENCRYPTED_OFFICE = compound.ENCRYPTED_OFFICE

_CONTAINERS = frozenset(
    {
        FOLDER,
        "application/zip",
        "application/java-archive",
        "application/x-tar",
        "application/gzip",
        "application/x-bzip2",
        "application/x-xz",
    }
)
_MAILS = frozenset({"message/rfc822", "application/vnd.ms-outlook"})


@dataclass(frozen=True)
class DetectedKind:
    """`encoding` is a codec's name, for texts only; `lie` is a sentence when the name claims something else."""

    media_type: str
    encoding: str | None = None
    lie: str | None = None


def kind_of(path: Path, name: str) -> str:
    """The media type of the file at `path`, which people call `name`."""
    return detect(path, name).media_type


def detect(path: Path, name: str) -> DetectedKind:
    claim = names.claimed(name)
    media_type, codec = _detect(path, claim)
    lie = None
    if claim and media_type not in (EMPTY, FOLDER, UNKNOWN, ENCRYPTED_OFFICE) and not names.agree(claim, media_type):
        lie = f"Its name says {claim}, its content is {media_type}."
    return DetectedKind(media_type, codec, lie)


def media_type_of_name(name: str) -> str | None:
    """The media type that the extension stands for; a guess before the content is read."""
    return names.claimed(name)


def is_container(media_type: str) -> bool:
    """Whether this kind is a container of files. Mails are documents, although their attachments can be listed."""
    return media_type in _CONTAINERS


def is_mail(media_type: str) -> bool:
    """A document whose attachments are files."""
    return media_type in _MAILS


def _detect(path: Path, claim: str | None) -> tuple[str, str | None]:
    if path.is_dir():
        return FOLDER, None
    with path.open("rb") as file:
        head = file.read(magic.HEAD)
        complete = not file.read(1)
        tail = _tail(file) if head[4:8] == b"ftyp" else b""
    if not head:
        return EMPTY, None
    detected = magic.by_first_bytes(head)
    if detected == magic.ZIP:
        return zipped.kind_of_zip(path), None
    if detected == magic.OLE:
        return compound.kind_of_compound(path), None
    if detected == "video/mp4":
        return magic.mp4_kind(head + tail), None
    if detected and not _is_text_lookalike(detected, head):
        return detected, None
    codec = encoding.encoding_of(head, complete=complete)
    if codec is None:
        return UNKNOWN, None
    return texts.kind_of_text(head.decode(codec, "replace"), claim, complete=complete), codec


def _tail(file: IO[bytes]) -> bytes:
    file.seek(0, 2)
    file.seek(max(0, file.tell() - magic.HEAD))
    return file.read(magic.HEAD)


def _is_text_lookalike(detected: str, head: bytes) -> bool:
    """Whether a magic number is the beginning of a text: it may start with `BZh` or `ID3`, and a mail may quote `%PDF-`."""
    if detected == "application/pdf" and head.lstrip()[:5] == b"%PDF-":
        return False
    if detected in ("application/pdf", "application/x-bzip2", "audio/mpeg", "application/vnd.apache.parquet"):
        return b"\0" not in head and encoding.encoding_of(head) in ("utf-8", "utf-8-sig")
    return False
