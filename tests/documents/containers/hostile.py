"""Archives that lie, made for tests: each is small, and each would hurt whoever believes it."""

from __future__ import annotations

import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

from workroom.documents.types import SourceFile

ZIP, TAR, GZIP = "application/zip", "application/x-tar", "application/gzip"


def source(path: Path, media_type: str = ZIP) -> SourceFile:
    return SourceFile(path=path, name=path.name, media_type=media_type, container_path=path.name)


def zipped(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def tarred(*members: tuple[tarfile.TarInfo, bytes], mode: str = "w:") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:  # type: ignore[call-overload]
        for info, data in members:
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def tar_member(
    name: str, data: bytes = b"", kind: bytes = tarfile.REGTYPE, link: str = ""
) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, link, len(data)
    return info, data


def nested(levels: int, core: bytes, name: str = "core.txt") -> bytes:
    """`core` in a ZIP in a ZIP …: so many levels of ZIP."""
    for level in range(levels):
        core, name = zipped({name: core}), f"level{level}.zip"
    return core


def _local(name: bytes, packed: bytes, content: bytes, *, size: int | None = None) -> bytes:
    size = len(content) if size is None else size
    return b"PK\3\4" + _common(name, zlib.crc32(content), len(packed), size) + name


def _common(name: bytes, crc: int, packed: int, size: int, flags: int = 0, extra: int = 0) -> bytes:
    return struct.pack("<HHHHHLLLHH", 20, flags, 8, 0, 0x21, crc, packed, size, len(name), extra)


def _central(
    name: bytes, crc: int, packed: int, size: int, offset: int, *, flags: int = 0, extra: bytes = b""
) -> bytes:
    common = _common(name, crc, packed, size, flags, len(extra))
    return b"PK\1\2" + struct.pack("<H", 20) + common + struct.pack("<HHHLL", 0, 0, 0, 0, offset) + name + extra


def _end(entries: int, directory: bytes, offset: int) -> bytes:
    return b"PK\5\6" + struct.pack("<HHHHLLH", 0, 0, entries & 0xFFFF, entries & 0xFFFF, len(directory), offset, 0)


def _deflated(content: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(content) + packer.flush()


def overlapping(files: int, kernel: int) -> bytes:
    """A bomb in one layer (David Fifield, 2019): every file quotes the header of the next and then is the next."""
    content = bytes(kernel)
    packed = _deflated(content)
    body, entries, quoted = b"", [], 0
    for number in reversed(range(files)):
        name = b"%03d" % number
        header = _local(name, packed, content)
        quoting = b"" if not body else struct.pack("<BHH", 0, quoted, quoted ^ 0xFFFF)
        body = header + (quoting + body if body else packed)
        entries.append((name, zlib.crc32(content), len(packed), len(content), len(body)))
        quoted = len(header)
        content = header + content
        packed = struct.pack("<BHH", 0, quoted, quoted ^ 0xFFFF) + header + packed
    directory = b"".join(
        _central(name, crc, small, large, len(body) - behind) for name, crc, small, large, behind in reversed(entries)
    )
    return body + directory + _end(files, directory, len(body))


def lying_about_size(content: bytes, claim: int) -> bytes:
    """Says that it unpacks to `claim` bytes, in both places where a ZIP says so."""
    name, packed = b"lie.txt", _deflated(content)
    body = _local(name, packed, content, size=claim) + packed
    directory = _central(name, zlib.crc32(content), len(packed), claim, 0)
    return body + directory + _end(1, directory, len(body))


def named_raw(name: bytes, *, flags: int = 0, extra: bytes = b"") -> bytes:
    """A name in bytes that no ordinary writer would write."""
    content = b"x"
    packed = _deflated(content)
    body = b"PK\3\4" + _common(name, zlib.crc32(content), len(packed), 1, flags) + name + packed
    directory = _central(name, zlib.crc32(content), len(packed), 1, 0, flags=flags, extra=extra)
    return body + directory + _end(1, directory, len(body))


def crowded(files: int) -> bytes:
    """So many empty files, without waiting for an ordinary writer."""
    names = [b"%08d" % number for number in range(files)]
    packed = _deflated(b"")
    headers = [_local(name, packed, b"") + packed for name in names]
    step = len(headers[0])
    directory = b"".join(_central(name, 0, len(packed), 0, number * step) for number, name in enumerate(names))
    body = b"".join(headers)
    return body + directory + _end(files, directory, len(body))
