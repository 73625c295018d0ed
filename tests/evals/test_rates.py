"""How often, and how sure: intervals by hand, and rows that count what they say."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from evals.switching.rates import ALL, Rate, rates, table, wilson
from evals.switching.results import Result


def result(strategy: str, language: str, *, kept: bool | None, **more: tuple[str, ...]) -> Result:
    date = datetime(2026, 1, 1, tzinfo=UTC)
    return Result(date=date, model="p/m", strategy=strategy, language=language, case="c", number=1, kept=kept, **more)


@pytest.mark.parametrize(
    ("kept", "of", "low", "high"),
    [(0, 0, 0.0, 1.0), (0, 10, 0.0, 0.27753), (10, 10, 0.72247, 1.0), (5, 10, 0.23659, 0.76341), (15, 148, 0.06239, 0.16048)],
)  # fmt: skip
def test_wilsons_interval(kept: int, of: int, low: float, high: float) -> None:
    assert wilson(kept, of) == pytest.approx((low, high), abs=1e-5)


def test_rows_by_strategy_and_language_and_all_of_them_together() -> None:
    found = [
        result("none", "de", kept=False, missing=("bullets",), left=("rhymes",)),
        result("gpt-lite", "de", kept=True),
        result("none", "en", kept=False, left=("rhymes",)),
        result("gpt-lite", "en", kept=None),
        result("none", "de", kept=True),
    ]
    assert list(rates(found)) == [
        Rate("p/m", "none", "de", kept=1, answered=2, missing=1, left=1, failed=0),
        Rate("p/m", "none", "en", kept=0, answered=1, missing=0, left=1, failed=0),
        Rate("p/m", "none", ALL, kept=1, answered=3, missing=1, left=2, failed=0),
        Rate("p/m", "gpt-lite", "de", kept=1, answered=1, missing=0, left=0, failed=0),
        Rate("p/m", "gpt-lite", "en", kept=0, answered=0, missing=0, left=0, failed=1),
        Rate("p/m", "gpt-lite", ALL, kept=1, answered=1, missing=0, left=0, failed=1),
    ]


def test_the_table_has_the_interval_beside_the_rate_and_no_rate_of_nothing() -> None:
    head, row, empty = table([result("none", "de", kept=True), result("gpt-lite", "de", kept=None)]).splitlines()
    assert head.split()[:7] == ["MODEL", "STRATEGY", "LANGUAGE", "KEPT", "OF", "RATE", "95"]
    assert row.split() == ["p/m", "none", "de", "1", "1", "100%", "21%–100%", "0", "0", "0"]
    assert empty.split() == ["p/m", "gpt-lite", "de", "0", "0", "-", "0%–100%", "0", "0", "1"]
