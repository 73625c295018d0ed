"""The language of phrases, with agents that have nothing to do with maps."""

from __future__ import annotations

import pytest

from workroom.agent.planning.intents import Intent, Way
from workroom.agent.planning.rules.machine import MOST_PHRASES, MOST_STATES, _made, machine
from workroom.agent.planning.rules.phrases import PhraseWrong, parse
from workroom.agent.planning.rules.planner import plan_by_rules
from workroom.core.plans import PlannedCall, PlannedStep

NOTES = (
    Intent(
        name="add_note",
        tools=["notes.add"],
        ways=[
            Way(
                phrases={
                    "en": ["(note|write down) [that] {title}", "add [a] note [about] {title} [tagged {tag}]"],
                    "de": ["(notiere|schreib auf) [dass] {title}"],
                },
                calls=[PlannedCall(tool="notes.add", arguments={"title": "{title}", "tags": ["{tag}"], "kind": "note"})],
            )
        ],
        examples={"en": "Write down that the key is under the mat"},
    ),
    Intent(
        name="share_note",
        tools=["notes.find", "notes.share"],
        ways=[
            Way(
                phrases={"en": ["share [the note] {query} with {person}"], "de": ["teile [die notiz] {query} mit {person}"]},
                calls=[
                    PlannedCall(tool="notes.find", arguments={"query": "{query}"}),
                    PlannedCall(tool="notes.share", arguments={"id": {"$selection": "/id"}, "with": {"name": "{person}"}}),
                ],
            )
        ],
        examples={"en": "Share the note Shopping with Ada", "de": "Teile die Notiz Einkauf mit Ada"},
    ),
)  # fmt: skip


def notes(text: str, language: str = "en") -> list[PlannedStep]:
    return plan_by_rules(text, NOTES, "r", language).steps


def calls(text: str) -> list[tuple[str, dict[str, object]]]:
    return [(call.tool, call.arguments) for step in notes(text) for call in step.tool_calls]


def one(phrase: str, name: str = "do_it") -> Intent:
    return Intent(name=name, ways=[Way(phrases={"en": [phrase]})])


def understood(phrase: str, text: str) -> bool:
    return [step.intent for step in plan_by_rules(text, [one(phrase)], "r", "en").steps] == ["do_it"]


@pytest.mark.requirement("E1")
def test_an_agent_somebody_made_is_understood_by_its_own_phrases() -> None:
    assert calls("Please write down that the key is under the mat") == [
        ("notes.add", {"title": "the key is under the mat", "tags": [], "kind": "note"})
    ]
    assert calls("add a note about the fuse box tagged house") == [
        ("notes.add", {"title": "the fuse box", "tags": ["house"], "kind": "note"})
    ]
    assert calls("Notiere Milch kaufen, dann teile die Notiz Einkauf mit Ada Lovelace") == [
        ("notes.add", {"title": "Milch kaufen", "tags": [], "kind": "note"}),
        ("notes.find", {"query": "Einkauf"}),
        ("notes.share", {"id": {"$selection": "/id"}, "with": {"name": "Ada Lovelace"}}),
    ]


def test_a_list_is_a_step_for_each() -> None:
    found = [given for tool, given in calls("share Shopping, Garden and House with Ada") if tool == "notes.find"]
    assert found == [{"query": "Shopping"}, {"query": "Garden"}, {"query": "House"}]


def test_what_an_agent_cannot_do_is_answered_with_its_own_examples() -> None:
    told = notes("Gehe nach Bern", "de")[0].result.message
    assert "Teile die Notiz Einkauf mit Ada" in told
    assert "Write down that the key is under the mat" in told, "in the language it has one in"
    assert "Solothurn" not in told


