"""Grids: lines across and down that meet make the cells of a table, merged ones included."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workroom.documents.extractors.pdf.cells import Cell, CellGrid, rows_of
from workroom.documents.extractors.pdf.geometry import Box, around
from workroom.documents.extractors.pdf.graphics import PageGraphics
from workroom.documents.extractors.pdf.layout import TextSegment

_NEAR = 3.0  # points: lines meet, or are the same
_LINES = 2_000  # more on one page are a drawing
_CELLS = 20_000
_FILLED = 0.35  # of its cells have texts of their own


@dataclass(frozen=True)
class Grid:
    xs: list[float]
    ys: list[float]
    across: list[Box]
    down: list[Box]

    @property
    def box(self) -> Box:
        return Box(self.xs[0], self.ys[0], self.xs[-1], self.ys[-1])

    def inside(self, pieces: Sequence[TextSegment]) -> list[TextSegment]:
        return [piece for piece in pieces if self.box.holds(*piece.box.middle)]

    def cells_of(self, pieces: Sequence[TextSegment]) -> list[list[str]]:
        """Empty where the lines are no table: boxes of a drawing that touch make a grid with hardly a whole cell."""
        places = self._places()
        cells: dict[int, Cell] = {}
        for piece in self.inside(pieces):
            for word in piece.words:
                row, column = self._at(*word.box.middle)
                cells.setdefault(places[row][column], Cell()).add(word)
        rows = rows_of(places, cells)
        area = sum(map(len, rows))
        return rows if len(cells) >= _FILLED * area else []

    def _at(self, x: float, y: float) -> tuple[int, int]:
        row = min(max(bisect_right(self.ys, y) - 1, 0), len(self.ys) - 2)
        column = min(max(bisect_right(self.xs, x) - 1, 0), len(self.xs) - 2)
        return row, column

    def _places(self) -> CellGrid:
        """A number per cell, the same for cells with no line between them."""
        rows, columns = len(self.ys) - 1, len(self.xs) - 1
        walls = [[line for line in self.down if abs(line.left - x) <= _NEAR] for x in self.xs]
        floors = [[line for line in self.across if abs(line.top - y) <= _NEAR] for y in self.ys]
        places = [[row * columns + column for column in range(columns)] for row in range(rows)]
        for row in range(rows):
            for column in range(columns):
                y, x = (self.ys[row] + self.ys[row + 1]) / 2, (self.xs[column] + self.xs[column + 1]) / 2
                if column and not any(line.top - _NEAR <= y <= line.bottom + _NEAR for line in walls[column]):
                    places[row][column] = places[row][column - 1]
                elif row and not any(line.left - _NEAR <= x <= line.right + _NEAR for line in floors[row]):
                    places[row][column] = places[row - 1][column]
        return places


def grids(drawn: PageGraphics) -> Iterator[Grid]:
    lines = [(box, True) for box in drawn.across] + [(box, False) for box in drawn.down]
    if len(lines) > _LINES:
        return
    for group in _touching(lines):
        across = [box for box, is_across in group if is_across]
        down = [box for box, is_across in group if not is_across]
        if not across or not down:
            continue
        # Many tables have no border around them: the outermost cells end where the lines do.
        whole = around(box for box, _ in group)
        xs = _distinct([whole.left, *(box.left for box in down), whole.right])
        ys = _distinct([whole.top, *(box.top for box in across), whole.bottom])
        if len(xs) >= 3 and len(ys) >= 3 and (len(xs) - 1) * (len(ys) - 1) <= _CELLS:
            yield Grid(xs, ys, across, down)


def _touching(lines: list[tuple[Box, bool]]) -> list[list[tuple[Box, bool]]]:
    """Groups of lines that are connected, directly or through others."""
    groups: list[list[tuple[Box, bool]]] = []
    boxes: list[Box] = []
    for line in sorted(lines, key=lambda line: line[0].top):
        joined = [line]
        box = line[0]
        for index in range(len(groups) - 1, -1, -1):
            if _near(boxes[index], box) and any(_near(other, line[0]) for other, _ in groups[index]):
                joined += groups.pop(index)
                box = around((box, boxes.pop(index)))
        groups.append(joined)
        boxes.append(box)
    return groups


def _near(first: Box, second: Box) -> bool:
    return (
        first.left - _NEAR <= second.right
        and second.left - _NEAR <= first.right
        and first.top - _NEAR <= second.bottom
        and second.top - _NEAR <= first.bottom
    )


def _distinct(values: list[float]) -> list[float]:
    kept: list[float] = []
    for value in sorted(values):
        if not kept or value - kept[-1] > _NEAR:
            kept.append(value)
    return kept
