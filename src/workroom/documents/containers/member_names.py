"""Member names: decoded, checked by the one function that knows paths, and kept apart when two are the same."""

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
    """Gives every member of one container a path that is safe and its own."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def unique(self, name: str, *, is_folder: bool = False) -> str | None:
        """None for a folder that was there already: folders may be named as often as one likes, files are kept apart."""
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
    """Some systems count characters where others count bytes: 255 umlauts are a name on the one, too long on the other."""
    if len(name) * 4 <= MAX_NAME_BYTES:
        return name
    parts = name.split("/")
    return "/".join(safe_name(part) if len(part.encode(errors="replace")) > MAX_NAME_BYTES else part for part in parts)


def zip_name(info: zipfile.ZipInfo) -> str:
    """The name that its maker saw. Without the mark for UTF-8 it may be in anything; code page 437 is what the format says."""
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
    """tarfile hands out what is not UTF-8 as half characters."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raw = name.encode("utf-8", "surrogateescape")
        return raw.decode(encoding_of(raw) or "latin-1", "replace")
    return name


def _unicode_path(extra: bytes, raw: bytes) -> str | None:
    """Info-ZIP's second name, valid when it belongs to the first."""
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
