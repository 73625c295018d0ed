"""Tables that are divided: by columns where there are too many for a slide, by rows where they are too many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from workroom.documents.slide_pictures.widths import width_of
from workroom.documents.writers.pptx.pieces import SlideBox, Table, TableFrame
from workroom.documents.writers.pptx.runs import Runs, cut, full_text, notes_in
from workroom.documents.writers.pptx.text_measures import FONT, height_of, lines_before_cut, lines_of, starts_of

NARROWEST = 62.0  # of a column
MARGIN, MARGIN_ABOVE = 7.0, 4.0  # of a cell
MEASURED = 200  # rows by which columns are made wide
LONGEST_WORD, LONGEST_TEXT = 160.0, 480.0


def parts_of(table: Table, width: float) -> Iterator[Table]:
    """By columns. The first one stands in every part."""
    most = max(int(width // NARROWEST), 2)
    columns = len(table.align)
    if columns <= most:
        yield table
        return
    for begin in range(1, columns, most - 1):
        shown = [0, *range(begin, min(begin + most - 1, columns))]
        rows = [[row[column] if column < len(row) else () for column in shown] for row in table.rows]
        yield Table(table.caption if begin == 1 else (), [table.align[column] for column in shown], rows)


class Rows:
    """The rows of a table that are still to be placed. None of them is higher than a slide: such a row goes on in the next."""

    def __init__(self, table: Table, width: float, size: float, room: float) -> None:
        self._table, self._size = table, size
        self._columns = len(table.align)
        self.widths = _widths(table.rows[:MEASURED], self._columns, width, size)
        self._head, *below = table.rows or [[()] * self._columns]
        most = max(int((room * 0.3) // height_of(1, size)), 1)
        self._head = next(iter(self._cut(self._head, most, is_head=True)))
        self._head_height = self._height(self._head, is_head=True)
        lines = max(int((room - self._head_height - 4 * MARGIN_ABOVE) // height_of(1, size)), 1)
        self._rows = [part for row in below for part in self._cut(row, lines)]
        self._heights = [self._height(row) for row in self._rows]
        self._at = 0

    @property
    def left(self) -> int:
        return len(self._rows) - self._at

    @property
    def height(self) -> float:
        return self._head_height + sum(self._heights[self._at :])

    @property
    def least(self) -> float:
        """Room for the head and one row."""
        return self._head_height + (self._heights[self._at] if self.left else 0.0)

    def fitting(self, room: float) -> int:
        room -= self._head_height
        count = 0
        while count < self.left and (room := room - self._heights[self._at + count]) >= 0:
            count += 1
        return count

    def notes(self, count: int) -> list[int]:
        rows = [*([self._head] if self._at == 0 else []), *self._rows[self._at : self._at + count]]
        return [note for row in rows for cell in row for note in notes_in(cell)]

    def taken(self, count: int, place: SlideBox, number: int) -> TableFrame:
        """The next rows as a table with a head of its own."""
        rows, heights = self._rows[self._at : self._at + count], self._heights[self._at : self._at + count]
        self._at += count
        table = Table(self._table.caption, self._table.align, [self._head, *rows])
        heights = [self._head_height, *heights]
        box = SlideBox(place.left, place.top, sum(self.widths), sum(heights))
        return TableFrame(box, table, self.widths, heights, number)

    def _height(self, row: Sequence[Runs], *, is_head: bool = False) -> float:
        lines = [
            lines_of(_bold(cell) if is_head else cell, width - 2 * MARGIN, self._size)
            for cell, width in zip(row, self.widths, strict=False)
        ]
        return height_of(max(lines, default=1), self._size) + 2 * MARGIN_ABOVE + 1

    def _cut(self, row: Sequence[Runs], lines: int, *, is_head: bool = False) -> Iterator[list[Runs]]:
        """A head that is too high says no more than fits: its rest is a row of its own, too."""
        rest = [*row[: self._columns], *([()] * (self._columns - len(row)))]
        while True:
            parts = []
            for cell, width in zip(rest, self.widths, strict=True):
                starts = starts_of(_bold(cell) if is_head else cell, width - 2 * MARGIN, self._size)
                is_cut = len(starts) > lines
                parts.append(cut(cell, starts[lines_before_cut(cell, starts, lines)]) if is_cut else (cell, ()))
            yield [first for first, _ in parts]
            rest = [later for _, later in parts]
            if not any(map(full_text, rest)):
                return


def _bold(cell: Runs) -> Runs:
    return tuple(replace(run, bold=True) for run in cell)


def _widths(rows: Sequence[Sequence[Runs]], columns: int, width: float, size: float) -> list[float]:
    """Columns as wide as what is in them asks for, and if possible no narrower than their longest word."""
    words, texts = [NARROWEST * 0.7] * columns, [1.0] * columns
    for row in rows:
        for column, cell in enumerate(row[:columns]):
            text = full_text(cell)
            word = max((width_of(one[:40], size, FONT, bold=True) for one in text.split()), default=0.0)
            words[column] = max(words[column], min(word, LONGEST_WORD) * 1.03 + 2 * MARGIN)
            texts[column] = max(texts[column], min(width_of(text[:200], size, FONT, bold=True), LONGEST_TEXT))
    least = words if sum(words) <= width else [width / columns] * columns
    room = width - sum(least)
    return [place + room * text / sum(texts) for place, text in zip(least, texts, strict=True)]
