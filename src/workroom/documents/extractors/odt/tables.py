"""Reads one table as rows of text; merged cells are repeated in each of their rows, so that a row is complete by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.extractors.odt.inline import OdtInline, OdtParagraphReader
from workroom.documents.extractors.odt.styles import attribute

_MAX_CELLS = 200_000
_MAX_SPAN = 200
_DEPTH = 8
_GROUPS = frozenset({"table-header-rows", "table-rows", "table-row-group"})


@dataclass
class OdtTable:
    rows: list[list[str]] = field(default_factory=list)
    inlines: list[OdtInline] = field(default_factory=list)
    cut: bool = False


def read_table(table: Any, reader: OdtParagraphReader, depth: int = 0) -> OdtTable:
    table_ = OdtTable()
    cells = 0
    below: dict[int, tuple[int, str]] = {}  # by column: for how many more rows a merged cell reaches down, and its text
    for row in _rows(table):
        current = _row(row, reader, table_, below, depth)
        repeated = _number(row, "number-rows-repeated") if any(current) else 1
        for _ in range(min(repeated, _MAX_SPAN)):
            table_.rows.append(current)
            cells += len(current)
        if cells > _MAX_CELLS:
            table_.cut = True
            break
    return table_


def _row(
    row: Any, reader: OdtParagraphReader, table_: OdtTable, below: dict[int, tuple[int, str]], depth: int
) -> list[str]:
    current: list[str] = []
    for cell in row:
        name = local_name(cell)
        times = min(_number(cell, "number-columns-repeated"), _MAX_SPAN)
        if name == "covered-table-cell":
            for _ in range(times):
                rows, text = below.get(len(current), (0, ""))
                if rows:
                    below[len(current)] = (rows - 1, text)
                current.append(text if rows else "")
        elif name == "table-cell":
            text = _cell(cell, reader, table_, depth)
            if (rows := _number(cell, "number-rows-spanned")) > 1:
                below[len(current)] = (rows - 1, text)
            current += [text] * times
    return current


def _cell(cell: Any, reader: OdtParagraphReader, table_: OdtTable, depth: int) -> str:
    return "\n".join(text for text in _texts(cell, reader, table_, depth) if text)


def _texts(holder: Any, reader: OdtParagraphReader, table_: OdtTable, depth: int) -> Iterator[str]:
    for item in holder:
        name = local_name(item)
        if name in ("p", "h"):
            inline = reader.read(item)
            table_.inlines.append(inline)
            yield inline.plain_text
            yield from inline.boxes
        elif name == "table" and depth < _DEPTH:
            inner = read_table(item, reader, depth + 1)
            table_.inlines += inner.inlines
            yield from (" ".join(text for text in row if text) for row in inner.rows)
        elif name in ("list", "list-item", "list-header", "section") and depth < 4 * _DEPTH:
            yield from _texts(item, reader, table_, depth + 1)


def _rows(table: Any) -> Iterator[Any]:
    for child in table:
        name = local_name(child)
        if name == "table-row":
            yield child
        elif name in _GROUPS:
            yield from _rows(child)


def _number(element: Any, name: str) -> int:
    plain_text = attribute(element, name)
    return max(1, int(plain_text)) if plain_text.isdecimal() and len(plain_text) < 9 else 1
