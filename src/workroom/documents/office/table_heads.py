"""Whether rows are a table of their own: a head of words, and figures below it. So two tables under or beside each other are
told from one that has a gap."""

from __future__ import annotations

import re
from collections.abc import Sequence

LEAST_COLUMNS = 2
_FIGURE = re.compile(
    r"[^\w\s]{0,2}\s?(?:[A-Z]{2,3}\s|[A-Z]?[$€£¥])?[^\w\s]?\d[\d\s'’.,:/-]*[^\w\s]{0,2}(?:\s?[^\W\d_]{1,3})?"
)
_YEAR = re.compile(r"(?:19|20)\d\d")

Row = tuple[int, Sequence[str]]


def has_head(rows: Sequence[Row]) -> bool:
    """Words alone in the first row, years among them, and right below one of them a figure."""
    if len(rows) < 2:
        return False
    head, below = rows[0][1], rows[1][1]
    titles = [text for text in head if text]
    if len(titles) < LEAST_COLUMNS or any(is_figure(text) and not _YEAR.fullmatch(text) for text in titles):
        return False
    return any(
        text and is_figure(under) and not _YEAR.fullmatch(under) for text, under in zip(head, below, strict=False)
    )


def is_whole(rows: Sequence[Row]) -> bool:
    """Whether it can be read without what is beside it: every row says in its first column what it is about. A title may stand
    above."""
    rows = rows[1:] if rows and sum(map(bool, rows[0][1])) == 1 else rows
    return has_head(rows) and all(cells[0] and not is_figure(cells[0]) for _, cells in rows)


def goes_on(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether a row is one more of the same: figures where the other has them, words where it has words."""
    kinds = [[(bool(text), is_figure(text)) for text in row] for row in (before, after)]
    return kinds[0] == kinds[1] and any(figure for _, figure in kinds[1])


def is_figure(text: str) -> bool:
    """An amount, a share, a date: not `B5`, nor `3 rooms with a view`."""
    return _FIGURE.fullmatch(text.strip()) is not None
