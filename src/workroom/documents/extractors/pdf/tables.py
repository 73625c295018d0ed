"""Tables on one page: with a grid of lines, between lines, or only aligned."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from workroom.documents.extractors.pdf.direction import is_right_to_left
from workroom.documents.extractors.pdf.geometry import Box, around
from workroom.documents.extractors.pdf.graphics import PageGraphics
from workroom.documents.extractors.pdf.grids import grids
from workroom.documents.extractors.pdf.layout import TextSegment
from workroom.documents.extractors.pdf.words import PdfWord

_PROSE = 9  # words in the average cell: text in columns, not a table
_GUTTER = 4.0
_ROWS = 3
_CELL_GAP = 0.45  # times the size of the letters: more than a space
_MARKER = re.compile(r"[•·▪◦‣∗*–—\-o]|\(?[\divxa-z]{1,4}[.)]|\[\d+\]|\d{1,3}", re.IGNORECASE)
_NUMBER = re.compile(r"[\d.,'’%()+\-–−$€£¥ \u00a0]*\d[\d.,'’%()+\-–−$€£¥ \u00a0]*")


@dataclass(frozen=True)
class PdfTable:
    box: Box
    rows: list[list[str]]
    pieces: frozenset[int]  # by identity: what it is made of


def tables_on(pieces: Sequence[TextSegment], drawn: PageGraphics) -> list[PdfTable]:
    """From the top down. No piece is in two of them."""
    tables = [table for grid in grids(drawn) if (table := _ruled(grid.box, grid.cells_of(pieces), grid.inside(pieces)))]
    taken = frozenset().union(*(table.pieces for table in tables))
    free = [piece for piece in pieces if id(piece) not in taken]
    tables += [table for run in _runs(_rows(free)) if (table := _aligned(run, drawn)) is not None]
    return sorted(tables, key=lambda table: (table.box.top, table.box.left))


def _ruled(box: Box, cells: list[list[str]], inside: Sequence[TextSegment]) -> PdfTable | None:
    filled = [text for row in cells for text in row if text]
    words = sum(len(text.split()) for text in filled)
    if len(cells) < 2 or len(cells[0]) < 2 or len(filled) < 3 or words > 4 * _PROSE * len(filled):
        return None
    return PdfTable(box, _from_the_first_column(cells), frozenset(map(id, inside)))


def _from_the_first_column(rows: list[list[str]]) -> list[list[str]]:
    """Tables in Arabic or Hebrew begin on the right."""
    text = " ".join(text for row in rows for text in row)
    return [row[::-1] for row in rows] if is_right_to_left(text) else rows


_Row = list[TextSegment]


def _rows(pieces: Sequence[TextSegment]) -> list[_Row]:
    """Pieces side by side, from the top down, each row from left to right."""
    rows: list[_Row] = []
    for piece in sorted(pieces, key=lambda piece: (piece.box.top + piece.box.bottom) / 2):
        middle = (piece.box.top + piece.box.bottom) / 2
        if rows and any(other.box.top < middle < other.box.bottom for other in rows[-1]):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    for row in rows:
        row.sort(key=lambda piece: piece.box.left)
    return rows


def _runs(rows: list[_Row]) -> Iterator[list[_Row]]:
    """Rows with several pieces, one below the other; single pieces between them may continue a cell."""
    run: list[_Row] = []
    pending: list[_Row] = []
    for row in rows:
        far = bool(run) and _top(row) - _bottom((pending or run)[-1]) > 2.2 * max(piece.box.height for piece in row)
        if run and (far or len(pending) >= 2):
            yield run
            run, pending = [], []
        if len(row) > 1:
            run += [*pending, row]
            pending = []
        elif run:
            pending.append(row)
    if run:
        yield run


def _top(row: _Row) -> float:
    return min(piece.box.top for piece in row)


def _bottom(row: _Row) -> float:
    return max(piece.box.bottom for piece in row)


def _aligned(run: list[_Row], drawn: PageGraphics) -> PdfTable | None:
    several = [row for row in run if len(row) > 1]
    box = around(piece.box for row in run for piece in row)
    between_lines = _lines_across(box, drawn) >= 2
    if len(several) < (2 if between_lines else _ROWS):
        return None
    columns = _columns(several)
    if len(columns) < 2:
        return None
    cells = [_cells(row, columns) for row in run]
    if not _looks_tabular([cells[index] for index, row in enumerate(run) if len(row) > 1], between_lines):
        return None
    return PdfTable(
        box, _from_the_first_column(_unwrapped(cells, run)), frozenset(id(piece) for row in run for piece in row)
    )


def _lines_across(box: Box, drawn: PageGraphics) -> int:
    reach = 12.0
    return len(
        {
            round(line.top / 2)
            for line in drawn.across
            if box.top - reach <= line.top <= box.bottom + reach
            and min(line.right, box.right) - max(line.left, box.left) > 0.8 * box.width
        }
    )


def _columns(rows: list[_Row]) -> list[tuple[float, float]]:
    """Where text stands in nearly all rows; a heading over several columns must not glue them together."""
    edges = sorted(
        [(piece.box.left, 1) for row in rows for piece in row]
        + [(piece.box.right, -1) for row in rows for piece in row]
    )
    tolerated = len(rows) * 0.15
    columns: list[tuple[float, float]] = []
    depth, start = 0, None
    for x, step in edges:
        depth += step
        if depth > tolerated and start is None:
            start = x
        elif depth <= tolerated and start is not None:
            if columns and start - columns[-1][1] < _GUTTER:
                columns[-1] = (columns[-1][0], x)
            else:
                columns.append((start, x))
            start = None
    return columns


def _cells(row: _Row, columns: Sequence[tuple[float, float]]) -> list[str]:
    cells = [""] * len(columns)
    for piece in row:
        for words in _split_at_gutters(piece, columns):
            box = around(word.box for word in words)
            index = max(range(len(columns)), key=lambda at: _common(box, columns[at]))
            cells[index] = " ".join([cells[index], *(word.text for word in words)]).strip()
    return cells


def _split_at_gutters(piece: TextSegment, columns: Sequence[tuple[float, float]]) -> list[list[PdfWord]]:
    """Cells that nearly touch came as one piece: cut where a wide space lies between two columns."""
    words = piece.words
    parts = [words[:1]]
    for before, word in pairwise(words):
        gap = (before.box.right, word.box.left)
        in_gutter = any(gap[0] < following[0] and gap[1] > column[1] for column, following in pairwise(columns))
        if in_gutter and gap[1] - gap[0] > _CELL_GAP * piece.size:
            parts.append([word])
        else:
            parts[-1].append(word)
    return parts


def _common(box: Box, column: tuple[float, float]) -> float:
    """How far they overlap; negative: how far they are apart."""
    return min(box.right, column[1]) - max(box.left, column[0])


def _looks_tabular(rows: list[list[str]], between_lines: bool) -> bool:
    filled = [text for row in rows for text in row if text]
    words = sum(len(text.split()) for text in filled) / len(filled)
    numbers = sum(_NUMBER.fullmatch(text) is not None for text in filled) / len(filled)
    width = len(rows[0])
    if len(filled) < 0.4 * width * len(rows):
        return False
    if width == 2:
        markers = sum(_MARKER.fullmatch(row[0]) is not None for row in rows)
        if markers > 0.6 * len(rows) and not (between_lines and numbers > 0.5):
            return False  # a list
        return words <= (_PROSE if between_lines else 3.5) or (numbers > 0.3 and words <= _PROSE)
    return words <= (_PROSE if between_lines or numbers > 0.2 else 5)


def _unwrapped(cells: list[list[str]], run: list[_Row]) -> list[list[str]]:
    """Rows that only continue the cells above them are put there."""
    rows: list[list[str]] = []
    for index, row in enumerate(cells):
        close = index > 0 and _top(run[index]) - _bottom(run[index - 1]) < 0.35 * run[index][0].box.height
        continues = not row[0] and sum(map(bool, row)) <= len(row) / 2 and index > 1
        if rows and close and (continues or (len(run[index]) == 1 and row[0])) and index > 0:
            rows[-1] = [f"{above} {text}".strip() for above, text in zip(rows[-1], row, strict=True)]
        else:
            rows.append(row)
    return rows
