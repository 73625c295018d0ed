"""The language of phrases, with agents that have nothing to do with maps."""

from __future__ import annotations

from string import ascii_letters

import pytest

from tests.agent.planning.bench import TOOLS
from workroom.agent.planning.intents import Intent, Way
from workroom.agent.planning.rules.machine import (
    LONGEST_ENDING,
    MOST_ENDINGS,
    MOST_LINKS,
    MOST_PHRASES,
    MOST_SLOTS,
    MOST_STATES,
    Machine,
    _made,
    check_all,
    machine,
)
from workroom.agent.planning.rules.phrases import PhraseWrong, parse
from workroom.agent.planning.rules.planner import plan_by_rules
from workroom.agent.planning.validation import usable
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


def agent(phrases: list[str]) -> list[Intent]:
    return [Intent(name="many", ways=[Way(phrases={"en": phrases})])]


def test_nobody_has_more_phrases_than_can_be_followed() -> None:
    many = [f"word{number} please" for number in range(MOST_PHRASES + 1)]
    last = [plan_by_rules(text, agent(many), "r", "en").steps[0].intent for text in many[-2:]]
    assert last == ["many", "question"]
    assert len(machine(agent(many)).wrong) == 1
    with pytest.raises(PhraseWrong, match=f"^many: An agent has at most {MOST_PHRASES} phrases"):
        check_all(agent(many))
    check_all(agent(many[:-1]))


@pytest.mark.parametrize(
    "phrases",
    [
        [f"word{number} " + "{here} " * MOST_SLOTS for number in range(200)],
        [f"word{number} " + " ".join(["[some] {thing}"] * MOST_SLOTS) for number in range(400)],
        [f"word{number} " + "".join(f"[{letter}{number}]" for letter in ascii_letters) for number in range(40)],
        ["word " + "[word]" * 45] * 100,
        ["word " + "去" * 295] * 400,
        ["word" + "[]" * 140] * 400,
        ["word " + "[" * 140 + "on" + "]" * 140] * 400,
    ],
)
def test_a_machine_stays_small_whatever_its_phrases_are(phrases: list[str]) -> None:
    made = machine(agent(phrases))
    assert len(made.states) <= MOST_STATES
    assert links(made) <= 2 * MOST_LINKS, "what phrases begin with is also what may be said first"
    assert plan_by_rules("word0 word", agent(phrases), "r", "en").steps


@pytest.mark.parametrize(
    "phrases",
    [
        [f"word{number} " + "{here} " * MOST_SLOTS for number in range(200)],
        [f"word{number} " + "".join(f"[{letter}{number}]" for letter in ascii_letters) for number in range(40)],
    ],
)
def test_what_is_more_than_can_be_followed_is_said_once_and_refused_and_the_first_are_used(phrases: list[str]) -> None:
    (wrong,) = machine(agent(phrases)).wrong
    assert "more than can be followed" in wrong
    with pytest.raises(PhraseWrong, match=r"^many: These phrases are more than can be followed"):
        check_all(agent(phrases))
    check_all(agent(phrases[:10]))
    assert plan_by_rules("good one", agent(["good one", *phrases]), "r", "en").steps[0].intent == "many"


def test_a_phrase_has_few_slots() -> None:
    names = [f"{{name{number}}}" for number in range(MOST_SLOTS + 1)]
    few, many = "say " + " and ".join(names[:-1]), "say " + " and ".join(names)
    check_all([one(few)])
    for phrase in (many, "say " + " ".join(f"[{name}]" for name in names), f"say ({'|'.join(names)})"):
        assert f"at most {MOST_SLOTS} names in braces" in machine([one(phrase)]).wrong[0]
        with pytest.raises(PhraseWrong, match=f"^do_it: A phrase has at most {MOST_SLOTS} names"):
            check_all([one(phrase)])


def test_endings_are_few_and_short() -> None:
    letters = [f"word -{one}{other}" for one in ascii_letters[:26] for other in "xy"]
    check_all(agent(letters[:MOST_ENDINGS]))
    assert len(machine(agent(letters)).endings) == MOST_ENDINGS
    for phrases in (letters, ["word -" + "x" * (LONGEST_ENDING + 1)]):
        with pytest.raises(PhraseWrong, match="endings like -layer"):
            check_all(agent(phrases))


def test_an_agent_is_refused_for_a_phrase_that_cannot_be_read_without_repeating_it() -> None:
    with pytest.raises(PhraseWrong, match=r"^broken: A bracket is not closed\.$"):
        check_all([one("good one", "good"), one("secret (open", "broken")])
    check_all(NOTES)
    check_all([])


def test_words_of_which_one_is_said_lead_to_the_same_state() -> None:
    few, many = machine([one("(a|b) door")]), machine([one("(a|b|c|d|e|f|go on) door")])
    assert len(many.states) == len(few.states) + 1, "only what is said in two words needs one between them"


def links(made: Machine) -> int:
    return sum(len(state.takes) + sum(map(len, state.words.values())) for state in made.states)


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


def test_an_agent_with_many_tools_and_no_intents_asks_back_without_a_model() -> None:
    tools = {f"tool{number}": TOOLS["find"] for number in range(150)}
    plan = plan_by_rules("do something", usable((), tools), "r", "en")
    assert [step.result.status for step in plan.steps] == ["needs_clarification"]
