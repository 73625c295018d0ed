"""Columns of a table as a chart: which are drawn, in what order, and what is said of those that cannot be."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.contents.chart_columns import ChartColumns, chart_columns
from workroom.contents.document_tables import FoundTable
from workroom.core.charts import ChartKind
from workroom.core.errors import InvalidInput
from workroom.documents.tables import markdown_table, table_rows
from workroom.documents.types import ContextRef


def table(*rows: str, decimal: Any = None) -> FoundTable:
    head, *body = [[cell.strip() for cell in row.split("|")] for row in rows]
    return FoundTable(ContextRef(container_path="t.csv", location="rows:1-9"), head, body, decimal)


SALES = table(
    "Month | Region | Revenue | Cost | Remark",
    "2026-02 | North | 1'200.50 | 800 | fine",
    "2026-01 | North | 1'000.00 | 700 | ",
    "2026-01 | South | 500.10 | – | late",
)


def drawn(kind: ChartKind = "bar", x: str = "", y: Any = (), aggregate: Any = None, of: FoundTable = SALES) -> Any:
    found: ChartColumns = chart_columns(of, kind, x, y, aggregate)
    return list(found.categories), {one.name: list(one.values) for one in found.series}


@pytest.mark.requirement("P5")
def test_columns_are_named_or_else_all_that_have_numbers() -> None:
    assert drawn(x="region", y=["COST"]) == (["North", "North", "South"], {"Cost": [800, 700, None]})
    months, series = drawn()
    assert months == ["2026-02", "2026-01", "2026-01"]
    assert list(series) == ["Revenue", "Cost"]


@pytest.mark.parametrize(
    ("aggregate", "north", "south"), [("sum", 2200.5, 500.1), ("mean", 1100.25, 500.1), ("count", 2, 1)]
)
def test_rows_are_joined_by_what_stands_along_the_axis(aggregate: str, north: float, south: float) -> None:
    categories, series = drawn(x="Region", y=["Revenue"], aggregate=aggregate)
    assert (categories, series) == (["North", "South"], {"Revenue": [north, south]})


def test_rows_can_be_counted_without_any_number() -> None:
    assert drawn(x="Region", aggregate="count") == (["North", "South"], {"": [2, 1]})
    assert drawn(x="Region", y=["Remark"], aggregate="count") == (["North", "South"], {"Remark": [1, 1]})


@given(st.lists(st.integers(-(10**12), 10**12), min_size=1, max_size=50))
def test_sums_are_exact_to_the_cent(cents: list[int]) -> None:
    _, series = drawn(aggregate="sum", of=table("x | y", *(f"a | {cent / 100:.2f}" for cent in cents), decimal="."))
    [total] = series["y"]
    assert total == pytest.approx(sum(cents) / 100, rel=1e-11, abs=1e-6)
    assert drawn(aggregate="sum", of=table("x | y", "a | 0.1", "a | 0.2"))[1] == {"y": [0.3]}


def test_a_line_runs_forward_in_time_and_bars_stay_as_they_stand() -> None:
    assert drawn("line", "Month", ["Revenue"], "sum") == (["2026-01", "2026-02"], {"Revenue": [1500.1, 1200.5]})
    assert drawn("bar", "Month", ["Revenue"], "sum")[0] == ["2026-02", "2026-01"]
    assert drawn("line", of=table("x | y", "10 | 1", "9 | 2"))[0] == [9, 10]
    assert drawn("bar", of=table("x | y", "10 | 1", "9 | 2"))[0] == ["10", "9"]


def test_what_is_left_out_or_repeats_is_said() -> None:
    notes = chart_columns(table("x | y", "a | 1", "a | much", "b | 2", "c | 3"), "bar", "", ["y"]).notes
    assert notes == [
        "In “y” 1 cells are no numbers; they are gaps.",
        "The same “x” stands in several rows; `aggregate` joins them.",
    ]


def test_units_are_of_all_series_or_of_none() -> None:
    assert chart_columns(table("x | a | b", "1 | CHF 5 | 6 CHF"), "bar", "", []).unit == "CHF"
    assert chart_columns(table("x | a | b", "1 | CHF 5 | 6 %"), "bar", "", []).unit == ""
    with pytest.raises(InvalidInput, match=r"different units \(CHF, EUR\)"):
        drawn(of=table("x | a", "1 | CHF 5", "2 | EUR 6"))


def test_a_chart_of_nothing_says_which_columns_there_are() -> None:
    with pytest.raises(InvalidInput) as refused:
        drawn(x="Month", y=["Region"])
    assert refused.value.message == (
        "There is no number in “Region”. Columns with numbers: “Revenue”, “Cost”."
        " All columns: “Month”, “Region”, “Revenue”, “Cost”, “Remark”."
    )
    with pytest.raises(InvalidInput, match="No column has numbers"):
        drawn(of=table("a | b", "x | y"))
    with pytest.raises(InvalidInput, match="all of them are `y`"):
        drawn(y=["a"], of=table("a", "1"))


def test_columns_without_a_name_of_their_own_are_numbered() -> None:
    assert list(drawn(of=table("x | y | y | ", "a | 1 | 2 | 3"))[1]) == ["y", "y 3", "4"]


@given(st.lists(st.lists(st.text(alphabet="ab|\\- :", max_size=8), min_size=2, max_size=4), min_size=1, max_size=5))
def test_tables_are_read_as_they_were_written(rows: list[list[str]]) -> None:
    width = max(map(len, rows))
    expected = [[" ".join(cell.split()) for cell in row] + [""] * (width - len(row)) for row in rows]
    assert table_rows(markdown_table(rows)) == expected
