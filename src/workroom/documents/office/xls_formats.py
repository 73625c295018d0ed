"""Cell formats of an XLS workbook: formats and styles from its records (BIFF 5 and 8).

Nothing here decides whether a file can be read. What is damaged or unknown has no formats, and its values are shown plainly.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from pathlib import Path

from workroom.documents.office.formats import MOST_STYLES, Formats

_LARGEST = 256 << 20  # bytes of the stream
_BIFF8 = 0x0600
_BEGIN, _END, _SHEET, _FORMAT, _STYLE = 0x0809, 0x000A, 0x0085, 0x041E, 0x00E0
_CELLS = frozenset({0x0006, 0x0203, 0x027E})  # a formula, a number, a short number: each begins with row, column, style
_SEVERAL = 0x00BD  # short numbers side by side
_UNREADABLE = (struct.error, IndexError, ValueError, OSError, UnicodeError)


class XlsFormats(Formats):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self._data = _stream(path)
        self._sheets: dict[str, int] = {}  # where each begins
        try:
            self._read()
        except _UNREADABLE:
            self._sheets = {}

    def row_formats(self, sheet: str) -> Iterator[tuple[int, Mapping[int, int]]]:
        return self.by_rows(self._cells(self._sheets.get(sheet, len(self._data))))

    def _read(self) -> None:
        is_new = True
        own: dict[int, str] = {}
        styles = 0
        for kind, data in _records(self._data, 0):
            if kind == _BEGIN:
                is_new = struct.unpack_from("<H", data)[0] >= _BIFF8
            elif kind == _SHEET:
                self._sheets[_short(data, 6, is_new=is_new)] = struct.unpack_from("<I", data)[0]
            elif kind == _FORMAT:
                own[struct.unpack_from("<H", data)[0]] = _long(data, 2) if is_new else _short(data, 2, is_new=False)
            elif kind == _STYLE and styles < MOST_STYLES:
                id_ = struct.unpack_from("<H", data, 2)[0]
                self.add(styles, id_, own.get(id_))
                styles += 1

    def _cells(self, start: int) -> Iterator[tuple[int, int, int]]:
        try:
            for kind, data in _records(self._data, start):
                if kind in _CELLS:
                    yield struct.unpack_from("<HHH", data)
                elif kind == _SEVERAL:
                    row, first = struct.unpack_from("<HH", data)
                    for index in range((len(data) - 6) // 6):
                        yield row, first + index, struct.unpack_from("<H", data, 4 + 6 * index)[0]
        except _UNREADABLE:
            return


def _stream(path: Path) -> bytes:
    import olefile

    try:
        with olefile.OleFileIO(str(path)) as file:
            for name in ("Workbook", "Book"):
                if file.exists(name) and file.get_size(name) <= _LARGEST:
                    with file.openstream(name) as stream:
                        return bytes(stream.read())
    except Exception:  # it reads hostile bytes in plain Python and fails in many ways; calamine says what is wrong
        return b""
    return b""


def _records(data: bytes, at: int) -> Iterator[tuple[int, bytes]]:
    """To the end of what begins there; what lies in it, such as a chart, is passed over."""
    depth = 0
    while at + 4 <= len(data):
        kind, size = struct.unpack_from("<HH", data, at)
        if kind == _BEGIN:
            depth += 1
        elif kind == _END:
            depth -= 1
        if depth == 1 and (kind in _CELLS or kind in _TOLD):
            yield kind, data[at + 4 : at + 4 + size]
        if depth <= 0:
            return
        at += 4 + size


_TOLD = frozenset({_BEGIN, _SHEET, _FORMAT, _STYLE, _SEVERAL})


def _short(data: bytes, at: int, *, is_new: bool) -> str:
    """With its length in one byte."""
    length = data[at]
    if not is_new:
        return data[at + 1 : at + 1 + length].decode("cp1252", "replace")
    return _letters(data, at + 1, length)


def _long(data: bytes, at: int) -> str:
    return _letters(data, at + 2, struct.unpack_from("<H", data, at)[0])


def _letters(data: bytes, at: int, length: int) -> str:
    """Two bytes for each, unless its flags say that all of them are small."""
    if data[at] & 1:
        return data[at + 1 : at + 1 + 2 * length].decode("utf-16-le", "replace")
    return data[at + 1 : at + 1 + length].decode("latin-1")
