"""A quick guess whether a page has tables, from the pieces in which its text was drawn and the lines around them."""

from __future__ import annotations

from workroom.documents.extractors.pdf.graphics import PageGraphics
from workroom.documents.extractors.pdf.words import PdfLine, PdfPageText

_ROWS = 3  # with several columns, one below the other, look like a table
_COLUMNS = 3
_GAP = 8.0  # points between columns
_ROW = 4.0  # points: what differs by less in height stands in one row
_SHORT = 36.0

_Row = list[tuple[float, float]]


class TableHints:
    def __init__(self, text: PdfPageText) -> None:
        rows: dict[int, _Row] = {}
        for left, top, right, bottom in text.rectangles():
            rows.setdefault(round((top + bottom) / 2 / _ROW), []).append((left, right))
        self._rows = {row_number: _apart(sorted(pieces)) for row_number, pieces in rows.items()}
        self._frame = text.frame

    def is_row(self, line: PdfLine) -> bool:
        """Whether a line is a row of several columns, such as the head of a table."""
        if self._frame.quarters:
            return False
        row_number = round((self._frame.top - (line.box.top + line.box.bottom) / 2) / _ROW)
        return any(len(self._rows.get(near, ())) >= _COLUMNS for near in (row_number - 1, row_number, row_number + 1))

    def has_columns(self) -> bool:
        """Rows of three or more short texts, one below the other, that begin or end at the same places."""
        alike: list[set[int]] = []
        for row_number in sorted(self._rows, reverse=True):
            pieces = self._rows[row_number]
            filled = sum(right - left for left, right in pieces)
            if len(pieces) >= _COLUMNS and filled < 0.8 * (pieces[-1][1] - pieces[0][0]):
                alike.append({round(edge / 4) for piece in pieces for edge in piece})
                last = alike[-_ROWS:]
                if len(last) == _ROWS and len(set.intersection(*last)) >= 2:
                    return True
            elif len(pieces) < 2:
                alike.clear()
        return False


def is_grid(drawn: PageGraphics) -> bool:
    rows = {round(line.top / 3) for line in drawn.across if line.width > _SHORT}
    columns = {round(line.left / 3) for line in drawn.down}
    return len(rows) >= 3 and len(columns) >= 3


def _apart(pieces: _Row) -> _Row:
    """Those that touch count as one."""
    apart: _Row = []
    for left, right in pieces:
        if apart and left - apart[-1][1] < _GAP:
            apart[-1] = (apart[-1][0], max(apart[-1][1], right))
        else:
            apart.append((left, right))
    return apart
