"""What a ZIP is when it is more than a ZIP: Office documents, OpenDocument, books, programs."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from workroom.documents.bounded import BoundedFile, ReadTooLarge
from workroom.documents.sniffing.magic import HEAD, ZIP
from workroom.documents.sniffing.names import BY_ENDING

_FEW = 8 << 20  # bytes of a directory; no Office document comes near
_TYPES = "[Content_Types].xml"
_OWN_WORD = re.compile(rb"application/(?:vnd\.oasis\.opendocument|vnd\.sun\.xml)\.[a-z.-]{3,40}|application/epub\+zip")
_MAIN_PARTS = (
    (b"ms-word.document.macroEnabled.main", "docm"),
    (b"ms-word.template.macroEnabledTemplate.main", "dotm"),
    (b"ms-excel.sheet.binary.macroEnabled.main", "xlsb"),
    (b"ms-excel.sheet.macroEnabled.main", "xlsm"),
    (b"ms-excel.template.macroEnabled.main", "xltm"),
    (b"ms-excel.addin.macroEnabled.main", "xlam"),
    (b"ms-powerpoint.presentation.macroEnabled.main", "pptm"),
    (b"ms-powerpoint.slideshow.macroEnabled.main", "ppsm"),
    (b"ms-powerpoint.template.macroEnabled.main", "potm"),
    (b"wordprocessingml.document.main", "docx"),
    (b"wordprocessingml.template.main", "dotx"),
    (b"spreadsheetml.sheet.main", "xlsx"),
    (b"spreadsheetml.template.main", "xltx"),
    (b"presentationml.presentation.main", "pptx"),
    (b"presentationml.slideshow.main", "ppsx"),
    (b"presentationml.template.main", "potx"),
    (b"ms-visio.drawing.main", "vsdx"),
)
_DISTINCTIVE_NAMES = (
    ("word/document.xml", "docx"),
    ("xl/workbook.bin", "xlsb"),
    ("xl/workbook.xml", "xlsx"),
    ("ppt/presentation.xml", "pptx"),
    ("AndroidManifest.xml", "apk"),
    ("META-INF/MANIFEST.MF", "jar"),
)
_UNREADABLE = (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, EOFError, ReadTooLarge)


def kind_of_zip(path: Path) -> str:
    try:
        with BoundedFile(path, at_once=_FEW) as file, zipfile.ZipFile(file) as archive:
            return _by_content(archive)
    except _UNREADABLE:
        return _by_remains(path)


def _by_content(archive: zipfile.ZipFile) -> str:
    parts = archive.NameToInfo
    if "mimetype" in parts and (word := _OWN_WORD.match(_beginning(archive, "mimetype", 200))):
        return word.group().decode()
    if _TYPES in parts:
        types = _beginning(archive, _TYPES, 1 << 20)
        for mark, ending in _MAIN_PARTS:
            if mark in types:
                return BY_ENDING[ending]
    for name, ending in _DISTINCTIVE_NAMES:
        if name in parts:
            return BY_ENDING[ending]
    return ZIP


def _beginning(archive: zipfile.ZipFile, name: str, length: int) -> bytes:
    try:
        with archive.open(name) as part:
            return part.read(length)
    except (
        *_UNREADABLE,
        Exception,
    ):  # zlib, lzma and bz2 have errors of their own; a part that cannot be read says nothing
        return b""


def _by_remains(path: Path) -> str:
    """A truncated file has lost its directory; what is left at its beginning still shows what it was."""
    with path.open("rb") as file:
        head = file.read(HEAD)
    if word := re.search(rb"mimetype(" + _OWN_WORD.pattern + rb")", head[:300]):
        return word.group(1).decode()
    endings = [ending for name, ending in _DISTINCTIVE_NAMES if name.encode() in head]
    if not endings:
        endings = [
            ending for folder, ending in ((b"word/", "docx"), (b"xl/", "xlsx"), (b"ppt/", "pptx")) if folder in head
        ]
    return BY_ENDING[endings[0]] if endings else ZIP
