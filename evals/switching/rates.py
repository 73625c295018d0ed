"""How often, and how sure that is: a table with a row per model, strategy and language. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evals.switching.results import Result

ALL = "all"
Z = 1.959964  # 95 %
HEAD = ("MODEL", "STRATEGY", "LANGUAGE", "KEPT", "OF", "RATE", "95 %", "NEW MISSING", "OLD LEFT", "FAILED")
WORDS = 3  # columns of words; the others are figures


@dataclass(frozen=True)
class Rate:
    """`missing` and `left` count answers without some marker of the new persona and with some marker of the old one; an answer
    may be both. What failed is no answer and counts on neither side."""

    model: str
    strategy: str
    language: str
    kept: int
    answered: int
    missing: int
    left: int
    failed: int

    @classmethod
    def of(cls, model: str, strategy: str, language: str, results: Sequence[Result]) -> Rate:
        answers = [result for result in results if result.kept is not None]
        return cls(
            model,
            strategy,
            language,
            kept=sum(bool(result.kept) for result in answers),
            answered=len(answers),
            missing=sum(bool(result.missing) for result in answers),
            left=sum(bool(result.left) for result in answers),
            failed=len(results) - len(answers),
        )

    def cells(self) -> tuple[str, ...]:
        low, high = wilson(self.kept, self.answered)
        rate = f"{self.kept / self.answered:.0%}" if self.answered else "-"
        counts = (str(self.kept), str(self.answered), rate, f"{low:.0%}–{high:.0%}")
        return (self.model, self.strategy, self.language, *counts, str(self.missing), str(self.left), str(self.failed))


def wilson(kept: int, of: int) -> tuple[float, float]:
    """Wilson's score interval: also with few answers, and with none or all of them kept, it says something sensible."""
    if not of:
        return 0.0, 1.0
    share, extra = kept / of, Z * Z / of
    middle = (share + extra / 2) / (1 + extra)
    half = Z * math.sqrt(share * (1 - share) / of + extra / (4 * of)) / (1 + extra)
    return max(0.0, middle - half), min(1.0, middle + half)


def rates(results: Sequence[Result]) -> Iterator[Rate]:
    """In the order in which things first occur; after the languages of a strategy, all of them together."""
    for model, strategy in dict.fromkeys((result.model, result.strategy) for result in results):
        of_both = [result for result in results if (result.model, result.strategy) == (model, strategy)]
        languages = list(dict.fromkeys(result.language for result in of_both))
        for language in languages:
            yield Rate.of(model, strategy, language, [one for one in of_both if one.language == language])
        if len(languages) > 1:
            yield Rate.of(model, strategy, ALL, of_both)


def table(results: Sequence[Result]) -> str:
    rows = [HEAD, *(rate.cells() for rate in rates(results))]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    return "\n".join("  ".join(_padded(row, widths)).rstrip() for row in rows)


def _padded(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
        yield cell.ljust(width) if column < WORDS else cell.rjust(width)
