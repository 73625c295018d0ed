"""Facts by a model: asked once per round with results, paid, and never in the way of the answer."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

from tests.agent.bench import Bench
from workroom.agent.entities.prompt_section import TITLE
from workroom.agent.testing import InMemoryJournal, ScriptedModel, call, say
from workroom.core.money import FREE, Price
from workroom.core.run_events import RunState
from workroom.models.ports import ModelFailed, ModelInfo, ModelRequest

CHEAP = ModelInfo("p", "cheap", FREE)
FOUND = '[{"kind": "company", "value": "Siemens"}]'


async def run(
    *cheap: Any, journal: InMemoryJournal | None = None, info: ModelInfo = CHEAP, **spec: Any
) -> tuple[Bench, ScriptedModel]:
    bench = Bench([call("look", at="Siemens"), call("look", at="Muster AG")], say("done"), journal=journal, **spec)
    model = ScriptedModel(*cheap, info=info)
    assert await bench.run(extractors=[model]) is RunState.COMPLETED
    return bench, model


def told(bench: Bench) -> Sequence[str]:
    return [line for line in _facts(bench.model.requests[-1]).splitlines() if line.startswith("- ")]


def _facts(request: ModelRequest) -> str:
    return "".join(message.text for message in request.messages).partition(TITLE)[2]


@pytest.mark.requirement("D5")
async def test_a_model_is_asked_once_after_a_round_with_results_and_told_in_the_next() -> None:
    bench, cheap = await run(say(FOUND), remembers=True, asks_for_entities=True)
    assert len(cheap.requests) == 1, "both results at once, and nothing after the last answer"
    assert "- company: Siemens" in told(bench)
    assert "- company: saw Muster AG" not in told(bench)
    assert "- company: Muster AG" in told(bench)
    assert not _facts(bench.model.requests[0])
    assert [bill[0] for bill in bench.journal.bills].count("cheap") == 1
    assert "noted 2" in bench.journal.steps


@pytest.mark.requirement("D5")
async def test_without_the_wish_nobody_is_asked_and_without_memory_nothing_is_told() -> None:
    bench, cheap = await run(say(FOUND), remembers=True)
    assert not cheap.requests
    assert told(bench) == ["- company: Muster AG"], "rules alone"
    bench, cheap = await run(say(FOUND))
    assert not cheap.requests
    assert told(bench) == []


@pytest.mark.parametrize(
    "answer",
    [ModelFailed("no", again=False), say("I would rather not"), say("[]")],
    ids=["fails", "nonsense", "nothing"],
)
async def test_whatever_goes_wrong_the_rules_facts_are_there(answer: Any) -> None:
    bench, cheap = await run(answer, remembers=True, asks_for_entities=True)
    assert len(cheap.requests) == 1
    assert told(bench) == ["- company: Muster AG"]


async def test_no_money_for_it_is_no_reason_to_stop() -> None:
    dear = ModelInfo("p", "cheap", Price(Decimal(1_000_000), Decimal(1_000_000), Decimal(1_000_000)))
    journal = InMemoryJournal(money=Decimal(1))
    bench, cheap = await run(say(FOUND), journal=journal, info=dear, remembers=True, asks_for_entities=True)
    assert not cheap.requests
    assert told(bench) == ["- company: Muster AG"]


async def test_results_that_were_read_are_not_read_again() -> None:
    bench = Bench([call("look", at="Siemens")], say("done"), remembers=True, asks_for_entities=True)
    cheap = ScriptedModel(say(FOUND), say(FOUND), info=CHEAP)
    asked = bench.progress.read_for_facts
    await bench.run(extractors=[cheap])
    assert len(asked) == 1
    again = Bench(say("done again"), remembers=True, asks_for_entities=True)
    again.progress.messages = bench.progress.messages[:3]
    again.progress.read_for_facts = asked
    await again.run(extractors=[cheap])
    assert len(cheap.requests) == 1
