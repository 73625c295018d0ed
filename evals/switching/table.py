"""How often, and how sure that is: a table with a row per strategy and language. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evals.switching.results import PLAIN
from workroom.evaluations.judgement import Judged
from workroom.evaluations.rates import ALL, SuccessRate, with_all
from workroom.models.ports import ModelInfo

HEAD = ("MODEL", "STRATEGY", "LANGUAGE", "KEPT", "OF", "RATE", "95 %", "NEW MISSING", "OLD LEFT", "FAILED")
WORDS = 3  # columns of words; the others are figures


def table(model: ModelInfo, judged: Sequence[Judged]) -> str:
    """Languages in the order in which they first occur; after those of a strategy, all of them together."""
    rows = [HEAD, *_rows(model, judged)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    return "\n".join("  ".join(_padded(row, widths)).rstrip() for row in rows)


def _rows(model: ModelInfo, judged: Sequence[Judged]) -> Iterator[tuple[str, ...]]:
    languages = list(dict.fromkeys(one.language for one in judged))
    rates = with_all(
        {
            (language, reset): SuccessRate.of(
                [one for one in judged if (one.language, one.with_reset) == (language, reset)]
            )
            for reset in dict.fromkeys(one.with_reset for one in judged)
            for language in languages
        }
    )
    shown = [*languages, ALL] if len(languages) > 1 else languages
    for reset in dict.fromkeys(reset for _, reset in rates):
        strategy = model.strategy.type.value if reset else PLAIN
        for language in shown:
            yield (f"{model.provider}/{model.id}", strategy, language, *_cells(rates[language, reset]))


def _cells(rate: SuccessRate) -> tuple[str, ...]:
    low, high = rate.interval
    share = "-" if rate.share is None else f"{rate.share:.0%}"
    counts = (str(rate.kept), str(rate.answered), share, f"{low:.0%}–{high:.0%}")
    return (*counts, str(rate.missing), str(rate.left), str(rate.failed))


def _padded(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
        yield cell.ljust(width) if column < WORDS else cell.rjust(width)
