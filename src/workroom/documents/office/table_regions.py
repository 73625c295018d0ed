"""Finds the tables within a sheet, such as a second one below or beside the first. Separate regions are cut
along empty rows and columns; an empty row or column within one table does not cut it, unless what follows is a table of its
own (`table_heads.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workroom.documents.office.table_heads import goes_on, has_head, is_whole

MAX_ROWS = 2_000
MAX_CELLS = 200_000
_MAX_DEPTH = 40

Row = tuple[int, Sequence[str]]  # its number in the sheet, and its cells from the first used column on


@dataclass(frozen=True)
class TableRegion:
    rows: list[tuple[int, list[str]]]
    left: int  # columns, from the first used one
    right: int


def table_regions(rows: Sequence[Row]) -> Iterator[TableRegion]:
    """In reading order. Rows without content may be missing: their numbers tell."""
    yield from _cut([(number, list(cells)) for number, cells in rows], 0, 0)


def _cut(rows: list[tuple[int, list[str]]], left: int, depth: int) -> Iterator[TableRegion]:
    rows, left = _trimmed(rows, left)
    if not rows:
        return
    if depth < _MAX_DEPTH:
        bands = _bands(rows)
        if len(bands) > 1:
            for band in bands:
                yield from _cut(band, left, depth + 1)
            return
        pieces = _pieces(rows)
        if len(pieces) > 1:
            for first, last in pieces:
                part = [(number, cells[first : last + 1]) for number, cells in rows]
                yield from _cut(part, left + first, depth + 1)
            return
    yield TableRegion(rows, left, left + max(len(cells) for _, cells in rows) - 1)


def _trimmed(rows: list[tuple[int, list[str]]], left: int) -> tuple[list[tuple[int, list[str]]], int]:
    kept = [(number, cells) for number, cells in rows if any(cells)]
    used = [column for _, cells in kept for column, text in enumerate(cells) if text]
    if not used:
        return [], left
    first, last = min(used), max(used)
    return [(number, cells[first : last + 1]) for number, cells in kept], left + first


def _bands(rows: list[tuple[int, list[str]]]) -> list[list[tuple[int, list[str]]]]:
    """Runs of rows with an empty one between; neighbours that reach equally far are one table with a gap."""
    bands: list[list[tuple[int, list[str]]]] = []
    for row in rows:
        if bands and row[0] == bands[-1][-1][0] + 1:
            bands[-1].append(row)
        else:
            bands.append([row])
    joined: list[list[tuple[int, list[str]]]] = []
    for band in bands:
        if joined and _reach(joined[-1]) == _reach(band) and len(joined[-1]) > 1 and _goes_on(joined[-1], band):
            joined[-1].extend(band)
        else:
            joined.append(band)
    return joined


def _goes_on(before: list[tuple[int, list[str]]], band: list[tuple[int, list[str]]]) -> bool:
    """A single row or column always; behind one empty row whatever has no head of its own; behind more only what looks like
    the rows above."""
    (last, above), (first, below) = before[-1], band[0]
    left, right = _reach(band)
    if len(band) == 1 or left == right:
        return True
    if has_head(band) or below == before[0][1]:
        return False
    return first - last == 2 or goes_on(above, below)


def _reach(rows: list[tuple[int, list[str]]]) -> tuple[int, int]:
    used = [column for _, cells in rows for column, text in enumerate(cells) if text]
    return min(used), max(used)


def _pieces(rows: list[tuple[int, list[str]]]) -> list[tuple[int, int]]:
    """Runs of columns with an empty one between; neighbours from the same row to the same row are one table with a gap."""
    width = max(len(cells) for _, cells in rows)
    spans: list[tuple[int, int] | None] = [None] * width  # first and last used row of each column
    for index, (_, cells) in enumerate(rows):
        for column, text in enumerate(cells):
            if text:
                span = spans[column]
                spans[column] = (index if span is None else span[0], index)
    runs: list[tuple[int, int, tuple[int, int]]] = []
    for column, span in enumerate(spans):
        if span is None:
            continue
        if runs and runs[-1][1] == column - 1:
            first, _, before = runs[-1]
            runs[-1] = (first, column, (min(before[0], span[0]), max(before[1], span[1])))
        else:
            runs.append((column, column, span))
    joined: list[tuple[int, int, tuple[int, int]]] = []
    for run in runs:
        beside = joined and all(is_whole(_columns(rows, first, last)) for first, last, _ in (joined[-1], run))
        if joined and _is_same_table(joined[-1][2], run[2]) and not beside:
            first, _, before = joined[-1]
            joined[-1] = (first, run[1], (min(before[0], run[2][0]), max(before[1], run[2][1])))
        else:
            joined.append(run)
    return [(first, last) for first, last, _ in joined]


def _columns(rows: list[tuple[int, list[str]]], first: int, last: int) -> list[tuple[int, list[str]]]:
    """Rows that have something in them."""
    cut = ((number, cells[first : last + 1]) for number, cells in rows)
    return [(number, cells) for number, cells in cut if any(cells)]


def _is_same_table(first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Side by side, and the one begins or ends no more than a header above or below the other."""
    return abs(first[0] - second[0]) <= 1 and abs(first[1] - second[1]) <= 1
