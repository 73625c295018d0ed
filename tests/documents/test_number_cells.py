"""Numbers and dates in tables, as people write them in the countries our users come from."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.documents.date_cells import read_dates
from workroom.documents.number_cells import read_numbers

NOTATIONS = {
    "ch": ("'", "."),
    "ch-typographic": ("’", "."),
    "de": (".", ","),
    "en": (",", "."),
    "fr": ("\u202f", ","),
    "pt": (" ", ","),
}


def written(value: Decimal, notation: str) -> str:
    groups, mark = NOTATIONS[notation]
    return f"{value:,.2f}".replace(",", "\0").replace(".", mark).replace("\0", groups)


@pytest.mark.requirement("P5")
@pytest.mark.parametrize("notation", NOTATIONS)
@given(st.lists(st.decimals(-(10**9), 10**9, places=2), min_size=1, max_size=20))
def test_a_column_is_read_in_the_notation_it_is_written_in(notation: str, values: list[Decimal]) -> None:
    column = read_numbers([written(value, notation) for value in values])
    assert column.values == [float(value) for value in values]
    assert column.unread == 0


@given(st.lists(st.text(max_size=70), max_size=5))
def test_any_text_is_a_number_or_is_not(cells: list[str]) -> None:
    column = read_numbers(cells)
    assert len(column.values) == len(cells)


@pytest.mark.parametrize(
    ("cell", "value", "unit"),
    [
        ("12 %", 12, "%"),
        ("12,5%", 12.5, "%"),
        ("CHF 1'234.–", 1234, "CHF"),
        ("1.234,50 €", 1234.5, "€"),
        ("-$5", -5, "$"),
        ("Fr. 5.50", 5.5, "Fr."),
        ("(1,234.5)", -1234.5, ""),
        ("5-", -5, ""),
        ("−3", -3, ""),
        ("1.2E+05", 120_000, ""),
        ("7 kg", 7, "kg"),
        ("1.2 Mio. CHF", 1.2, "Mio. CHF"),
        (".5", 0.5, ""),
    ],
)
def test_what_stands_beside_a_number_is_its_unit(cell: str, value: float, unit: str) -> None:
    column = read_numbers([cell])
    assert (column.values, column.units) == ([value], (unit,) if unit else ())


@pytest.mark.parametrize(
    "cell",
    ["Q1", "A4", "1. Quartal", "31.12.2026", "12:30", "2026-01-01", "+41 44 123 45 67", "1'23", "5.", "1e400", "1/2"],
)
def test_names_dates_and_telephone_numbers_are_no_numbers(cell: str) -> None:
    column = read_numbers([cell])
    assert (column.values, column.unread) == ([None], 1)


@pytest.mark.parametrize("cell", ["", " ", "–", "-", "n/a", "k. A.", "#N/A", "…"])
def test_nothing_is_a_gap_and_no_mistake(cell: str) -> None:
    assert (read_numbers([cell]).values, read_numbers([cell]).unread) == ([None], 0)


def test_the_other_cells_decide_what_one_of_them_leaves_open() -> None:
    assert read_numbers(["1.234", "1.5"]).values == [1.234, 1.5]
    assert read_numbers(["1.234", "2,5"]).values == [1234, 2.5]
    assert read_numbers(["1,234", "2.5"]).values == [1234, 2.5]
    assert read_numbers(["1.234"]).values == read_numbers(["1,234"]).values == [1234]
    assert read_numbers(["1.234"], ".").values == read_numbers(["1,234"], ",").values == [1.234]


def test_dates_are_read_as_the_whole_column_shows_them() -> None:
    assert read_dates(["31.12.2026", "1.2.27"]) == ["2026-12-31", "2027-02-01"]
    assert read_dates(["03/04/2026", "13/04/2026"]) == ["2026-04-03", "2026-04-13"]
    assert read_dates(["03/04/2026", "04/13/2026"]) == ["2026-03-04", "2026-04-13"]
    assert read_dates(["2026-01", "03/2026", "2026年3月"]) == ["2026-01", "2026-03", "2026-03"]
    assert read_dates(["01.05.2026 08:30"]) == ["2026-05-01T08:30"]
    assert (
        read_dates(["31.12.2026", "later"])
        is read_dates([])
        is read_dates(["30.02.2026"])
        is read_dates(["1.5"])
        is None
    )
