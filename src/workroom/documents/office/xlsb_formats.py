"""Cell formats of an XLSB workbook: formats and styles from its records.

As with XLS, what is damaged or unknown has no formats, and its values are shown plainly.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping

from workroom.core.errors import NotFound
from workroom.documents.errors import DocumentError
from workroom.documents.office.formats import MOST_STYLES, Formats
from workroom.documents.office.package import Package

_ROW, _SHEET, _FORMAT, _STYLE = 0, 156, 44, 47
_BEGIN_STYLES, _END_STYLES = 617, 618  # those of cells; others are only named
_CELLS = frozenset({2, 5, 9})  # a short number, a number, a formula that gives one
_UNREADABLE = (struct.error, IndexError, ValueError, DocumentError, NotFound)


def is_binary(package: Package) -> bool:
    return _main(package).endswith(".bin")


class XlsbFormats(Formats):
    def __init__(self, package: Package) -> None:
        super().__init__()
        self._package = package
        self._parts: dict[str, str] = {}  # by the names of sheets
        try:
            self._read(_main(package))
        except _UNREADABLE:
            self._parts = {}

    def row_formats(self, sheet: str) -> Iterator[tuple[int, Mapping[int, int]]]:
        return self.by_rows(self._cells(self._parts.get(sheet, "")))

    def _read(self, main: str) -> None:
        relations = self._package.relations(main)
        for kind, data in _records(self._package.read(main)):
            if kind == _SHEET:
                id_, at = _text(data, 8)
                if (relation := relations.get(id_)) is not None and not relation.external:
                    self._parts[_text(data, at)[0]] = relation.target
        own: dict[int, str] = {}
        styles, counts = 0, False
        for part in self._package.related(main, "styles")[:1]:
            for kind, data in _records(self._package.read(part)):
                if kind == _FORMAT:
                    own[struct.unpack_from("<H", data)[0]] = _text(data, 2)[0]
                elif kind in (_BEGIN_STYLES, _END_STYLES):
                    counts = kind == _BEGIN_STYLES
                elif kind == _STYLE and counts and styles < MOST_STYLES:
                    id_ = struct.unpack_from("<H", data, 2)[0]
                    self.add(styles, id_, own.get(id_))
                    styles += 1

    def _cells(self, part: str) -> Iterator[tuple[int, int, int]]:
        row = 0
        try:
            for kind, data in _records(self._package.read(part)) if part in self._package else ():
                if kind == _ROW:
                    row = struct.unpack_from("<I", data)[0]
                elif kind in _CELLS:
                    column, style = struct.unpack_from("<II", data)
                    yield row, column, style & 0xFFFFFF
        except _UNREADABLE:
            return


def _main(package: Package) -> str:
    return next(iter(package.related("", "officeDocument")), "")


def _records(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(data):
        kind, at = _number(data, at, 2)
        size, at = _number(data, at, 4)
        yield kind, data[at : at + size]
        at += size


def _number(data: bytes, at: int, longest: int) -> tuple[int, int]:
    """Seven bits in each byte, as long as the eighth says that there are more."""
    value = 0
    for index in range(longest):
        byte = data[at + index]
        value |= (byte & 0x7F) << (7 * index)
        if not byte & 0x80:
            return value, at + index + 1
    return value, at + longest


def _text(data: bytes, at: int) -> tuple[str, int]:
    """A text, and where it ends."""
    end = at + 4 + 2 * struct.unpack_from("<I", data, at)[0]
    return data[at + 4 : end].decode("utf-16-le", "replace"), end
