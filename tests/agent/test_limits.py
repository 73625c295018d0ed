"""Limits: circles, money, chains of models; every end has last words."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

import workroom.tools
from tests.agent.bench import LOG, TOOLS, Bench, stored
from workroom.agent import model_calls
from workroom.agent.limit_ending import without_a_model
from workroom.agent.ports import Ending, LeaseLost
from workroom.agent.registry import discover
from workroom.agent.testing import InMemoryJournal, ScriptedModel, call, say
from workroom.core.ids import new_id
from workroom.core.messages import Message, ResultPart, Role, TextPart
from workroom.core.money import Price
from workroom.core.results import ToolResult
from workroom.core.run_events import RunState
from workroom.core.tokens import Usage, estimate
from workroom.models.ports import ModelFailed, ModelInfo

DEAR = ModelInfo("p", "dear", Price(Decimal(100), Decimal(100), Decimal(10)), output_tokens=1000)


async def test_the_same_call_three_times_gets_a_hint_and_once_more_ends_the_run() -> None:
    asked = [[call("look", at="x")] for _ in range(4)]
    bench = Bench(*asked, say("I was going in circles."))
    assert await bench.run() is RunState.MAX_ROUNDS
    assert LOG == ["look x", "looked x"] * 2, "the third and fourth are not carried out"
    assert [r.status for r in bench.results()] == ["ok", "ok", "error", "error"]
    assert bench.journal.endings == [Ending.CIRCLE]
    assert "again and again" in bench.model.requests[-1].system
    assert bench.progress.messages[-1].text == "I was going in circles."


async def test_looking_again_after_a_write_is_sensible() -> None:
    rounds = [[call("look", at="x"), call("write", text=str(n))] for n in range(5)]
    bench = Bench(*rounds, say("done"))
    assert await bench.run() is RunState.COMPLETED
    assert LOG.count("look x") == 5


async def test_other_arguments_are_another_call() -> None:
    bench = Bench(*[[call("look", at=str(n))] for n in range(6)], say("done"))
    assert await bench.run() is RunState.COMPLETED


@pytest.mark.requirement("A5")
async def test_when_the_money_is_gone_the_model_sums_up_with_what_is_left() -> None:
    # Enough for one long answer, and after it for a short one.
    journal = InMemoryJournal(money=Decimal("0.17"))
    bench = Bench([call("look")], say("Here is what I found."), journal=journal)
    bench.model.info = replace(DEAR, output_tokens=1000)
    bench.model.used = Usage(100, 300)
    assert await bench.run() is RunState.BUDGET
    assert journal.endings == [Ending.BUDGET]
    assert bench.progress.messages[-1].text == "Here is what I found."
    assert bench.model.requests[-1].tools == ()


@pytest.mark.requirement("A5")
@pytest.mark.parametrize(("language", "word"), [("de", "Budget"), ("en", "budget"), ("zh", "预算"), ("xx", "budget")])
async def test_when_not_even_that_can_be_paid_the_last_words_are_ours(language: str, word: str) -> None:
    journal = InMemoryJournal(money=Decimal(0))
    bench = Bench(journal=journal, language=language)
    bench.model.info = DEAR
    assert await bench.run() is RunState.BUDGET
    assert bench.model.requests == []
    assert word in bench.progress.messages[-1].text
    assert journal.answers[-1].text == bench.progress.messages[-1].text


async def test_our_last_words_tell_what_was_done() -> None:
    bench = Bench([*say("First I look."), call("look"), call("fail", how="known")], max_rounds=1)
    assert await bench.run() is RunState.MAX_ROUNDS, "the script is over: the model fails at its last words"
    last = bench.progress.messages[-1].text
    assert "- look ×1" in last
    assert "- fail ×1 (failed)" in last
    assert "First I look." in last


@pytest.mark.parametrize(("language", "word"), [("en", "searches in what the files say"), ("de", "durchsucht, was")])
def test_our_last_words_say_what_tools_do_rather_than_their_names(language: str, word: str) -> None:
    done = ResultPart(call_id=new_id(), tool="searchFiles", result=ToolResult(message="x"))
    messages = [Message(id=new_id(), role=Role.TOOL, parts=[done])]
    told = without_a_model(Ending.ROUNDS, messages, language, tools=discover(workroom.tools).chosen({"core"}))
    assert f"- {word}" in told
    assert "searchFiles" not in told


async def test_a_crash_during_the_last_words_does_not_reopen_the_run() -> None:
    journal = InMemoryJournal(lose_at=4)
    bench = Bench([call("look")], say("so far"), journal=journal, max_rounds=1)
    with pytest.raises(LeaseLost):
        await bench.run()
    assert journal.endings == [Ending.ROUNDS]
    journal.lose_at = None
    again = Bench(say("so far"), journal=journal, max_rounds=25)
    again.progress = stored(bench, journal)
    assert await again.run(TOOLS) is RunState.MAX_ROUNDS


@pytest.mark.requirement("A8")
async def test_a_model_that_fails_is_followed_by_the_next_of_the_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_calls, "RETRY_PAUSES", (0.0,))
    broken = ModelFailed("The provider is overloaded.", again=True)
    bench = Bench(broken, broken)
    second = ScriptedModel(say("I can."), info=ModelInfo("other", "second", DEAR.price))
    bench.models = [bench.model, second]
    assert await bench.run() is RunState.COMPLETED
    assert bench.progress.messages[-1].text == "I can."
    assert [event.text for event in bench.events if event.type == "status"][-1].endswith("Asking second instead.")
    assert bench.journal.bills == [("scripted", Usage()), ("scripted", Usage()), ("second", Usage(10, 5))]


@pytest.mark.requirement("C4")
async def test_half_an_answer_is_paid_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_calls, "RETRY_PAUSES", (0.0,))

    class Breaking(ScriptedModel):
        async def stream(self, request):  # type: ignore[no-untyped-def]
            async for said in super().stream(request):
                if not self.requests[1:] and not hasattr(said, "text"):
                    return
                yield said

    bench = Bench()
    bench.models = [Breaking(say("one two three"), say("whole"))]
    assert await bench.run() is RunState.COMPLETED
    (_, half), (_, whole) = bench.journal.bills
    assert half.output_tokens == estimate("one two three ")
    assert half.input_tokens > 0
    assert whole == Usage(10, 5)


@pytest.mark.requirement("A9")
async def test_requests_to_be_carried_out_by_somebody_else_end_the_run() -> None:
    bench = Bench([call("look")], return_tool_requests=True)
    assert await bench.run() is RunState.COMPLETED
    assert LOG == []
    assert [part.tool for part in bench.progress.messages[-1].calls] == ["look"]


async def test_no_model_at_all_is_said() -> None:
    bench = Bench()
    bench.models = []
    with pytest.raises(ModelFailed, match="No language model"):
        await bench.run()


def test_the_estimate_rather_errs_upwards() -> None:
    assert estimate("") == 0
    assert estimate("hello there") == 3
    assert estimate("你好") == 2
    assert TextPart(text="x").text == "x"
