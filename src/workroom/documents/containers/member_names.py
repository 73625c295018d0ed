"""Names of members: decoded, checked for path traversal, and made unique."""

from __future__ import annotations

import struct
import zipfile
import zlib
from pathlib import PurePosixPath

from workroom.core.paths import MAX_NAME_BYTES, UnsafePath, relative_path, safe_name
from workroom.documents.containers.budget import display_name
from workroom.documents.errors import ContainerLimitError, DamagedDocument
from workroom.documents.sniffing.encoding import encoding_of

_UTF8 = 0x800
_UNICODE_PATH = 0x7075


class MemberNames:
    """Gives every member of a container a safe, unique path."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def unique(self, name: str, *, is_folder: bool = False) -> str | None:
        """A safe path, numbered if a file has it already; None for a folder that was listed before."""
        try:
            path = relative_path(_fitting(name))
        except UnsafePath as error:
            if is_folder and name.startswith(".") and set(name.split("/")) <= {"", "."}:
                return None  # "./", the folder itself
            raise ContainerLimitError(
                f"This archive holds a file called “{display_name(name)}”, which cannot be unpacked safely. {error.message} "
                "Pack it again without it."
            ) from None
        text = str(path)
        if text not in self._taken:
            self._taken[text] = 1
            return text
        return None if is_folder else self._numbered(path)

    def _numbered(self, path: PurePosixPath) -> str:
        text = str(path)
        while True:
            self._taken[text] += 1
            ending = f" ({self._taken[text]}){path.suffix}"
            room = max(1, MAX_NAME_BYTES - len(ending.encode()))
            numbered = str(path.with_name(path.stem.encode()[:room].decode(errors="ignore") + ending))
            if numbered not in self._taken:
                self._taken[numbered] = 1
                return numbered


def _fitting(name: str) -> str:
    """The name cut to the limit in bytes, which some systems use where others count characters."""
    if len(name) * 4 <= MAX_NAME_BYTES:
        return name
    parts = name.split("/")
    return "/".join(safe_name(part) if len(part.encode(errors="replace")) > MAX_NAME_BYTES else part for part in parts)


def zip_name(info: zipfile.ZipInfo) -> str:
    """The decoded name. Without the UTF-8 flag it may be in any encoding; code page 437 is the specified one."""
    if info.flag_bits & _UTF8:
        return info.orig_filename
    raw = info.orig_filename.encode("cp437")
    if extra := _unicode_path(info.extra, raw):
        return extra
    try:
        return raw.decode("utf-8")  # most that forget the mark mean UTF-8
    except UnicodeDecodeError:
        return info.orig_filename


def tar_name(name: str) -> str:
    """The decoded name: tarfile returns bytes that are not UTF-8 as surrogates."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raw = name.encode("utf-8", "surrogateescape")
        return raw.decode(encoding_of(raw) or "latin-1", "replace")
    return name


def _unicode_path(extra: bytes, raw: bytes) -> str | None:
    """The Unicode path of Info-ZIP's extra field, valid if its checksum matches the raw name."""
    while len(extra) >= 4:
        kind, length = struct.unpack("<HH", extra[:4])
        if kind == _UNICODE_PATH and length > 5:
            version, checksum = struct.unpack("<BL", extra[4:9])
            if version == 1 and checksum == zlib.crc32(raw):
                try:
                    return extra[9 : 4 + length].decode("utf-8")
                except UnicodeDecodeError:
                    raise DamagedDocument("The names in this archive are damaged. Pack it again.") from None
        extra = extra[4 + length :]
    return None
