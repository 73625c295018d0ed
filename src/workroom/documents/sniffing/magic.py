"""What the first bytes of a file say, for everything that is not text."""

from __future__ import annotations

import re

HEAD = 65_536  # how much of a file is looked at
ZIP = "application/zip"
OLE = "application/x-ole-storage"
TAR = "application/x-tar"
_TAR_BLOCK = 512

_STARTS: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"II+\0", "image/tiff"),
    (b"MM\0+", "image/tiff"),
    (b"8BPS", "image/vnd.adobe.photoshop"),
    (b"\0\0\0\x0cjP  ", "image/jp2"),
    (b"\0\0\1\0", "image/x-icon"),
    (b"\xd7\xcd\xc6\x9a", "image/wmf"),
    (b"PK\3\4", ZIP),
    (b"PK\5\6", ZIP),
    (b"PK\7\x08PK\3\4", ZIP),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OLE),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ\0", "application/x-xz"),
    (b"]\0\0", "application/x-lzma"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\7", "application/vnd.rar"),
    (b"MSCF\0\0\0\0", "application/vnd.ms-cab-compressed"),
    (b"{\\rtf", "application/rtf"),
    (b"%!PS", "application/postscript"),
    (b"fLaC", "audio/flac"),
    (b"ID3", "audio/mpeg"),
    (b"MThd\0\0\0", "audio/midi"),
    (b"#!AMR", "audio/amr"),
    (b"FLV\1", "video/x-flv"),
    (b"\0\0\1\xba", "video/mpeg"),
    (b"\0\0\1\xb3", "video/mpeg"),
    (b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", "video/x-ms-wmv"),
    (b"SQLite format 3\0", "application/vnd.sqlite3"),
    (b"PAR1", "application/vnd.apache.parquet"),
    (b"\x7fELF", "application/x-elf"),
    (b"\0asm", "application/wasm"),
    (b"\xca\xfe\xba\xbe", "application/java-vm"),
    (b"\xcf\xfa\xed\xfe", "application/x-mach-binary"),
    (b"\xce\xfa\xed\xfe", "application/x-mach-binary"),
    (b"OTTO\0", "font/otf"),
    (b"\0\1\0\0\0", "font/ttf"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
)
_RIFF = {b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo", b"WEBP": "image/webp"}
_BRANDS = {
    b"M4A ": "audio/mp4",
    b"M4B ": "audio/mp4",
    b"qt  ": "video/quicktime",
    b"heic": "image/heic",
    b"heix": "image/heic",
    b"mif1": "image/heic",
    b"msf1": "image/heic",
    b"avif": "image/avif",
    b"avis": "image/avif",
}


def by_first_bytes(head: bytes) -> str | None:
    """The media type these first bytes stand for, None when they may be text or nothing known."""
    for start, media_type in _STARTS:
        if head.startswith(start):
            return media_type
    if b"%PDF-" in head[:1024]:  # readers accept it anywhere in the first kilobyte, and some writers need that
        return "application/pdf"
    return _framed(head) or (TAR if is_tar(head) else None)


def is_tar(head: bytes) -> bool:
    """A tar has no magic of its own in its oldest form, but its header has a checksum."""
    block = head[:_TAR_BLOCK]
    if len(block) < _TAR_BLOCK or not block[0]:
        return False
    try:
        declared = int(block[148:156].strip(b" \0") or b"x", 8)
    except ValueError:
        return False
    return declared == sum(block[:148]) + sum(block[156:]) + 8 * 0x20


def mp4_kind(ends: bytes) -> str:
    """Sound alone is the same box with other tracks in it; their handlers are listed near the beginning or the end."""
    handlers = {ends[at.start() + 12 : at.start() + 16] for at in re.finditer(b"hdlr", ends)}
    return "audio/mp4" if b"soun" in handlers and b"vide" not in handlers else "video/mp4"


def _framed(head: bytes) -> str | None:
    """Formats whose first bytes name a box or a frame rather than the format."""
    kind = head[8:12]
    if head[:4] == b"RIFF":
        return _RIFF.get(kind)
    if head[:4] == b"FORM" and kind in (b"AIFF", b"AIFC"):
        return "audio/aiff"
    if head[4:8] == b"ftyp":
        return _BRANDS.get(kind, "video/3gpp" if kind.startswith(b"3g") else "video/mp4")
    if head[4:8] in (b"moov", b"mdat", b"wide", b"free") and not head[0]:
        return "video/quicktime"
    if head[:4] == b"OggS":
        return "video/ogg" if b"\x80theora" in head[:256] else "audio/ogg"
    if head[:4] == b"\x1aE\xdf\xa3":
        return "video/webm" if b"webm" in head[:128] else "video/x-matroska"
    if head[:2] == b"BM" and len(head) >= 26 and head[14:18] in (b"\x0c\0\0\0", b"(\0\0\0", b"l\0\0\0", b"|\0\0\0"):
        return "image/bmp"
    if head[:4] == b"\1\0\0\0" and head[40:44] == b" EMF":
        return "image/emf"
    if head[:2] == b"MZ" and len(head) >= 64 and b"\0" in head[:64]:
        return "application/x-msdownload"
    if head[:1] == b"G" and head[188:189] == b"G" and head[376:377] == b"G":
        return "video/mp2t"
    return _mpeg_audio(head)


def _mpeg_audio(head: bytes) -> str | None:
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE0 != 0xE0 or head[:2] in (b"\xff\xfe", b"\xff\xff"):
        return None
    if head[1] & 0xF6 == 0xF0:
        return "audio/aac"
    known = head[1] & 0x18 != 0x08 and head[1] & 0x06 == 0x02 and head[2] >> 4 not in (0, 15) and head[2] & 0x0C != 0x0C
    return "audio/mpeg" if known else None
