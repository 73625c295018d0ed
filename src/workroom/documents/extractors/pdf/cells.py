"""Rows of text from the cells of a grid: merged cells are repeated per row, rows without a line between them are split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from workroom.documents.extractors.pdf.words import PdfWord

_REPEATED = 60  # characters: longer texts of merged cells are shown once
_LINES = 3  # in every cell of a row, side by side: they are rows of their own
_NEAR = 3.0  # points

CellGrid = list[list[int]]  # a number for each cell, by row and column; merged ones share theirs


@dataclass
class Cell:
    """Words by lines, each with its height on the page."""

    lines: list[tuple[float, list[str]]] = field(default_factory=list)

    def add(self, word: PdfWord) -> None:
        middle = word.box.middle[1]
        if self.lines and abs(self.lines[-1][0] - middle) < word.box.height / 2:
            self.lines[-1][1].append(word.text)
        else:
            self.lines.append((middle, [word.text]))

    @property
    def text(self) -> str:
        return " ".join(word for _, words in self.lines for word in words)


def rows_of(places: CellGrid, cells: dict[int, Cell]) -> list[list[str]]:
    """Without rows and columns that say nothing of their own."""
    places = _transposed(_changing(_transposed(_changing(places))))
    shown: set[int] = set()
    rows: list[list[str]] = []
    for line in places:
        fresh = [cell_number for cell_number in line if cell_number not in shown and cell_number in cells]
        if fresh:  # else it only repeats what is merged into it
            rows += _split(line, cells) or [_row(line, cells, shown)]
        shown.update(line)
    kept = [index for index, column in enumerate(zip(*rows, strict=True)) if any(column)]
    return [[row[index] for index in kept] for row in rows]


def _row(line: list[int], cells: dict[int, Cell], shown: set[int]) -> list[str]:
    """A merged cell shows a short text once in each of the rows it covers, so that every row can be read alone."""
    row = []
    for index, cell_number in enumerate(line):
        text = cells[cell_number].text if cell_number in cells else ""
        again = cell_number in line[:index] or (cell_number in shown and len(text) > _REPEATED)
        row.append("" if again else text)
    return row


def _split(line: list[int], cells: dict[int, Cell]) -> list[list[str]]:
    """Many tables have lines only around their head: what stands at the same height in all columns is a row."""
    filled = [cells[cell_number] for cell_number in line if cell_number in cells]
    if len(set(line)) < len(line) or len(filled) < 2:
        return []
    heights = [[height for height, _ in cell.lines] for cell in filled]
    if len(heights[0]) < _LINES or not all(_same(heights[0], other) for other in heights[1:]):
        return []
    return [
        [" ".join(cells[cell_number].lines[number][1]) if cell_number in cells else "" for cell_number in line]
        for number in range(len(heights[0]))
    ]


def _same(first: Sequence[float], second: Sequence[float]) -> bool:
    return len(first) == len(second) and all(abs(a - b) < _NEAR for a, b in zip(first, second, strict=True))


def _changing(lines: CellGrid) -> CellGrid:
    """Without those that are wholly merged with the one before."""
    return [line for before, line in zip([[], *lines], lines, strict=False) if line != before]


def _transposed(lines: CellGrid) -> CellGrid:
    return [list(line) for line in zip(*lines, strict=True)]
