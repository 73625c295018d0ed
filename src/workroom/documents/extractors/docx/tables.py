"""Reads one table as rows of text; merged cells are repeated in each of their rows, so that a row is complete by itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.extractors.docx.inline import DocxInline, DocxParagraphReader
from workroom.documents.extractors.docx.styles import attribute, number

_MAX_CELLS = 200_000
_MAX_SPAN = 200
_DEPTH = 8
_WRAPPERS = frozenset({"sdt", "sdtContent", "customXml", "ins", "moveTo"})


@dataclass
class DocxTable:
    rows: list[list[str]] = field(default_factory=list)
    inlines: list[DocxInline] = field(default_factory=list)  # what hangs in its cells
    cut: bool = False


def read_table(table: Any, reader: DocxParagraphReader, depth: int = 0) -> DocxTable:
    table_ = DocxTable()
    cells = 0
    for row in _unwrapped(table, "tr"):
        if row.find("{*}trPr/{*}del") is not None:
            continue
        current = _row(row, reader, table_, depth)
        table_.rows.append(current)
        cells += len(current)
        if cells > _MAX_CELLS:
            table_.cut = True
            break
    return table_


def _row(row: Any, reader: DocxParagraphReader, table_: DocxTable, depth: int) -> list[str]:
    properties = row.find("{*}trPr")
    skipped = None if properties is None else number(properties.find("{*}gridBefore"))
    current = [""] * min(skipped or 0, _MAX_SPAN)
    above = table_.rows[-1] if table_.rows else []
    for cell in _unwrapped(row, "tc"):
        span = max(1, min(number(cell.find("{*}tcPr/{*}gridSpan")) or 1, _MAX_SPAN))
        merged = cell.find("{*}tcPr/{*}vMerge")
        if merged is not None and attribute(merged, "val") != "restart" and len(above) > len(current):
            text = above[len(current)]
        else:
            text = _cell(cell, reader, table_, depth)
        current += [text, *[""] * (span - 1)]
    return current


def _cell(cell: Any, reader: DocxParagraphReader, table_: DocxTable, depth: int) -> str:
    texts: list[str] = []
    for item in _unwrapped(cell, "p", "tbl"):
        if local_name(item) == "p":
            inline = reader.read(item)
            table_.inlines.append(inline)
            texts.append(inline.plain_text)
            texts += [line for box in inline.boxes for line in box_lines(box, reader)]
        elif depth < _DEPTH:
            inner = read_table(item, reader, depth + 1)
            table_.inlines += inner.inlines
            texts += [" ".join(text for text in row if text) for row in inner.rows]
    return "\n".join(text for text in texts if text)


def box_lines(box: Any, reader: DocxParagraphReader) -> list[str]:
    """The text of a text box, and of those inside it."""
    return [plain_text for paragraph in box.iter("{*}p") if (plain_text := reader.read(paragraph).plain_text)]


def _unwrapped(holder: Any, *names: str) -> list[Any]:
    """Children with these names, also inside content controls and insertions."""
    children = []
    for child in holder:
        name = local_name(child)
        if name in names:
            children.append(child)
        elif name in _WRAPPERS:
            children += _unwrapped(child, *names)
    return children
