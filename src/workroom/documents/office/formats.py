"""Formats values of a workbook by their styles, for all file formats: numbers and dates as displayed."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Protocol

from workroom.documents.office.date_formats import ShowMoment, date_format
from workroom.documents.office.format_tokens import is_date, is_of_an_era, sections_of
from workroom.documents.office.number_formats import Show, number_format

MOST_STYLES = 65_000
_REMEMBERED = 1_000  # dates: most columns of them repeat a few
# Those that every workbook has without saying what they are. Dates that Excel shows as each machine likes it (14, 22) and
# sums of money in the machine's own currency are left out or plain: no format is better than a wrong one.
_BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: "#,##0;-#,##0", 6: "#,##0;-#,##0", 7: "#,##0.00;-#,##0.00",
    8: "#,##0.00;-#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??", 15: "d-mmm-yy",
    16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss",
    37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)",
    41: '#,##0;-#,##0;"-"', 42: '#,##0;-#,##0;"-"', 43: '#,##0.00;-#,##0.00;"-"', 44: '#,##0.00;-#,##0.00;"-"',
    45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0",
}  # fmt: skip
_DATES = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
_MOMENTS = (datetime.date, datetime.time, datetime.timedelta)


class CellFormatter(Protocol):
    """Formats cells of a workbook. The format of a cell is a style, or the displayed text itself."""

    def row_formats(self, sheet: str) -> Iterator[tuple[int, Mapping[int, Any]]]:
        """Row numbers, from 1 and in order, with the formats of their cells by column, from 0, for rows that have any."""
        ...

    def show(self, value: Any, format_: Any) -> str | None:
        """The displayed text, or None where the format does not apply to such a value."""
        ...


class Formats:
    """Of one workbook, by the numbers of its styles."""

    def __init__(self) -> None:
        self._numbers: dict[int, Show] = {}
        self._moments: dict[int, ShowMoment] = {}
        self.dates: set[int] = set()  # styles in which numbers are dates

    @property
    def known(self) -> set[int]:
        """Styles that change how something is shown."""
        return {*self._numbers, *self._moments}

    def by_rows(self, cells: Iterable[tuple[int, int, int]]) -> Iterator[tuple[int, Mapping[int, int]]]:
        """Rows and columns, from 0, with styles, as looks; those that change nothing are left out."""
        known = self.known
        current, styles = -1, dict[int, int]()
        for row, column, style in cells if known else ():
            if style not in known:
                continue
            if row != current:
                if styles:
                    yield current + 1, styles
                current, styles = row, {}
            styles[column] = style
        if styles:
            yield current + 1, styles

    def show(self, value: Any, style: int) -> str | None:
        """The displayed text, or None where the style does not apply to such a value."""
        try:
            if isinstance(value, bool):
                return None
            if isinstance(value, (int, float)):
                show = self._numbers.get(style)
                return None if show is None else show(value)
            if isinstance(value, _MOMENTS):
                show_moment = self._moments.get(style)
                return None if show_moment is None else show_moment(value)
        except (ArithmeticError, ValueError, IndexError, StopIteration):  # a format that means nothing
            return None
        return None

    def add(self, style: int, id_: int, own: str | None = None) -> None:
        """`own` is what the workbook says of this format; else it is one that every workbook has."""
        code = _BUILT_IN.get(id_, "") if own is None else own
        if not code:
            self.dates |= {style} if id_ in _DATES else set()
            return
        sections = sections_of(code)
        if is_date(sections):
            self.dates.add(style)
            if not is_of_an_era(sections):
                self._moments[style] = lru_cache(_REMEMBERED)(date_format(sections[0]))
        elif (show := number_format(sections)) is not None:
            self._numbers[style] = show