@pytest.mark.parametrize(
    ("phrase", "yes", "no"),
    [
        ("switch on", ["switch on", "Switch ON!", "please switch on"], ["switch", "on", "switch it on"]),
        ("(open|close) door", ["open door", "close door"], ["door", "open close door"]),
        ("open [the|a] door", ["open door", "open the door", "open a door"], ["open the a door"]),
        ("(turn it|switch) (up|down a bit)", ["turn it up", "switch down a bit"], ["turn up", "switch down a"]),
        ("[(very|really) much] coffee", ["coffee", "very much coffee"], ["very coffee"]),
        ("tea|coffee with milk", ["tea", "coffee with milk"], ["tea with milk"]),
        ("ÖREB-Auszug", ["öreb auszug", "OEREB-AUSZUG"], ["auszug"]),
        ("l'été", ["l’ete", "L'ÉTÉ"], ["été"]),
        ("wetter [-karte]", ["Wetter", "Wetterkarte", "Wetter-Karte", "Wetter Karte"], ["karte"]),
        ("go {x} {y}", ["go 2600513, 1215519"], ["go 2600513", "go there"]),
        ("see {here}", ["see here", "see there", "see hier"], ["see"]),
    ],
)
def test_phrases(phrase: str, yes: list[str], no: list[str]) -> None:
    assert [text for text in yes if not understood(phrase, text)] == []
    assert [text for text in no if understood(phrase, text)] == []


@pytest.mark.parametrize(
    ("phrase", "why"),
    [
        ("load (the|a {query}", "not closed"),
        ("load the) {query}", "not opened"),
        ("load [the) {query}", "not opened"),
        ("load {Query}", "small letters"),
        ("load {query", "small letters"),
        ("{query}", "not optional"),
        ("[load] {query}", "not optional"),
        ("(load|{query})", "not optional"),
        ("go to {x}", "{x} {y}"),
        ("go to {y} {x}", "{x} {y}"),
        ("", "not optional"),
        ("...", "not optional"),
    ],
)
def test_a_phrase_that_makes_no_sense_says_why_and_the_others_are_used(phrase: str, why: str) -> None:
    with pytest.raises(PhraseWrong, match=why.replace("{", r"\{")):
        parse(phrase)
    if phrase:
        intents = [one(phrase, "broken"), one("good one", "good")]
        assert len(machine(intents).wrong) == 1
        assert machine(intents).wrong[0].startswith("broken: ")
        assert plan_by_rules("good one", intents, "r", "en").steps[0].intent == "good"


def test_a_way_with_somebody_elses_tool_or_a_call_that_comes_later_is_not_used() -> None:
    strange = Way(phrases={"en": ["wipe it"]}, calls=[PlannedCall(tool="files.wipe")])
    ahead = Way(
        phrases={"en": ["look ahead"]},
        calls=[PlannedCall(tool="notes.find", arguments={"query": {"$from": {"call": 1, "pointer": "/items/0"}}})],
    )
    intents = [Intent(name="bad", tools=["notes.find"], ways=[strange, ahead])]
    assert len(machine(intents).wrong) == 2
    for text in ("wipe it", "look ahead"):
        assert plan_by_rules(text, intents, "r", "en").steps[0].result.status == "needs_clarification"


def test_phrases_are_read_once_for_the_same_intents() -> None:
    first = machine(NOTES)
    before = _made.cache_info().misses
    assert machine(tuple(intent.model_copy(deep=True) for intent in NOTES)) is first
    assert _made.cache_info().misses == before
    assert machine([one("something else entirely")]) is not first


def test_nobody_has_more_phrases_than_can_be_followed() -> None:
    many = [f"word{number} please" for number in range(MOST_PHRASES + 1)]
    intents = [Intent(name="many", ways=[Way(phrases={"en": many})])]
    last = [plan_by_rules(text, intents, "r", "en").steps[0].intent for text in many[-2:]]
    assert last == ["many", "question"]
    long = Intent(name="long", ways=[Way(phrases={"en": [f"word{number} " + "{here} " * 40 for number in range(200)]})])
    made = machine([long])
    assert len(made.states) < 2 * MOST_STATES
    assert "more than can be followed" in made.wrong[-1]


def test_brackets_are_not_multiplied_out() -> None:
    nested = "go " + "[" * 70 + "a|b" + "]" * 70
    twenty = " ".join(["start", *["[a|b|c|d]"] * 20])
    assert len(machine([one(nested)]).states) < 2_000
    assert len(machine([one(twenty)]).states) < 2_000
    assert understood(nested, "go b")
    assert understood(twenty, "start " + "a d " * 10)


def test_without_intents_everything_is_asked_back() -> None:
    (step,) = plan_by_rules("load the forest", [], "r", "en").steps
    assert step.result.status == "needs_clarification"
    assert step.result.message == "I did not understand this."
