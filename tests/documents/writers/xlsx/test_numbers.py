"""What the cells of a column are. A text that may be another number stays a text."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.documents.writers.xlsx.columns import column_of


@pytest.mark.parametrize(
    ("texts", "values", "shown"),
    [
        (["1", "22", "-3"], [1, 22, -3], "0"),
        (["1234.5", "2.25"], [1234.5, 2.25], "General"),
        (["1234.50", "2.25"], [1234.5, 2.25], "0.00"),
        (["1'234.50", "900.00"], [1234.5, 900], "#,##0.00"),
        (["1’234", "12’345’678"], [1234, 12_345_678], "#,##0"),
        (["1,234.50", "2.00"], [1234.5, 2], "#,##0.00"),
        (["1.234,50", "2,00"], [1234.5, 2], "#,##0.00"),
        (["1 234,50", "2,00"], [1234.5, 2], "#,##0.00"),
        (["1\u202f234", "5"], [1234, 5], "#,##0"),
        (["0,5", "12,25"], [0.5, 12.25], "General"),
        (["1.234", "2.5"], [1.234, 2.5], "General"),  # the second one says what the point is
        (["1.234", "1.234.567"], [1234, 1_234_567], "#,##0"),
        (["0.125"], [0.125], "0.000"),
        (["−5", "5"], [-5, 5], "0"),
        (["1", "–", "", "-"], [1], "0"),
        (["12 %", "7%"], [0.12, 0.07], "0%"),
        (["12.5%", "7 %"], [0.125, 0.07], "0.0%"),
        (["CHF 12.50", "CHF 1'000.00", "CHF -5.00", "-CHF 3.00"], [12.5, 1000, -5, -3], '"CHF "#,##0.00'),
        (["12.50 EUR", "9.00 EUR"], [12.5, 9], '#,##0.00" EUR"'),
        (["€5", "€12"], [5, 12], '"€"#,##0'),
        (["$1,234.50", "$2.00"], [1234.5, 2], '"$"#,##0.00'),
        (["2026-11-01", "2025-02-28"], [date(2026, 11, 1), date(2025, 2, 28)], "yyyy-mm-dd"),
        (["01.11.2026", "28.02.2025"], [date(2026, 11, 1), date(2025, 2, 28)], "dd.mm.yyyy"),
        (["1.11.2026", "28.2.2025"], [date(2026, 11, 1), date(2025, 2, 28)], "d.m.yyyy"),
    ],
)
def test_columns_that_are_numbers(texts: list[str], values: list[object], shown: str) -> None:
    column = column_of(texts)
    assert list(column.values.values()) == values
    assert column.number_format == shown


@pytest.mark.parametrize(
    "texts",
    [
        ["1.234"],
        ["1,234", "5,678"],
        ["CHF 1.234", "CHF 5.678"],
        ["1.234 %"],
        ["1'234.50", "1,234.50"],
        ["1.234,50", "1,234.50"],
        ["12,34.5"],
        ["007", "8"],
        ["079 123 45 67"],
        ["+41 79 123 45 67", "+41791234567"],
        ["CH93 0076 2011 6238 5295 7"],
        ["1 234", "5 678"],  # may be two numbers
        ["1.9", "1.10"],
        ["1.2.3"],
        ["3/4/2026", "5/6/2026"],
        ["2026-02-30"],
        ["31.04.2026"],
        ["0001-01-01"],
        ["1", "zwei"],
        ["5", "n/a"],
        ["12 %", "12"],
        ["CHF 5", "EUR 5"],
        ["CHF 5", "5 CHF"],
        ["CHF 5", "5"],
        ["-CHF -5"],
        ["1e5"],
        ["1234567890123456"],
        ["0x10"],
        ["١٢٣"],
        ["１２"],
        ["½"],
        ["1_000"],
        ["--5"],
        ["5-"],
        ["TRUE"],
        ["nan", "inf"],
        ["", "–"],
        [],
    ],
)
def test_columns_that_stay_texts(texts: list[str]) -> None:
    assert column_of(texts).is_text


@given(st.lists(st.integers(-(10**9), 10**9), min_size=1))
def test_plain_integers_are_what_they_say(numbers: list[int]) -> None:
    column = column_of([str(number) for number in numbers])
    assert [column.values[str(number)] for number in numbers] == numbers


@given(st.lists(st.text("0123456789.,' %CHF-", max_size=9), min_size=1, max_size=4))
def test_no_number_depends_on_where_one_reads_it(texts: list[str]) -> None:
    """A value is either how London reads all of the texts, or how Zurich or Berlin do; where two can, they agree."""
    column = column_of(texts)
    for text, value in column.values.items():
        digits = text.strip("CHF %-").replace("'", "")
        readings = [_float(digits.replace(",", "")), _float(digits.replace(".", "").replace(",", "."))]
        size = abs(value) * (100 if "%" in text else 1) if isinstance(value, int | float) else None
        assert size is None or any(
            reading is not None and abs(reading - size) < 1e-6 * max(1, size) for reading in readings
        )


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
