"""Replies of the rules where nothing can be planned, references to earlier steps, and the limit of steps in one plan."""

from __future__ import annotations

import re
from importlib import resources
from uuid import uuid4

import pytest

from tests.agent.planning.navigator import INTENTS, planned
from workroom.agent.planning.rules.words import LONGEST
from workroom.core.actions import UiAction
from workroom.core.languages import LANGUAGES, Language
from workroom.core.map_actions import AddMarker, SetView
from workroom.core.messages import Message, Role, StepPart, TextPart
from workroom.core.plans import MOST_STEPS, StepOutcome
from workroom.core.results import ResultStatus
from workroom.core.texts import texts

PACKAGE = "workroom.agent.planning.rules"


def message(text: str, language: str = "de") -> str:
    (step,) = planned(text, language).steps
    assert step.intent == "question"
    assert not step.tool_calls
    return step.result.message


def shown(*actions: UiAction) -> Message:
    step = StepOutcome(index=0, intent="goto_address", status=ResultStatus.OK, message="", actions=list(actions))
    return Message(id=uuid4(), role=Role.ASSISTANT, parts=[StepPart(step=step), TextPart(text="Da ist es.")])


def view(x: float, y: float) -> UiAction:
    return SetView(center=(x, y), zoom=17).action()


@pytest.mark.requirement("E1")
@pytest.mark.parametrize("language", ["de", "en", "fr", "pt", "zh"])
def test_what_is_not_understood_is_asked_back_with_three_examples(language: Language) -> None:
    told = message("qwertz uiop", language)
    given = [intent.examples[language] for intent in INTENTS if intent.examples[language] in told]
    assert len(given) == 3
    assert told.startswith(texts(PACKAGE, language)["unclear"])


def test_a_question_in_a_language_nobody_has_written_is_answered_in_the_default_one() -> None:
    assert message("qwertz", "rm").startswith("I did not understand")


@pytest.mark.requirement("E1")
@pytest.mark.parametrize(
    ("text", "language"), [("Hallo", "de"), ("What can you do?", "en"), ("Que peux-tu faire ?", "fr")]
)
def test_a_greeting_is_answered_with_what_can_be_done_without_a_model(text: str, language: Language) -> None:
    told = message(text, language)
    assert told.startswith(texts(PACKAGE, language)["can"])
    given = [intent.name for intent in INTENTS if intent.examples[language] in told]
    assert len(given) == 6
    assert "question" not in given


@pytest.mark.parametrize(
    ("text", "language"),
    [("Danke!", "de"), ("super", "de"), ("thanks", "en"), ("ok", "en"), ("merci", "fr"), ("obrigado", "pt")],
)
def test_thanks_are_answered_shortly(text: str, language: str) -> None:
    assert message(text, language) == texts(PACKAGE, language)["welcome"]


def test_what_is_understood_is_planned_and_the_rest_is_named() -> None:
    going, asking = planned("Gehe nach Bern und mach mir einen Kaffee").steps
    assert going.intent == "search_place"
    assert asking.result.message.startswith("„mach mir einen Kaffee“ habe ich nicht verstanden.")


def test_the_rest_is_named_as_words_and_not_at_length() -> None:
    _, asking = planned(f"Gehe nach Bern und [mach](http://x.example) mir <img src=x> {'lang ' * 100}").steps
    named = re.findall("„(.*?)“", asking.result.message)[0]
    assert not set("<>[]()/") & set(named)
    assert len(named) <= 81


def test_two_things_nobody_understands_are_asked_about_once_if_the_question_is_the_same() -> None:
    steps = planned("Lade keinen Wald. Lade keinen Lärm.").steps
    assert [step.result.status for step in steps] == ["needs_clarification"]


@pytest.mark.requirement("E1")
def test_here_is_the_place_that_was_shown_last() -> None:
    before = [
        shown(view(2600000, 1200000)),
        shown(view(2609767.1, 1228437.4), AddMarker(id="a", coord=(1, 1), label="").action()),
    ]
    (step,) = planned("Zeige hier den ÖREB-Auszug", history=before).steps
    assert step.tool_calls[0].arguments == {"x": 2609767.1, "y": 1228437.4}
    new, there = planned("Gehe nach Bern und zeige dort den Auszug", history=before).steps
    assert "$from" in there.tool_calls[0].arguments["x"], "a place named now counts more"
    assert new.intent == "search_place"


@pytest.mark.parametrize("center", [None, [], ["a", "b"], [1], {"x": 1}, "12"])
def test_a_view_that_is_none_is_no_place(center: object) -> None:
    (step,) = planned(
        "Zeige hier den ÖREB-Auszug", history=[shown(UiAction(type="setView", payload={"center": center}))]
    ).steps
    assert step.result.status == "needs_clarification"


def test_more_than_can_be_done_at_once_is_said() -> None:
    steps = planned("Lade " + ", ".join(f"Thema{number}" for number in range(40))).steps
    assert len(steps) == MOST_STEPS
    assert {step.intent for step in steps[:-1]} == {"load_layer"}
    assert steps[-1].result.message == texts(PACKAGE, "de")["many"]
    exactly = planned("Lade " + ", ".join(f"Thema{number}" for number in range(MOST_STEPS))).steps
    assert {step.intent for step in exactly} == {"load_layer"}


def test_that_only_the_beginning_was_read_is_said() -> None:
    steps = planned("Lade Wald. " + "x" * 500_000).steps
    assert steps[0].intent == "load_layer"
    assert steps[-1].result.message == texts(PACKAGE, "de")["cut"]
    assert [step.intent for step in planned("Lade Wald" + " " * (LONGEST - 9)).steps] == ["load_layer"]


def test_the_request_is_known_by_its_id() -> None:
    assert planned("Lade Wald").request_id == "req-1"
    assert planned("Lade Wald") == planned("Lade Wald")


def test_texts_say_the_same_in_every_language() -> None:
    folder = resources.files(PACKAGE) / "texts"
    assert sorted(file.name for file in folder.iterdir()) == sorted(f"{one}.json" for one in LANGUAGES)
    german = texts(PACKAGE, "de")
    for language in LANGUAGES:
        told = texts(PACKAGE, language)
        assert told.keys() == german.keys()
        for key, text in told.items():
            assert re.findall(r"\{\w+\}", text) == re.findall(r"\{\w+\}", german[key]), key
