"""Finds a table in a document by the names of its columns, and reads those columns whole: long tables are kept in slices."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from workroom.contents.document import Document
from workroom.contents.parts import PartSelection
from workroom.core.errors import InvalidInput, TooLarge
from workroom.documents.number_cells import DecimalMark
from workroom.documents.tables import table_rows
from workroom.documents.types import ContentObject, ContextRef

AT_ONCE = 50  # objects
MOST_ROWS = 50_000
MOST_CELLS = 1_000_000
HEADS = 10  # rows above a header, at most: titles, dates, notes
LISTED = 30
_ROWS = re.compile(r"(?P<before>.*/)?rows:(?P<first>\d+)-(?P<last>\d+)(?P<after>/.*)?")


@dataclass
class FoundTable:
    """`header` may name a column twice, or not at all. `decimal`: the mark before decimals, where the format says which."""

    ref: ContextRef
    header: list[str]
    rows: list[list[str]] = field(default_factory=list)
    decimal: DecimalMark | None = None

    def place_of(self, column: str) -> int | None:
        return _place(self.header, column)

    def cells(self, place: int) -> list[str]:
        return [row[place] if place < len(row) else "" for row in self.rows]


async def find_table(document: Document, selection: PartSelection, columns: Sequence[str]) -> FoundTable:
    """The first table that has these columns. Raises InvalidInput, saying which columns there are, and TooLarge."""
    table: FoundTable | None = None
    seen: list[list[str]] = []
    location, repeated, after = "", list[str](), (0, 0)
    while True:
        page = await document.passages(selection, after=after, most=AT_ONCE)
        tables = [object for object in page.objects if object.metadata.get("table") is True]
        for object, rows in zip(tables, await asyncio.to_thread(_parsed, tables), strict=True):
            if table is not None:
                if not _goes_on(location, object.ref.location) or rows[0] not in (repeated, [""] * len(rows[0])):
                    return table
                table.rows += rows[1:]
                location = object.ref.location
                _check_size(table)
            elif (head := _header(rows, columns)) is not None:
                table = FoundTable(object.ref, rows[head], rows[head + 1 :], _decimal(document))
                location, repeated = object.ref.location, rows[0]
            else:
                seen.append(rows[0])
        if page.more is None:
            break
        after = page.more
    if table is None:
        raise InvalidInput(_missing(columns, seen), field="y")
    if page.cut:
        raise TooLarge("The file has more rows than are kept of it, so a chart of it would be wrong.")
    return table


def _parsed(objects: Iterable[ContentObject]) -> list[list[list[str]]]:
    return [table_rows(object.text) or [[]] for object in objects]


def _header(rows: Sequence[Sequence[str]], columns: Sequence[str]) -> int | None:
    """The row that names the columns; without any that are asked for, the first that names most of its own."""
    if not columns:
        return next(
            (n for n, row in enumerate(rows[:HEADS]) if sum(map(bool, row)) * 2 > len(row) and len(rows) > n + 1), None
        )
    return next((n for n, row in enumerate(rows[:HEADS]) if all(_place(row, one) is not None for one in columns)), None)


def _place(header: Sequence[str], column: str) -> int | None:
    wanted = _key(column)
    return next((place for place, name in enumerate(header) if _key(name) == wanted), None)


def _key(name: str) -> str:
    return " ".join(name.casefold().split())


def _goes_on(before: str, location: str) -> bool:
    """Whether one slice of a table follows another: `sheet:Q4/rows:1-200`, `sheet:Q4/rows:205-400`; rows without any cell are in
    none of them."""
    one, other = _ROWS.fullmatch(before), _ROWS.fullmatch(location)
    if one is None or other is None or one["before"] != other["before"] or one["after"] != other["after"]:
        return False
    if one["first"] == other["first"]:
        raise TooLarge("There are cells in this table that are too long for a chart to be made of it.")
    return int(other["first"]) > int(one["last"])


def _check_size(table: FoundTable) -> None:
    if len(table.rows) > MOST_ROWS or len(table.rows) * len(table.header) > MOST_CELLS:
        most = min(MOST_ROWS, MOST_CELLS // len(table.header))
        raise TooLarge(f"The table has more than {most:,} rows, which is more than is read for a chart.")


def _decimal(document: Document) -> DecimalMark | None:
    """Workbooks are shown with the English mark; where commas part the cells, they are no decimal mark in them."""
    structure = document.structure
    return "." if structure.sheets or structure.properties.get("delimiter") == "," else None


def _missing(columns: Sequence[str], headers: Sequence[Sequence[str]]) -> str:
    if not headers:
        return "There is no table here to draw. browseContainer shows what there is."
    wanted = ", ".join(f"“{column[:100]}”" for column in columns)
    there = "; ".join(", ".join(f"“{name[:100]}”" for name in header[:LISTED] if name) for header in headers[:5])
    return f"No table here has the columns {wanted}. There are: {there}."
