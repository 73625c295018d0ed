"""The table of the command: a row per strategy and language, and all languages together where there are several."""

from __future__ import annotations

from evals.switching.table import table

from workroom.core.money import FREE
from workroom.evaluations.judgement import Judged
from workroom.models.ports import ModelInfo

MODEL = ModelInfo("p", "m", FREE)


def judged(reset: bool, language: str, *, kept: bool | None) -> Judged:
    return Judged("c", language, reset, 1, kept)


def rows(*found: Judged) -> list[list[str]]:
    return [line.split() for line in table(MODEL, found).splitlines()]


def test_it_has_the_interval_beside_the_rate_and_no_rate_of_nothing() -> None:
    head, row, empty = rows(judged(False, "de", kept=True), judged(True, "de", kept=None))
    assert head[:7] == ["MODEL", "STRATEGY", "LANGUAGE", "KEPT", "OF", "RATE", "95"]
    assert row == ["p/m", "none", "de", "1", "1", "100%", "21%–100%", "0", "0", "0"]
    assert empty == ["p/m", "gpt-standard", "de", "0", "0", "-", "0%–100%", "0", "0", "1"]


def test_after_the_languages_of_a_strategy_all_of_them_together() -> None:
    _, *found = rows(judged(False, "de", kept=True), judged(False, "en", kept=False), judged(True, "de", kept=True))
    assert [row[1:5] for row in found] == [
        ["none", "de", "1", "1"],
        ["none", "en", "0", "1"],
        ["none", "all", "1", "2"],
        ["gpt-standard", "de", "1", "1"],
        ["gpt-standard", "en", "0", "0"],
        ["gpt-standard", "all", "1", "1"],
    ]
