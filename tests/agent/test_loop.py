"""The loop, on fakes: rounds, order, limits, and every kind of bad answer."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from tests.agent.bench import LOG, TOOLS, Bench, fail, look, stored
from workroom.agent import call_executor, model_calls
from workroom.agent.loop import CALL_FIRST
from workroom.agent.ports import CallState, LeaseLost, OpenCall
from workroom.agent.testing import InMemoryJournal, call, say
from workroom.agent.tool import ToolContext, ToolEffect, tool
from workroom.core.ids import new_id
from workroom.core.messages import CallPart, MaterialPart, Message, Role, TextPart
from workroom.core.money import FREE
from workroom.core.places import named_place
from workroom.core.results import ResultStatus
from workroom.core.run_events import ChunkArrived, RunState, StatusChanged
from workroom.models.ports import Forcing, ModelFailed, ModelInfo
from workroom.net.errors import ServiceFailed

SMALL = ModelInfo("local", "qwen2.5:1.5b", FREE, own_server=True)
LARGE = ModelInfo("local", "qwen2.5:72b", FREE, own_server=True)


@pytest.mark.requirement("A1")
async def test_the_model_asks_for_tools_until_it_answers() -> None:
    bench = Bench([call("look", at="a")], [call("look", at="b")], say("done it is"))
    assert await bench.run() is RunState.COMPLETED
    assert [m.role for m in bench.progress.messages] == [Role.USER, *[Role.ASSISTANT, Role.TOOL] * 2, Role.ASSISTANT]
    assert bench.progress.messages[-1].text == "done it is"
    assert [len(request.messages) for request in bench.model.requests] == [1, 3, 5]


@pytest.mark.requirement("A3")
async def test_reads_run_beside_each_other_writes_alone_and_results_keep_their_order() -> None:
    asked = [call("look", at="1"), call("look", at="2"), call("write", text="w"), call("look", at="3")]
    bench = Bench(asked, say("ok"))
    await bench.run()
    assert set(LOG[:2]) == {"look 1", "look 2"}
    assert LOG[4:] == ["write w", "look 3", "looked 3"]
    assert [r.message for r in bench.results()] == ["saw 1", "saw 2", "wrote w", "saw 3"]


@pytest.mark.requirement("A4")
async def test_the_round_limit_ends_with_a_summary_and_without_tools() -> None:
    bench = Bench([call("look")], [call("look")], say("so far: looked twice"), max_rounds=2)
    assert await bench.run() is RunState.MAX_ROUNDS
    last = bench.model.requests[-1]
    assert (last.tools, last.forcing) == ((), Forcing.NONE)
    assert "sum up" in last.system
    assert bench.progress.messages[-1].text == "so far: looked twice"


@pytest.mark.requirement("A4")
async def test_a_model_that_asks_for_tools_in_its_summary_gets_none() -> None:
    bench = Bench([call("look")], [*say("more!"), call("write", text="x")], max_rounds=1)
    assert await bench.run() is RunState.MAX_ROUNDS
    assert "write x" not in LOG


@pytest.mark.requirement("A6")
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (call("invented"), "There is no tool 'invented'"),
        (call("look", at=1, no="x"), "do not fit"),
        (call("write"), "text: Field required"),
        (call("fail", how="known"), "There is no such thing."),
        (call("fail", how="raise"), "fail failed: ValueError."),
        (CallPart(call_id=new_id(), tool="look", arguments={}, unreadable="{"), "not valid JSON"),
    ],
)
async def test_whatever_goes_wrong_with_a_call_the_model_is_told_and_the_run_goes_on(
    asked: CallPart, said: str
) -> None:
    bench = Bench([asked], say("I see"))
    assert await bench.run() is RunState.COMPLETED
    (result,) = bench.results()
    assert result.status is ResultStatus.ERROR
    assert said in result.message
    assert "secret detail" not in result.text()


@pytest.mark.requirement("A6")
async def test_a_tool_that_hangs_is_given_up() -> None:
    bench = Bench([call("fail", how="hang")], say("I see"))
    assert await bench.run(TOOLS | {"fail": replace(fail, seconds=0.01)}) is RunState.COMPLETED
    assert "did not finish" in bench.results()[0].message


@pytest.mark.requirement("A6")
@pytest.mark.parametrize(
    ("effect", "failures", "tries", "status"),
    [("read", 2, 3, "ok"), ("read", 9, 3, "error"), ("outside", 9, 1, "error")],
)
async def test_a_service_elsewhere_that_stumbles_is_asked_three_times_unless_it_may_have_acted(
    monkeypatch: pytest.MonkeyPatch, effect: ToolEffect, failures: int, tries: int, status: str
) -> None:
    monkeypatch.setattr(call_executor, "TOOL_RETRY_PAUSES", (0.0, 0.0))
    seen: list[int] = []

    @tool("fetch", effect=effect)
    async def fetch(ctx: ToolContext) -> str:
        """Fetch something from elsewhere."""
        seen.append(1)
        if len(seen) <= failures:
            raise ServiceFailed("It cannot at the moment.")
        return "found"

    bench = Bench([call("fetch")], say("I see"))
    assert await bench.run({"fetch": fetch}) is RunState.COMPLETED
    assert len(seen) == tries
    assert bench.results()[0].status == status


@pytest.mark.requirement("A10")
async def test_a_tool_outside_the_agents_set_does_not_exist() -> None:
    bench = Bench([call("write", text="x")], say("I see"))
    await bench.run({"look": look})
    assert "There is no tool 'write'" in bench.results()[0].message
    assert [schema.name for schema in bench.model.requests[0].tools] == ["look"]
    assert LOG == []


@pytest.mark.requirement("A9")
async def test_forcing_holds_for_the_first_call_only() -> None:
    bench = Bench([call("look")], say("ok"), forcing=Forcing.ANY)
    await bench.run()
    assert [request.forcing for request in bench.model.requests] == [Forcing.ANY, Forcing.AUTO]


@pytest.mark.parametrize(
    ("model", "forcing", "ordered", "first"),
    [
        (SMALL, Forcing.AUTO, "look", (Forcing.ANY, ["look"])),
        (SMALL, Forcing.ANY, "look", (Forcing.ANY, ["look"])),
        (SMALL, Forcing.NONE, "look", (Forcing.NONE, [])),
        (SMALL, Forcing.AUTO, "unknown", (Forcing.AUTO, list(TOOLS))),
        (SMALL, Forcing.AUTO, None, (Forcing.AUTO, list(TOOLS))),
        (LARGE, Forcing.AUTO, "look", (Forcing.AUTO, list(TOOLS))),
    ],
)
async def test_a_small_model_fills_in_the_tool_that_rules_recognise_first(
    model: ModelInfo, forcing: Forcing, ordered: str | None, first: tuple[Forcing, list[str]]
) -> None:
    bench = Bench([call("look")], say("saw it"), forcing=forcing)
    bench.model.info = model
    await bench.run(ordered=ordered)
    asked, then = bench.model.requests
    assert (asked.forcing, [schema.name for schema in asked.tools]) == first
    assert then.forcing is (Forcing.NONE if forcing is Forcing.NONE else Forcing.AUTO)
    assert [schema.name for schema in then.tools] == ([] if forcing is Forcing.NONE else list(TOOLS))
    assert asked.system == then.system, "a server finds the beginning in its cache"


@pytest.mark.parametrize(
    ("question", "asked"), [("note the eggs", ["text"]), ("note the eggs by 3 May", ["text", "due"])]
)
async def test_a_small_model_is_not_asked_for_a_date_that_nobody_named(question: str, asked: list[str]) -> None:
    @tool("note", effect="read")
    async def note(ctx: ToolContext, text: str, due: date | None = None) -> str:
        """Note something."""
        return "noted"

    bench = Bench([call("note", text="eggs")], say("noted"))
    bench.model.info = SMALL
    bench.progress.messages[0] = Message(id=new_id(), role=Role.USER, parts=[TextPart(text=question)])
    await bench.run({"note": note}, ordered="note")
    first, then = ([*request.tools[0].parameters["properties"]] for request in bench.model.requests)
    assert (first, then) == (asked, ["text", "due"])


async def test_what_was_read_for_the_question_is_not_read_by_order_again() -> None:
    bench = Bench(say("Here it is."))
    bench.model.info = SMALL
    note = MaterialPart(kind="text", place=named_place("Shopping"), text="Milk", read_for=new_id())
    question = bench.progress.messages[0]
    bench.progress.messages[0] = question.model_copy(update={"parts": [note, *question.parts]})
    await bench.run(ordered="look")
    assert bench.model.requests[0].forcing is Forcing.AUTO


@pytest.mark.requirement("A9")
async def test_a_model_that_answers_in_words_where_calls_are_forced_is_told_once_more() -> None:
    bench = Bench(say("I would look."), [call("look", at="a")], say("saw it"), forcing=Forcing.ANY)
    assert await bench.run() is RunState.COMPLETED
    first, again, last = bench.model.requests
    assert [request.forcing for request in (first, again, last)] == [Forcing.ANY, Forcing.ANY, Forcing.AUTO]
    assert CALL_FIRST in again.system
    assert CALL_FIRST not in first.system + last.system
    assert [message.text for message in bench.journal.answers] == ["", "saw it"], "the words before it were not seen"
    assert len(bench.journal.bills) == 3, "they were paid for all the same"


@pytest.mark.requirement("A9")
@pytest.mark.parametrize(
    ("forcing", "tools", "script"),
    [
        (Forcing.ANY, TOOLS, ["No.", "No, really."]),
        (Forcing.ANY, {}, ["There are no tools."]),
        (Forcing.AUTO, TOOLS, ["Hello."]),
        (Forcing.NONE, TOOLS, ["Hello."]),
    ],
)
async def test_a_model_is_taken_at_its_word_after_one_reminder_and_where_it_may_answer(
    forcing: Forcing, tools: dict[str, Any], script: list[str]
) -> None:
    bench = Bench(*map(say, script), forcing=forcing)
    assert await bench.run(tools) is RunState.COMPLETED
    assert len(bench.model.requests) == len(script)
    assert bench.progress.messages[-1].text == script[-1]


@pytest.mark.requirement("A9")
async def test_forbidden_tools_are_not_offered() -> None:
    bench = Bench(say("Hello."), forcing=Forcing.NONE)
    await bench.run()
    [request] = bench.model.requests
    assert (request.forcing, request.tools) == (Forcing.NONE, ())


async def test_text_is_passed_on_as_it_comes_with_its_place() -> None:
    bench = Bench(say("one two three"))
    await bench.run()
    chunks = [event for event in bench.events if isinstance(event, ChunkArrived)]
    assert [(c.offset, c.text, c.attempt) for c in chunks] == [(0, "one ", 1), (4, "two ", 1), (8, "three ", 1)]


@pytest.mark.requirement("A12")
@pytest.mark.parametrize("lose_at", range(8))
async def test_after_a_crash_at_any_step_the_run_goes_on_and_nothing_is_done_twice(lose_at: int) -> None:
    asked = [call("write", text="w"), call("send", to="x")]
    script = [asked, say("done")]
    first = Bench(*script, journal=InMemoryJournal(lose_at=lose_at))
    try:
        await first.run()
        crashed = False
    except LeaseLost:
        crashed = True
    assert crashed == (lose_at < 7)
    before = list(LOG)
    journal = first.journal
    # Another worker reads what is stored, and only that.
    again = Bench(*(script if not journal.answers else script[len(journal.answers) :]), journal=journal)
    journal.lose_at = None
    again.progress = stored(first, journal)
    assert await again.run() is RunState.COMPLETED
    everything = before + LOG
    assert everything.count("write w") == 1
    assert everything.count("send x") == 1
    assert journal.answers[-1].text == "done"


@pytest.mark.requirement("A12")
async def test_an_outside_call_of_unknown_outcome_is_not_repeated_but_reported() -> None:
    asked = call("send", to="x")
    bench = Bench(say("I will check"))
    bench.progress.messages.append(Message(id=new_id(), role=Role.ASSISTANT, parts=[asked]))
    bench.progress.open_calls = [OpenCall(asked, CallState.STARTED)]
    assert await bench.run() is RunState.COMPLETED
    assert LOG == []
    assert bench.results()[0].data == {"outcome": "unknown"}


async def test_a_writing_tool_that_does_not_commit_is_a_programming_error() -> None:
    with pytest.raises(RuntimeError, match=r"did not use ctx\.commit"):
        await Bench([call("careless")]).run()


@pytest.mark.requirement("A8")
async def test_a_provider_that_stumbles_is_asked_again_and_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_calls, "RETRY_PAUSES", (0.0, 0.0, 0.0))
    broken = ModelFailed("The provider is overloaded.", again=True, code="modelBusy")
    bench = Bench(broken, broken, say("at last"))
    assert await bench.run() is RunState.COMPLETED
    assert bench.journal.attempts == 3
    told = [event for event in bench.events if isinstance(event, StatusChanged)]
    assert [event.text for event in told] == ["The provider is overloaded. Trying again in 0 s."] * 2
    assert {event.details["code"] for event in told} == {"modelBusy"}
    assert [event.attempt for event in bench.events if isinstance(event, ChunkArrived)] == [3, 3]


@pytest.mark.requirement("A8")
@pytest.mark.parametrize(
    ("failure", "tries"),
    [
        (ModelFailed("again and again", again=True), 4),
        (ModelFailed("the key was refused", again=False), 1),
        (ModelFailed("come back tomorrow", again=True, after=86_400), 1),
    ],
)
async def test_but_not_for_ever(monkeypatch: pytest.MonkeyPatch, failure: ModelFailed, tries: int) -> None:
    monkeypatch.setattr(model_calls, "RETRY_PAUSES", (0.0, 0.0, 0.0))
    bench = Bench(*[failure] * 5)
    with pytest.raises(ModelFailed):
        await bench.run()
    assert bench.journal.attempts == tries


@pytest.mark.parametrize("said", [[], ModelFailed("broken", again=False)])
async def test_a_model_that_says_nothing_is_an_error(said: Any) -> None:
    with pytest.raises(ModelFailed):
        await Bench(said).run()
