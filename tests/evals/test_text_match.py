"""Words are found whatever their case and width, numbers in the notation of any language."""

from __future__ import annotations

from decimal import Decimal

import pytest
from evals.text_match import contains, contains_number


@pytest.mark.parametrize(
    "text", ["1284.50", "1,284.50", "1.284,50", "1’284.50", "1 284,5", "1\u202f284,50 €", "(1284,50)."]
)
def test_a_number_is_found_in_every_notation(text: str) -> None:
    assert contains_number(f"Total {text}", Decimal("1284.5"))


@pytest.mark.parametrize(
    ("text", "number"), [("3 items, 12 CHF", "12"), ("20,345", "20345"), ("20.345", "20345"), ("５８", "58")]
)
def test_numbers_beside_each_other_and_grouped_ones_are_read(text: str, number: str) -> None:
    assert contains_number(text, Decimal(number))


@pytest.mark.parametrize("text", ["", "none", "12845", "284.50", "1284.51"])
def test_another_number_is_not_it(text: str) -> None:
    assert not contains_number(text, Decimal("1284.50"))


def test_words_are_all_needed_and_alternatives_are_not() -> None:
    assert contains("Ensaio às 16h, SALA  grande", ["16:00|16h", "sala grande"])
    assert not contains("Ensaio às 16h", ["16:00|16h", "sala grande"])
