"""Rows of an XLSX sheet as a stream, for sheets that are too wide or too long to be laid out at once: slower than calamine,
in memory that depends on one row and the shared texts alone. Only columns that are used appear."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.errors import DocumentTooLarge
from workroom.documents.office.columns import column_number
from workroom.documents.office.extent import Extent
from workroom.documents.office.package import Package
from workroom.documents.office.workbook import shown
from workroom.documents.office.xlsx_formats import XlsxFormats
from workroom.documents.safe_xml import forget, walk_xml

_MAX_SHARED = 200 << 20  # characters
_ADDRESS = re.compile(r"([A-Z]{1,3})(\d{1,7})")
_EPOCHS = {False: datetime.datetime(1899, 12, 30), True: datetime.datetime(1904, 1, 1)}  # noqa: DTZ001 - cells know no zone
_MAX_DAYS = 2_958_465  # the last day of the year 9999


class SheetStream:
    """Shared texts and formats are read once, for all sheets of a workbook."""

    def __init__(self, package: Package, formats: XlsxFormats) -> None:
        self._package, self._formats = package, formats
        main = next(iter(package.related("", "officeDocument")), "xl/workbook.xml")
        root = package.tree(main)
        properties = None if root is None else root.find("{*}workbookPr")
        self._epoch = _EPOCHS[properties is not None and properties.get("date1904") in ("1", "true")]
        self._shared = list(self._texts(next(iter(package.related(main, "sharedStrings")), "")))

    def rows(self, part: str, extent: Extent) -> Iterator[tuple[int, list[str]]]:
        places = {column: index for index, column in enumerate(extent.columns)}
        number = 0
        with self._package.open(part) as stream:
            for _, element in walk_xml(stream, self._package.source.name, "{*}row"):
                number_text = element.get("r", "")
                number = int(number_text) if number_text.isdecimal() else number + 1
                row = self._row(element, places)
                forget(element)
                if any(row):
                    yield number, row

    def _row(self, element: Any, places: dict[int, int]) -> list[str]:
        texts = [""] * len(places)
        for cell in element.iterfind("{*}c"):
            address = _ADDRESS.fullmatch(cell.get("r", ""))
            index = places.get(column_number(address[1])) if address else None
            if index is not None:
                texts[index] = self._cell(cell)
        while texts and not texts[-1]:
            texts.pop()
        return texts

    def _cell(self, cell: Any) -> str:
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            return _joined(cell)
        value = cell.findtext("{*}v") or ""
        if kind == "s":
            return self._shared[int(value)] if value.isdecimal() and int(value) < len(self._shared) else ""
        if kind == "b":
            return "TRUE" if value == "1" else "FALSE"
        return self._number(value, cell.get("s", "")) if kind == "n" and value else value

    def _number(self, value: str, style: str) -> str:
        try:
            number = float(value)
        except ValueError:
            return value
        index = int(style) if style.isdecimal() and len(style) < 6 else 0
        known: Any = number
        if index in self._formats.dates and 0 <= number < _MAX_DAYS:
            known = self._epoch + datetime.timedelta(seconds=round(number * 86_400))
        formatted = self._formats.show(known, index)
        return shown(known) if formatted is None else formatted

    def _texts(self, part: str) -> Iterator[str]:
        size = 0
        if part not in self._package:
            return
        with self._package.open(part) as stream:
            for _, element in walk_xml(stream, self._package.source.name, "{*}si"):
                text = _joined(element)
                size += len(text)
                if size > _MAX_SHARED:
                    raise DocumentTooLarge(f"{self._package.source.name} holds more text than can be read. Split it.")
                forget(element)
                yield text


def _joined(holder: Any) -> str:
    """Phonetic hints are not part of a text."""
    return "".join(item.text or "" for item in holder.iter("{*}t") if local_name(item.getparent()) != "rPh")
