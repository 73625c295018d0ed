"""Merged cells: what they say counts in every cell they cover, so that tables are told apart and every row can be read alone;
but a row says it once."""

from __future__ import annotations

from collections.abc import Sequence

_MAX_RANGES = 20_000
_WIDEST = 30  # columns; a title over a whole sheet is no part of its tables
_TALLEST = 2_000


class CoveredText(str):
    """The text of a merged cell that covers this one from the left."""

    __slots__ = ()


Corner = tuple[int, int]  # row and column, from 0


class MergedCells:
    def __init__(self, ranges: Sequence[tuple[Corner, Corner]], first_column: int) -> None:
        self._starting: dict[int, list[tuple[int, int, int]]] = {}
        self._running: list[tuple[int, int, int, str]] = []  # last row, first and last column, text
        for (top, left), (bottom, right) in ranges[:_MAX_RANGES]:
            if right - left < _WIDEST and bottom - top < _TALLEST and left >= first_column:
                self._starting.setdefault(top, []).append((bottom, left - first_column, right - first_column))

    def fill(self, index: int, texts: list[str]) -> list[str]:
        """The row with this index, completed. Rows must come in order."""
        for bottom, left, right in self._starting.pop(index, ()):
            if left < len(texts) and texts[left]:
                self._running.append((bottom, left, right, texts[left]))
        if self._running:
            self._running = [running for running in self._running if running[0] >= index]
            for _, left, right, text in self._running:
                for column in range(left, min(right + 1, len(texts))):
                    texts[column] = texts[column] or (text if column == left else CoveredText(text))
        return texts


def said_once(texts: list[str]) -> list[str]:
    """A row as it is shown; what a table begins with is said, even where a cell reaches into it from outside."""
    if not any(isinstance(text, CoveredText) for text in texts):
        return texts
    pairs = zip([None, *texts], texts, strict=False)
    return ["" if isinstance(text, CoveredText) and before == text else text for before, text in pairs]
