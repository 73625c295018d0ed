"""Whatever somebody types: a plan that holds, and work that grows with the text and not faster."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.agent.planning.navigator import INTENTS, NAMES, planned
from workroom.agent.planning.intents import Intent, Way, named
from workroom.agent.planning.references import references
from workroom.agent.planning.rules import vocabulary
from workroom.agent.planning.rules.machine import MOST_PHRASES, MOST_SLOTS, machine
from workroom.agent.planning.rules.matching import MOST_WORK, Matching, TooMuch
from workroom.agent.planning.rules.phrases import (
    ADDRESS,
    EGRID,
    HERE,
    PAIR,
    STREET,
    Node,
    OneOf,
    PhraseWord,
    Row,
    Slot,
    parse,
)
from workroom.agent.planning.rules.planner import plan_by_rules
from workroom.agent.planning.rules.words import LONGEST, MOST_WORDS, read
from workroom.core.plans import MOST_STEPS, Plan
from workroom.core.texts import texts

PHRASES = [parse(p) for intent in INTENTS for way in intent.ways for ps in way.phrases.values() for p in ps]
WORDS = sorted({word for state in machine(INTENTS).states for word in state.words})
ANYBODYS = [
    *(
        "Bern",
        "Thun",
        "Hauptgasse",
        "5",
        "12a",
        "Wald",
        "Lärm",
        "und",
        "et",
        ",",
        ".",
        "!",
        "nicht",
        "hier",
        "de",
        "la",
    ),
    *("CH767982496078", "2600513,1215519", "🏔", "<b>", "'", '"', ")", "("),
]


def holds(plan: Plan) -> None:
    assert 1 <= len(plan.steps) <= MOST_STEPS
    for at, step in enumerate(plan.steps):
        intent = named(INTENTS, step.intent)
        assert intent is not None
        assert (step.result.status == "pending") != bool(step.result.message)
        assert bool(step.tool_calls) == bool(intent.tools)
        for number, call in enumerate(step.tool_calls):
            assert call.tool in intent.tools
            for found in references(call.arguments, at, number):
                assert (found.step, found.call) < (at, number), "only what came before"
                assert found.call < len(plan.steps[found.step].tool_calls)
            assert not any(re.fullmatch(r"\{\w+\}", str(value)) for value in call.arguments.values()), (
                "slots are filled"
            )


def work(text: str) -> Matching:
    matching = Matching(machine(INTENTS), read(text, vocabulary.joins("de"), machine(INTENTS).endings), NAMES)
    matching.parts()
    return matching


def spoken(node: Node, chance: random.Random) -> list[str]:
    match node:
        case PhraseWord(word=word):
            return [word]
        case Slot(name=name):
            fixed = {PAIR: "2600513 1215519", EGRID: "CH767982496078", HERE: "dort"}
            some = ["Hauptgasse 5", "Gasse Berg und Tal 5, 4500 Solothurn"]
            anything = some if name in (ADDRESS, STREET) else [*some, "Bern und Thun", "Wald, Lärm", "Berg"]
            return [fixed.get(name) or chance.choice(anything)]
        case Row(nodes=nodes):
            return [word for inner in nodes for word in spoken(inner, chance)]
        case OneOf(nodes=nodes):
            return spoken(chance.choice(nodes), chance)


@pytest.mark.requirement("E1")
@pytest.mark.requirement("E2")
@settings(max_examples=200, deadline=None, derandomize=True)
@given(phrases=st.lists(st.sampled_from(PHRASES), min_size=1, max_size=4), chance=st.randoms(use_true_random=False))
def test_a_plan_made_of_phrases_refers_to_earlier_calls_and_keeps_to_its_tools(
    phrases: Sequence[Node], chance: random.Random
) -> None:
    text = chance.choice([" und ", ", ", "; ", ". ", " then ", " puis "]).join(
        " ".join(spoken(p, chance)) for p in phrases
    )
    plan = planned(text)
    holds(plan)
    assert all("nicht verstanden" not in step.result.message for step in plan.steps), text


@settings(max_examples=200, deadline=None)
@given(
    words=st.lists(st.sampled_from([*WORDS, *ANYBODYS]), max_size=25),
    language=st.sampled_from(["de", "fr", "pt", "zh"]),
)
def test_words_in_any_order_come_to_a_plan_that_holds(words: list[str], language: str) -> None:
    holds(planned(" ".join(words), language))


@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=300))
def test_any_text_comes_to_a_plan_that_holds(text: str) -> None:
    holds(planned(text))
    assert planned(text) == planned(text)


HOSTILE = {
    "nothing": "",
    "blanks": " \t\n" * 1_000,
    "punctuation": "?!.,;:-…'\"()[]{}" * 200,
    "commas": "a," * 1_000,
    "lists": "lade und " * 300,
    "beginnings": "gehe nach " * 300,
    "open slots": "zeige mir x und " * 200,
    "one long word": "x" * 500_000,
    "half a megabyte": "lade Wald und " * 36_000,
    "digits": "1 " * 1_000,
    "grouped digits": "1'111" * 400,
    "numbers": "12345 " * 400,
    "dots": "1.1.1." * 400,
    "almost an EGRID": "CH" + "1 " * 1_000,
    "brackets": "(" * 2_000,
    "quotes": '"' * 2_000,
    "tags": "<" * 2_000,
    "apostrophes": "n't" * 700,
    "chinese": "去" * 2_000,
    "arabic": "اذهب إلى شارع الملك " * 100,
    "hebrew": "\u202eלך לרחוב\u202c " * 100,
    "emoji": "🏔️👩‍👩‍👧🇨🇭" * 200,
    "combining": "a" + "\u0301" * 2_000,
    "expanding": "\ufdfa" * 2_000,
    "zero": "\x00lade\x00 Wald\ud800",
    "html": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "sql": "'; drop table users; --",
    "template": "{address} {query} {0} {{x}} %s ${jndi:ldap://x}",
    "wavering": "nicht also nicht , oereb " * 80,
    "politeness": "please 请 now " * 130,
    "slips": " ".join(word[:-1] + "q" for word in WORDS)[:LONGEST],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_nobody_can_make_it_work_for_long(name: str) -> None:
    text = HOSTILE[name]
    matching = work(text)
    assert len(matching.reading.text) <= LONGEST
    assert len(matching.reading.words) <= MOST_WORDS + 1
    assert matching.steps <= MOST_WORK // 2
    holds(planned(text))


@pytest.mark.parametrize("piece", ["a, ", "lade und ", "zeige mir x und ", "Wald, Lärm und gehe nach Bern, ", "去"])
def test_twice_the_text_is_about_twice_the_work(piece: str) -> None:
    once, twice = work(piece * 30).steps, work(piece * 60).steps
    assert once < twice <= 2.5 * once


def test_what_somebody_would_write_is_far_from_too_much() -> None:
    request = "Gehe bitte zur Hauptgasse 19b in 4500 Solothurn, lade den Waldlayer und zeige dort den Auszug. "
    assert work(request).steps <= MOST_WORK // 50
    longest = work(request * 30)
    assert longest.reading.cut
    assert longest.steps <= MOST_WORK // 3


def variants(length: int, count: int, chance: random.Random) -> list[str]:
    """Words of the same letters, of which each may be meant by each."""
    return ["".join(chance.sample("abcdefghijklmnop"[:length], length)) for _ in range(count)]


def spread(chance: random.Random) -> dict[str, tuple[list[str], str]]:
    near = [f"abcdef{one}{other}" for one in "qrstuvwxyz" for other in "qrstuvwxyz"]
    slots = " ".join(f"{{s{number}}}" for number in range(MOST_SLOTS))
    return {
        "slots": ([f"q {slots} w{number}" for number in range(MOST_PHRASES)], "q " + "w " * 399),
        "optional slots": ([f"q [{slots.replace(' ', '] [')}]"] * MOST_PHRASES, "q " + "w " * 399),
        "the same word": (["a " + "[a]" * 99] * MOST_PHRASES, "a " * 400),
        "slips": (
            [f"q {' '.join(variants(8, 33, chance))}" for _ in range(MOST_PHRASES)],
            " ".join(variants(8, 220, chance)),
        ),
        "long slips": (
            [f"q {' '.join(variants(16, 17, chance))}" for _ in range(MOST_PHRASES)],
            " ".join(variants(16, 117, chance)),
        ),
        "near": (
            [f"q {{s}} ({'|'.join(chance.sample(near, 30))})" for _ in range(MOST_PHRASES)],
            "q " + "abcdefgh " * 220,
        ),
    }


SPREAD = spread(random.Random(1))
LANGUAGES = dict(zip(SPREAD, ["de", "en", "fr", "pt", "zh", "en"], strict=True))


@pytest.mark.parametrize("name", SPREAD)
def test_phrases_that_are_made_to_be_long_work_end_in_a_question(name: str) -> None:
    phrases, text = SPREAD[name]
    intents = [Intent(name="spread", ways=[Way(phrases={"en": phrases})])]
    made = machine(intents)
    matching = Matching(made, read(text, frozenset(), made.endings), NAMES)
    with pytest.raises(TooMuch):
        matching.parts()
    assert MOST_WORK < matching.steps <= 1.5 * MOST_WORK, "it ends there, and not much later"
    language = LANGUAGES[name]
    (step,) = plan_by_rules(text, intents, "r", language, names=NAMES).steps
    assert step.result.status == "needs_clarification"
    assert step.result.message == texts("workroom.agent.planning.rules", language)["long"]
    assert plan_by_rules("thanks", intents, "r", "en").steps, "what is short is answered"


def test_places_that_were_passed_are_not_kept() -> None:
    assert sum(map(len, work("Wald, Lärm und gehe nach Bern, " * 60)._at[:-1])) == 0
    phrases, text = SPREAD["slots"]
    made = machine([Intent(name="spread", ways=[Way(phrases={"en": phrases})])])
    matching = Matching(made, read(text), NAMES)
    with pytest.raises(TooMuch):
        matching.parts()
    assert sum(map(len, matching._at)) <= 2 * len(made.states), "one place and the next"


def test_orders_in_markup_are_read_without_it() -> None:
    steps = planned("<b>Lade</b> <i onclick='x'>Wald</i>\u202e und gehe nach \u200bZermatt 🎿").steps
    assert [step.tool_calls[0].arguments["query"] for step in steps] == ["Wald", "Zermatt"]
