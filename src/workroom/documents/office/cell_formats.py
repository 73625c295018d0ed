"""How the cells of an XLSX workbook are shown: formats by style, and which cell has which style, read as a stream beside
the values."""

from __future__ import annotations

import datetime
import re
import zipfile
import zlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from workroom.documents.errors import DocumentError
from workroom.documents.office.columns import column_number
from workroom.documents.office.date_formats import ShowMoment, date_format
from workroom.documents.office.format_tokens import is_date, is_of_an_era, sections_of
from workroom.documents.office.number_formats import Show, number_format
from workroom.documents.office.package import Package

MAX_XML = 2 << 30  # bytes of one sheet, unpacked
_CHUNK = 1 << 20
_LONGEST_TAG = 4096
_MOST_STYLES = 65_000
_REMEMBERED = 1_000  # dates: most columns of them repeat a few
_CELL = re.compile(rb'<(?:\w+:)?c(?=[^<>]*? r="([A-Z]{1,3})(\d{1,7})")(?=[^<>]*? s="(\d{1,5})")[^<>]*(?<!/)>')
# Those that every workbook has without saying what they are. Dates that Excel shows as each machine likes it (14, 22) and
# sums of money in the machine's own currency are left out or plain: no format is better than a wrong one.
_BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: "#,##0;-#,##0", 6: "#,##0;-#,##0", 7: "#,##0.00;-#,##0.00",
    8: "#,##0.00;-#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??", 15: "d-mmm-yy",
    16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss",
    37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)",
    41: '#,##0;-#,##0;"-"', 42: '#,##0;-#,##0;"-"', 43: '#,##0.00;-#,##0.00;"-"', 44: '#,##0.00;-#,##0.00;"-"',
    45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0",
}  # fmt: skip
_DATES = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})

_MOMENTS = (datetime.date, datetime.time, datetime.timedelta)

Look = dict[int, int]  # column, from 0: style


class CellFormats:
    """Of one workbook."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._numbers: dict[int, Show] = {}
        self._moments: dict[int, ShowMoment] = {}
        self.dates: set[int] = set()  # styles in which numbers are dates
        main = next(iter(package.related("", "officeDocument")), "xl/workbook.xml")
        try:
            part = next(iter(package.related(main, "styles")), "")
            root = package.tree(part) if part else None
        except DocumentError:
            root = None
        if root is not None:
            self._read(root)

    def show(self, value: Any, style: int) -> str | None:
        """None where the style has nothing to say about such a value."""
        try:
            if isinstance(value, bool):
                return None
            if isinstance(value, (int, float)):
                show = self._numbers.get(style)
                return None if show is None else show(value)
            if isinstance(value, _MOMENTS):
                show_moment = self._moments.get(style)
                return None if show_moment is None else show_moment(value)
        except (ArithmeticError, ValueError, IndexError, StopIteration):  # a format that means nothing
            return None
        return None

    def looks(self, part: str) -> Iterator[tuple[int, Look]]:
        """Numbers of rows, from 1, with the styles of their cells, for rows that have some that matter."""
        known = self._numbers.keys() | self._moments.keys()
        if not known:
            return
        number, look = 0, Look()
        columns: dict[bytes, int] = {}
        styles = {str(style).encode(): style for style in known}
        for letters, row, style in self._cells(part):
            if style not in styles:
                continue
            if letters not in columns:
                columns[letters] = column_number(letters.decode())
            if int(row) != number:
                if look:
                    yield number, look
                number, look = int(row), {}
            look[columns[letters]] = styles[style]
        if look:
            yield number, look

    def _cells(self, part: str) -> Iterator[tuple[bytes, bytes, bytes]]:
        read, rest = 0, b""
        try:
            with self._package.open(part) as stream:
                while (chunk := stream.read(_CHUNK)) and read < MAX_XML:
                    read += len(chunk)
                    text = rest + chunk
                    end = text.rfind(b">") + 1  # what comes after it is not whole yet
                    yield from _CELL.findall(text[:end])
                    rest = text[end:] if len(text) - end < _LONGEST_TAG else b""
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError):
            return

    def _read(self, root: Any) -> None:
        own = {item.get("numFmtId", ""): item.get("formatCode", "") for item in root.iterfind("{*}numFmts/{*}numFmt")}
        for style, item in enumerate(root.iterfind("{*}cellXfs/{*}xf")):
            said = item.get("numFmtId", "")
            id_ = int(said) if said.isdecimal() and len(said) < 6 else 0
            self._add(style, id_, own.get(said, _BUILT_IN.get(id_, "")))
            if style > _MOST_STYLES:
                return

    def _add(self, style: int, id_: int, code: str) -> None:
        if not code:
            self.dates |= {style} if id_ in _DATES else set()
            return
        sections = sections_of(code)
        if is_date(sections):
            self.dates.add(style)
            if not is_of_an_era(sections):
                self._moments[style] = lru_cache(_REMEMBERED)(date_format(sections[0]))
        elif (show := number_format(sections)) is not None:
            self._numbers[style] = show
