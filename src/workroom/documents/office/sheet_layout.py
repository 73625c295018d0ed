"""Rows of the sheets of a workbook: laid out by calamine, or streamed where that would take too much memory."""

from __future__ import annotations

from workroom.documents.office.drawings import sheet_parts
from workroom.documents.office.extent import Extent, extent_of
from workroom.documents.office.formats import CellFormatter
from workroom.documents.office.ods_texts import OdsTexts
from workroom.documents.office.package import Package
from workroom.documents.office.sheet_stream import SheetStream
from workroom.documents.office.workbook import SheetRows, Workbook
from workroom.documents.office.xls_formats import XlsFormats
from workroom.documents.office.xlsb_formats import XlsbFormats, is_binary
from workroom.documents.office.xlsx_formats import XlsxFormats

MAX_AREA = 4_000_000  # cells that calamine may lay out at 32 bytes each; beyond, rows are streamed


class SheetLayout:
    def __init__(self, workbook: Workbook, package: Package | None) -> None:
        self._workbook = workbook
        self._package = package
        self._parts = sheet_parts(package) if package is not None else {}
        self._stream: SheetStream | None = None
        self._formats: XlsxFormats | None = None
        self._others: CellFormatter | None = None  # of formats that keep sheets otherwise

    def size(self, name: str) -> tuple[int, int]:
        extent = self._extent(name)
        if extent is not None:
            return extent.last_row, extent.columns[-1] - extent.columns[0] + 1
        sheet = self._workbook.sheet(name)
        return sheet.height, sheet.width

    def sheet(self, name: str) -> SheetRows:
        extent = self._extent(name)
        if self._package is None or name not in self._parts:
            self._others = self._others or self._other_formatter()
            return self._workbook.sheet(name, self._others, name)
        self._formats = self._formats or XlsxFormats(self._package)
        if extent is None or extent.area <= MAX_AREA:
            return self._workbook.sheet(name, self._formats, self._parts[name])
        self._stream = self._stream or SheetStream(self._package, self._formats)
        streamed = self._stream.rows(self._parts[name], extent)
        return SheetRows(extent.last_row, len(extent.columns), extent.columns, streamed)

    def _other_formatter(self) -> CellFormatter:
        if self._package is None:
            return XlsFormats(self._workbook.path)
        return XlsbFormats(self._package) if is_binary(self._package) else OdsTexts(self._package)

    def _extent(self, name: str) -> Extent | None:
        if self._package is None or name not in self._parts:
            return None
        return extent_of(self._package, self._parts[name])
