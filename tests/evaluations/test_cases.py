"""The conversations measure what they should: the old persona is in every old answer, and the new one could be told from it."""

from __future__ import annotations

import pytest

from workroom.evaluations.cases import LANGUAGES, Case, cases, read

EACH = pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.language}-{case.id}")


def test_there_are_enough_of_them_in_three_languages() -> None:
    assert LANGUAGES == ("de", "en", "pt")
    for language in LANGUAGES:
        assert len(read(language)) >= 6
    assert len({case.question for case in cases()}) == len({case.id for case in cases()}) == len(cases())


@EACH
def test_every_old_answer_is_the_old_personas_alone(case: Case) -> None:
    for turn in case.turns:
        assert case.old.missing(turn.answer) == []
        assert case.new.missing(turn.answer) != []


@EACH
def test_the_new_persona_can_be_kept(case: Case) -> None:
    assert case.new.missing(case.sample) == []
    assert case.old.shown(case.sample) == []


@EACH
def test_the_new_persona_knows_its_markers_by_its_own_instructions(case: Case) -> None:
    """Whatever is looked for literally is asked for literally."""
    for persona in (case.old, case.new):
        for marker in persona.markers:
            if marker.check in ("begins", "ends", "says", "signs", "json"):
                assert marker.value.casefold() in persona.instructions.casefold()
