"""Displayed texts of an ODS workbook, which the file stores beside every value."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.errors import DocumentError
from workroom.documents.office.odp_slides import plain
from workroom.documents.office.package import Package
from workroom.documents.office.xml_stream import stream_xml
from workroom.documents.safe_xml import forget
from workroom.documents.whitespace import one_line

CONTENT = "content.xml"
_VALUES = frozenset({"float", "percentage", "currency", "date", "time"})
_MOST_COLUMNS, _MOST_ROWS = 16_384, 1_048_576

_Row = tuple[str, int, Mapping[int, str]]  # the sheet, the number of the row from 1, texts by column from 0


class OdsTexts:
    """Sheets are asked for one after the other: all of them are found in one pass over the file."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._rows: Iterator[_Row] | None = None
        self._next: _Row | None = None
        self._passed: set[str] = set()

    def row_formats(self, sheet: str) -> Iterator[tuple[int, Mapping[int, str]]]:
        if self._rows is None or sheet in self._passed:
            self._rows, self._passed = self._read(), set()
            self._next = next(self._rows, None)
        while self._next is not None and self._next[0] != sheet:
            self._passed.add(self._next[0])
            self._next = next(self._rows, None)
        self._passed.add(sheet)
        while self._next is not None and self._next[0] == sheet:
            _, number, texts = self._next
            self._next = next(self._rows, None)
            yield number, texts

    def show(self, value: Any, text: str) -> str | None:
        return None if isinstance(value, (str, bool)) else text

    def _read(self) -> Iterator[_Row]:
        """A file that breaks off in the middle is calamine's to refuse."""
        sheet, number = "", 0
        try:
            for row in stream_xml(self._package, CONTENT, "table-row") if CONTENT in self._package else ():
                name = _sheet_of(row)
                if name != sheet:
                    sheet, number = name, 0
                texts, repeated = _texts(row), min(_count(row, "number-rows-repeated"), _MOST_ROWS)
                forget(row)
                for again in range(repeated if texts else 0):
                    yield sheet, number + again + 1, texts
                number += repeated
        except (DocumentError, zipfile.BadZipFile, zlib.error, EOFError, OSError):
            return


def _sheet_of(row: Any) -> str:
    table = next(row.iterancestors("{*}table"), None)
    return "" if table is None else _attribute(table, "name")


def _texts(row: Any) -> dict[int, str]:
    texts: dict[int, str] = {}
    column = 0
    for cell in row:
        if local_name(cell) not in ("table-cell", "covered-table-cell"):
            continue
        repeated = min(_count(cell, "number-columns-repeated"), _MOST_COLUMNS)
        is_value = _attribute(cell, "value-type") in _VALUES
        if is_value and (text := one_line(" ".join(plain(paragraph) for paragraph in cell.iterfind("{*}p")))):
            texts |= dict.fromkeys(range(column, min(column + repeated, _MOST_COLUMNS)), text)
        column += repeated
    return texts


def _attribute(element: Any, name: str) -> str:
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def _count(element: Any, name: str) -> int:
    value = _attribute(element, name)
    return max(1, int(value)) if value.isdecimal() and len(value) < 9 else 1
