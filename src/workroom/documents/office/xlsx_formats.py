"""How the cells of an XLSX workbook are shown: formats by style, and which cell has which style, read as a stream beside
the values."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from workroom.documents.errors import DocumentError
from workroom.documents.office.columns import column_number
from workroom.documents.office.formats import MOST_STYLES, Formats
from workroom.documents.office.package import Package

MAX_XML = 2 << 30  # bytes of one sheet, unpacked
_CHUNK = 1 << 20
_LONGEST_TAG = 4096
_CELL = re.compile(rb'<(?:\w+:)?c(?=[^<>]*? r="([A-Z]{1,3})(\d{1,7})")(?=[^<>]*? s="(\d{1,5})")[^<>]*(?<!/)>')
RowStyles = dict[int, int]  # column, from 0: style


class XlsxFormats(Formats):
    """Of one workbook."""

    def __init__(self, package: Package) -> None:
        super().__init__()
        self._package = package
        main = next(iter(package.related("", "officeDocument")), "xl/workbook.xml")
        try:
            part = next(iter(package.related(main, "styles")), "")
            root = package.tree(part) if part else None
        except DocumentError:
            root = None
        if root is not None:
            self._read(root)

    def row_formats(self, part: str) -> Iterator[tuple[int, RowStyles]]:
        """Numbers of rows, from 1, with the styles of their cells, for rows that have some that matter."""
        known = self.known
        if not known:
            return
        number, row_styles = 0, RowStyles()
        columns: dict[bytes, int] = {}
        styles = {str(style).encode(): style for style in known}
        for letters, row, style in self._cells(part):
            if style not in styles:
                continue
            if letters not in columns:
                columns[letters] = column_number(letters.decode())
            if int(row) != number:
                if row_styles:
                    yield number, row_styles
                number, row_styles = int(row), {}
            row_styles[columns[letters]] = styles[style]
        if row_styles:
            yield number, row_styles

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
            format_id = item.get("numFmtId", "")
            id_ = int(format_id) if format_id.isdecimal() and len(format_id) < 6 else 0
            self.add(style, id_, own.get(format_id))
            if style > MOST_STYLES:
                return
