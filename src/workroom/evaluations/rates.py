"""How often, and how sure that is. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workroom.evaluations.judgement import Judged

ALL = "all"
Z = 1.959964  # 95 %


@dataclass(frozen=True)
class SuccessRate:
    """`missing` and `left` count answers without some marker of the new persona and with some marker of the old one; an answer
    may be both. What failed is no answer and counts on neither side."""

    kept: int = 0
    answered: int = 0
    missing: int = 0
    left: int = 0
    failed: int = 0

    @classmethod
    def of(cls, judged: Sequence[Judged]) -> SuccessRate:
        answers = [one for one in judged if one.kept is not None]
        return cls(
            kept=sum(bool(one.kept) for one in answers),
            answered=len(answers),
            missing=sum(bool(one.missing) for one in answers),
            left=sum(bool(one.left) for one in answers),
            failed=len(judged) - len(answers),
        )

    def __add__(self, other: SuccessRate) -> SuccessRate:
        return SuccessRate(
            self.kept + other.kept,
            self.answered + other.answered,
            self.missing + other.missing,
            self.left + other.left,
            self.failed + other.failed,
        )

    @property
    def share(self) -> float | None:
        return self.kept / self.answered if self.answered else None

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.kept, self.answered)


# By language and whether it was with the reset.
Rates = Mapping[tuple[str, bool], SuccessRate]


def with_all(rates: Rates) -> Rates:
    """And all languages together."""
    summed = {
        (ALL, reset): sum((rate for (_, told), rate in rates.items() if told is reset), SuccessRate())
        for reset in dict.fromkeys(reset for _, reset in rates)
    }
    return {**rates, **summed}


def wilson(kept: int, of: int) -> tuple[float, float]:
    """Wilson's score interval: also with few answers, and with none or all of them kept, it says something sensible."""
    if not of:
        return 0.0, 1.0
    share, extra = kept / of, Z * Z / of
    middle = (share + extra / 2) / (1 + extra)
    half = Z * math.sqrt(share * (1 - share) / of + extra / (4 * of)) / (1 + extra)
    return max(0.0, middle - half), min(1.0, middle + half)
