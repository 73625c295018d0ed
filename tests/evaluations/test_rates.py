"""How often, and how sure: intervals by hand, and counts that say what they count."""

from __future__ import annotations

import pytest

from workroom.evaluations.judgement import Judged
from workroom.evaluations.rates import ALL, SuccessRate, wilson, with_all


def judged(*, kept: bool | None, missing: tuple[str, ...] = (), left: tuple[str, ...] = ()) -> Judged:
    return Judged("c", "de", True, 1, kept, missing, left)


@pytest.mark.parametrize(
    ("kept", "of", "low", "high"),
    [(0, 0, 0.0, 1.0), (0, 10, 0.0, 0.27753), (10, 10, 0.72247, 1.0), (5, 10, 0.23659, 0.76341), (15, 148, 0.06239, 0.16048)],
)  # fmt: skip
def test_wilsons_interval(kept: int, of: int, low: float, high: float) -> None:
    assert wilson(kept, of) == pytest.approx((low, high), abs=1e-5)
    assert SuccessRate(kept, of).interval == wilson(kept, of)


def test_what_is_counted() -> None:
    answers = [
        judged(kept=False, missing=("bullets",), left=("rhymes",)),
        judged(kept=False, left=("rhymes",)),
        judged(kept=True),
        judged(kept=None),
    ]
    assert SuccessRate.of(answers) == SuccessRate(kept=1, answered=3, missing=1, left=2, failed=1)
    assert SuccessRate.of(answers).share == pytest.approx(1 / 3)
    assert SuccessRate.of([judged(kept=None)]).share is None


def test_all_languages_together_with_the_reset_and_without() -> None:
    found = with_all(
        {
            ("de", False): SuccessRate(1, 2, 1, 1, 0),
            ("en", False): SuccessRate(0, 1, 0, 1, 0),
            ("de", True): SuccessRate(1, 1),
        }
    )
    assert found[ALL, False] == SuccessRate(kept=1, answered=3, missing=1, left=2, failed=0)
    assert found[ALL, True] == found["de", True] == SuccessRate(1, 1)
    assert with_all({}) == {}
