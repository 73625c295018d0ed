"""The loop, on fakes: rounds, order, limits, and every kind of bad answer."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from workroom.agent import loop as loop_module
from workroom.agent.loop import advance, user_message
from workroom.agent.ports import AgentSpec, CallState, LeaseLost, OpenCall, Progress
from workroom.agent.testing import InMemoryJournal, ScriptedModel, call, say
from workroom.agent.tool import Tool, ToolContext, tool
from workroom.core.errors import NotFound
from workroom.core.ids import new_id
from workroom.core.messages import CallPart, Message, ResultPart, Role
from workroom.core.results import Action, ResultStatus, ToolResult
from workroom.core.run_events import ChunkArrived, RunEvent, RunState
from workroom.models.ports import Forcing, ModelFailed

LOG: list[str] = []


@tool("look", effect="read")
async def look(ctx: ToolContext, at: str = "") -> str:
    """Look at something."""
    LOG.append(f"look {at}")
    await asyncio.sleep(0)
    LOG.append(f"looked {at}")
    return f"saw {at}"


@tool("write", effect="ours")
async def write(ctx: ToolContext, text: str) -> str:
    """Write something down."""

    async def effect(_: Any) -> str:
        LOG.append(f"write {text}")
        return f"wrote {text}"

    return await ctx.commit(effect)


@tool("send", effect="outside")
async def send(ctx: ToolContext, to: str) -> ToolResult:
    """Send something out of the house."""
    LOG.append(f"send {to}")
    return ToolResult(message="sent", actions=[Action(type="sent")])


@tool("fail", effect="read")
async def fail(ctx: ToolContext, how: str) -> str:
    """Fail in a given way."""
    if how == "hang":
        await asyncio.Event().wait()
    if how == "known":
        raise NotFound("There is no such thing.")
    raise ValueError("secret detail")


@tool("careless", effect="ours")
async def careless(ctx: ToolContext) -> str:
    """Claims to write without a transaction."""
    return "done"


TOOLS: dict[str, Tool] = {t.name: t for t in (look, write, send, fail, careless)}


class Bench:
    """One run on fakes."""

    def __init__(self, *script: Any, journal: InMemoryJournal | None = None, **spec: Any) -> None:
        LOG.clear()
        self.model = ScriptedModel(*script)
        self.journal = journal or InMemoryJournal()
        self.spec = AgentSpec("Be brief.", **spec)
        self.events: list[RunEvent] = []
        self.progress = Progress([user_message(new_id(), "hello")])

    async def run(self, tools: dict[str, Tool] = TOOLS) -> RunState:
        return await advance(self.progress, self.spec, self.model, tools, self.journal, self.events.append, new_id)

    def results(self) -> list[ToolResult]:
        return [p.result for m in self.progress.messages for p in m.parts if isinstance(p, ResultPart)]


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


def stored(bench: Bench, journal: InMemoryJournal) -> Progress:
    messages = [bench.progress.messages[0]]
    open_calls: list[OpenCall] = []
    for answer in journal.answers:
        messages.append(answer)
        done = [
            ResultPart(call_id=c.call_id, tool=c.tool, result=journal.results[c.call_id])
            for c in answer.calls
            if c.call_id in journal.results
        ]
        if done:
            messages.append(Message(id=answer.id, role=Role.TOOL, parts=list(done)))
        open_calls = [
            OpenCall(c, CallState.STARTED if c.call_id in journal.started else CallState.ASKED)
            for c in answer.calls
            if c.call_id not in journal.results
        ]
    return Progress(messages, open_calls, rounds=len(journal.answers), attempts=journal.attempts)


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
    monkeypatch.setattr(loop_module, "PAUSES", (0.0, 0.0, 0.0))
    broken = ModelFailed("The provider is overloaded.", again=True)
    bench = Bench(broken, broken, say("at last"))
    assert await bench.run() is RunState.COMPLETED
    assert bench.journal.attempts == 3
    told = [event.text for event in bench.events if event.type == "status"]
    assert told == ["The provider is overloaded. Trying again in 0 s."] * 2
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
    monkeypatch.setattr(loop_module, "PAUSES", (0.0, 0.0, 0.0))
    bench = Bench(*[failure] * 5)
    with pytest.raises(ModelFailed):
        await bench.run()
    assert bench.journal.attempts == tries


@pytest.mark.parametrize("said", [[], ModelFailed("broken", again=False)])
async def test_a_model_that_says_nothing_is_an_error(said: Any) -> None:
    with pytest.raises(ModelFailed):
        await Bench(said).run()
