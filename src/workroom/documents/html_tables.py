"""Tables of web pages as rows: cells that span several repeat what they say, so that each row can be read alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from workroom.documents.whitespace import one_line

MAX_CELLS = 500_000
_WIDEST = 1_000
_FEW = 3
_MUCH = 600  # characters
_SKIPPED = frozenset({"script", "style", "noscript", "template", "svg", "select", "button"})
_SPACED = frozenset({"br", "p", "div", "li", "td", "th", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "dd", "dt"})
_SPACE = re.compile(r"\s+")


def table_rows(table: Any) -> list[list[str]]:
    rows: list[list[str]] = []
    hanging: dict[int, tuple[int, str]] = {}  # column: rows it still reaches down, and its text
    cells = 0
    for row in _own_rows(table):
        current: list[str] = []
        for cell in (child for child in row if child.tag in ("td", "th")):
            _hang(current, hanging)
            text = cell_text(cell)
            width, height = _span(cell, "colspan"), _span(cell, "rowspan")
            for _ in range(min(width, _WIDEST - len(current))):
                if height > 1:
                    hanging[len(current)] = (height - 1, text)
                current.append(text)
                text = ""  # in the first of its columns, in each of its rows
        _hang(current, hanging)
        cells += len(current)
        if cells > MAX_CELLS:
            break
        if any(current):
            rows.append(current)
    return rows


def is_layout(table: Any) -> bool:
    """Old pages and mails use tables to place text: few rows, much in them, other tables or headings inside."""
    if table.get("role") == "presentation":
        return True
    rows = sum(1 for _ in islice(_own_rows(table), _FEW + 1))
    if rows > _FEW:
        return False
    inner = next(table.iterdescendants("table", "h1", "h2", "h3", "p", "ul"), None)
    return inner is not None and len("".join(islice(table.itertext(), 2_000))) > _MUCH


def cell_text(cell: Any) -> str:
    """Everything in it on one line; pictures by their words."""
    return one_line("".join(_texts(cell)))


def _texts(cell: Any) -> Iterator[str]:
    from lxml import etree

    walk = etree.iterwalk(cell, events=("start", "end"))
    for event, element in walk:
        if event == "start":
            if element.tag in _SKIPPED or not isinstance(element.tag, str):
                walk.skip_subtree()
                continue
            if element.tag == "img":
                yield f" {element.get('alt') or ''} "
            if element.tag in _SPACED:
                yield " "
            yield _SPACE.sub(" ", element.text or "")
        else:
            if element.tag in _SPACED:
                yield " "
            if element is not cell:
                yield _SPACE.sub(" ", element.tail or "")


def _own_rows(table: Any) -> Iterator[Any]:
    """Not those of tables inside its cells."""
    for child in table:
        if child.tag == "tr":
            yield child
        elif child.tag in ("tbody", "thead", "tfoot"):
            yield from (row for row in child if row.tag == "tr")


def _hang(row: list[str], hanging: dict[int, tuple[int, str]]) -> None:
    """Cells of earlier rows that reach down to where this row stands."""
    while len(row) in hanging and len(row) < _WIDEST:
        rest, text = hanging.pop(len(row))
        if rest > 1:
            hanging[len(row)] = (rest - 1, text)
        row.append(text)


def _span(cell: Any, name: str) -> int:
    value = (cell.get(name) or "").strip()
    return max(1, min(int(value), 1_000)) if value.isdecimal() else 1
