"""Workbooks: XLSX, XLSM, XLS, XLSB and ODS. Every sheet as Markdown tables in slices, its pictures, charts and remarks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import Any

from workroom.core.errors import NotFound
from workroom.documents.content import ObjectBuilder
from workroom.documents.embedded import element_of
from workroom.documents.errors import DocumentError
from workroom.documents.office.columns import column_letters
from workroom.documents.office.drawings import drawings_on, sheet_parts
from workroom.documents.office.merged_cells import said_once
from workroom.documents.office.package import Package
from workroom.documents.office.properties import open_document_properties, properties_of
from workroom.documents.office.sheet_layout import SheetLayout
from workroom.documents.office.sheet_objects import SheetObjects, pictures_of
from workroom.documents.office.table_regions import MAX_CELLS as SMALL_CELLS
from workroom.documents.office.table_regions import MAX_ROWS as SMALL_ROWS
from workroom.documents.office.table_regions import table_regions
from workroom.documents.office.workbook import open_workbook
from workroom.documents.table_slices import table_slices
from workroom.documents.types import ContentObject, Element, ExtractionScope, SheetInfo, SourceFile, Structure

MAX_ROWS = 1_048_576  # what a sheet can have
MAX_SHEETS = 1_000
_OFFICE = "application/vnd.openxmlformats-officedocument.spreadsheetml."
_EXCEL = "application/vnd.ms-excel"
_ODF = "application/vnd.oasis.opendocument.spreadsheet"
_ZIPPED = b"PK"
_LOCATION = re.compile(r"(?:sheet:(?P<sheet>.+)/)?image:(?P<number>\d{1,5})")
_KINDS = {"xls": _EXCEL, "xlsb": f"{_EXCEL}.sheet.binary.macroenabled.12", "ods": _ODF}


class SheetsExtractor:
    media_types = frozenset(
        {f"{_OFFICE}sheet", f"{_OFFICE}template", _EXCEL, _ODF, f"{_ODF}-template"}
        | {f"{_EXCEL}.{kind}.macroenabled.12" for kind in ("sheet", "template", "addin", "sheet.binary")}
    )

    def scan(self, source: SourceFile) -> Structure:
        sheets: list[SheetInfo] = []
        notes: list[str] = []
        with open_workbook(source) as workbook, _package(source) as package:
            layout = SheetLayout(workbook, package)
            for name in workbook.names[:MAX_SHEETS]:
                height = width = 0
                try:
                    height, width = layout.size(name)
                except DocumentError as error:
                    notes.append(f"{name}: {error.message}")
                sheets.append(SheetInfo(name=name, rows=height, columns=width, hidden=workbook.hidden(name)))
            if len(workbook.names) > MAX_SHEETS:
                notes.append(f"Only the first {MAX_SHEETS:,} of {len(workbook.names):,} sheets are read.")
            return Structure(
                kind=next((kind for kind, type_ in _KINDS.items() if type_ == source.media_type), "xlsx"),
                sheets=sheets,
                counts={"sheets": len(sheets), "tables": sum(sheet.rows > 0 for sheet in sheets), **_drawn(package)},
                properties=_properties(package),
                notes=notes,
            )

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        objects = ObjectBuilder(source)
        with open_workbook(source) as workbook, _package(source) as package:
            extras, layout = SheetObjects(objects, package), SheetLayout(workbook, package)
            failed: DocumentError | None = None
            for name in workbook.names[:MAX_SHEETS]:
                if not (wanted.everything or name in wanted.sheets):
                    continue
                facts: dict[str, Any] = {"hidden": True} if workbook.hidden(name) else {}
                try:
                    yield from _sheet(objects, layout, name, facts)
                except DocumentError as error:  # the other sheets may be fine; the structure notes this one
                    failed = error
                yield from extras.of(name, facts)
            if wanted.everything:
                yield from extras.loose()
            if failed is not None and len(workbook.names) == 1:
                raise failed

    def element(self, source: SourceFile, location: str) -> Element:
        match = _LOCATION.fullmatch(location)
        with _package(source) as package:
            if match and package is not None:
                for number, part in enumerate(pictures_of(package, match["sheet"]), start=1):
                    if number == int(match["number"]):
                        return element_of(package.read(part), part)
        raise NotFound(f"{source.name} has no picture at {location}.")


EXTRACTOR = SheetsExtractor()


def _sheet(objects: ObjectBuilder, layout: SheetLayout, name: str, facts: dict[str, Any]) -> Iterator[ContentObject]:
    """Small sheets are cut into the tables on them; of large ones every row belongs to one table."""
    sheet = layout.sheet(name)
    rows: Iterator[tuple[int, list[str]]] = islice(sheet.rows, MAX_ROWS)
    first = list(islice(rows, min(SMALL_ROWS, max(SMALL_CELLS // max(sheet.width, 1), 1))))
    following = next(rows, None)
    if following is not None:
        beside = _columns(sheet.columns, 0, sheet.width - 1)
        yield from _table(objects, name, beside, chain(first, [following], rows), facts)
        return
    parts = list(table_regions(first))
    for part in parts:
        beside = _columns(sheet.columns, part.left, part.right, always=len(parts) > 1)
        rows_of_part = part.rows
        if _is_title(rows_of_part):
            (number, cells), *rows_of_part = rows_of_part
            location = f"sheet:{name}/rows:{number}-{number}{beside}"
            yield from objects.text(cells[0], location, metadata=facts, sheet_name=name, label=name)
        yield from _table(objects, name, beside, rows_of_part, facts)


def _columns(columns: Sequence[int], left: int, right: int, *, always: bool = False) -> str:
    """Where a table is on its sheet; who says nothing of columns begins at A."""
    shown = always or columns[left] > 0
    return f"/columns:{column_letters(columns[left])}-{column_letters(columns[right])}" if shown else ""


def _is_title(rows: list[tuple[int, list[str]]]) -> bool:
    """A single cell, or one that was merged over the whole table."""
    first = rows[0][1]
    return (len(rows) == 1 and len(first) == 1) or (len(rows) > 1 and len(first) > 2 and len(set(first)) == 1)


def _table(
    objects: ObjectBuilder, name: str, beside: str, rows: Iterable[tuple[int, list[str]]], facts: dict[str, Any]
) -> Iterator[ContentObject]:
    for part in table_slices((number, said_once(cells)) for number, cells in rows):
        slice_facts = {**facts, "table": True, "rows": part.rows, "columns": part.columns}
        location = f"sheet:{name}/rows:{part.first}-{part.last}{beside}"
        yield from objects.text(part.text, location, metadata=slice_facts, sheet_name=name, label=name)


@contextmanager
def _package(source: SourceFile) -> Iterator[Package | None]:
    """The ZIP below; None for old formats, and where only calamine can make sense of it."""
    with source.path.open("rb") as file:
        zipped = file.read(2) == _ZIPPED
    try:
        package = Package(source) if zipped else None
    except DocumentError:
        package = None
    try:
        yield package
    finally:
        if package is not None:
            package.close()


def _drawn(package: Package | None) -> dict[str, int]:
    if package is None:
        return {}
    drawings = [drawn for part in sheet_parts(package).values() for drawn in drawings_on(package, part)]
    images = sum(bool(drawn.part) for drawn in drawings) + len(pictures_of(package, None))
    return {"images": images, "charts": sum(drawn.chart is not None for drawn in drawings)}


def _properties(package: Package | None) -> dict[str, str]:
    if package is None:
        return {}
    return open_document_properties(package) if "meta.xml" in package else properties_of(package)
