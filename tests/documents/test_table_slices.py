from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workroom.documents.content import MAX_TEXT
from workroom.documents.table_slices import table_slices


def test_no_rows_are_no_slices() -> None:
    assert list(table_slices([])) == []


def test_a_header_alone_is_a_table() -> None:
    (only,) = table_slices([(7, ["a", "b"])])
    assert (only.first, only.last, only.rows, only.text) == (7, 7, 1, "| a | b |\n| --- | --- |")


def test_a_huge_header_is_not_repeated() -> None:
    first, second = table_slices([(1, ["h" * 9_000]), (2, ["x" * 5_000]), (3, ["y" * 9_000])])
    assert "h" in first.text
    assert "h" not in second.text


@given(st.lists(st.lists(st.text(max_size=300), min_size=1, max_size=5), min_size=1, max_size=300))
def test_every_row_is_in_exactly_one_slice_and_all_fit(rows: list[list[str]]) -> None:
    slices = list(table_slices(enumerate(rows, start=1), max_rows=50))
    assert sum(part.rows for part in slices) == len(rows)
    assert [part.first for part in slices[1:]] == [part.last + 1 for part in slices[:-1]]
    assert (slices[0].first, slices[-1].last) == (1, len(rows))
    assert all(part.rows <= 50 and len(part.text) <= 2 * MAX_TEXT for part in slices)
