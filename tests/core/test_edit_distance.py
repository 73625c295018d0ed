"""The distance between words, compared with the textbook algorithm that fills the whole table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.core.edit_distance import edit_distance


def textbook(first: str, second: str) -> int:
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for row in range(len(first) + 1):
        for column in range(len(second) + 1):
            if not row or not column:
                table[row][column] = row + column
                continue
            changed = table[row - 1][column - 1] + (first[row - 1] != second[column - 1])
            table[row][column] = min(table[row - 1][column] + 1, table[row][column - 1] + 1, changed)
            if row > 1 and column > 1 and first[row - 1] == second[column - 2] and first[row - 2] == second[column - 1]:
                table[row][column] = min(table[row][column], table[row - 2][column - 2] + 1)
    return table[-1][-1]


@pytest.mark.parametrize(
    ("first", "second", "distance"),
    [("", "", 0), ("wald", "wald", 0), ("wald", "wlad", 1), ("wald", "wal", 1), ("wald", "waldt", 1), ("wald", "", 3)],
)
def test_of_words(first: str, second: str, distance: int) -> None:
    assert edit_distance(first, second, 2) == distance


@given(st.text("abc", max_size=8), st.text("abc", max_size=8), st.integers(0, 4))
def test_up_to_the_limit_it_is_the_textbook_distance(first: str, second: str, limit: int) -> None:
    assert edit_distance(first, second, limit) == min(textbook(first, second), limit + 1)
