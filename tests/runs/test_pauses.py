"""Pauses on a real database: stored with their call, answered once, by whoever may, by whatever process is there."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.conversations.readers import shared
from tests.runs.bench import RunBench
from tests.world import World, some_id
from workroom.agent.testing import call, say
from workroom.agent.tool import ToolContext, tool
from workroom.core.errors import Conflict, Forbidden, InvalidInput, NotFound, WorkroomError
from workroom.core.pauses import Choice, Chosen, Confirmed, Option, Question, Replied
from workroom.core.run_events import PauseChanged, RunState
from workroom.notes import service as notes
from workroom.runs.service import Accepted, Input


async def _what(ctx: ToolContext, title: str) -> str:
    return f"Write {title}?"


@tool("askedNote", effect="ours", sets={"core"}, confirm=_what)
async def asked_note(ctx: ToolContext, title: str) -> Any:
    """Write a note, if the user agrees."""
    return await ctx.commit(lambda uow: notes.write(uow, ctx.who, ctx.instance_id, title, "x"))


@tool("ask", effect="read", sets={"core"}, pauses=True)
async def ask(ctx: ToolContext, options: bool = False) -> Question | Choice:
    """Ask the user."""
    if options:
        return Choice(text="Which?", options=[Option(id="a", label="A")])
    return Question(text="Which colour?")


TOOLS = (asked_note, ask)
NOTE_AFTER = call("writeNote", title="after", text="x")


async def paused(bench: RunBench, *calls: Any) -> Accepted:
    accepted = await bench.ask("do it")
    await bench.advance(accepted, list(calls), tools=TOOLS)
    run = await bench.runs.get(bench.who, accepted.run_id)
    assert run.state is RunState.PAUSED
    return accepted


async def waiting_call(bench: RunBench, accepted: Accepted) -> Any:
    return await bench.sql("select call_id from tool_calls where run_id = $1 and pause is not null", accepted.run_id)


@pytest.mark.requirement("A15")
async def test_a_confirmed_call_runs_after_days_and_exactly_there(world: World) -> None:
    bench = RunBench(world)
    asked = call("askedNote", title="wanted")
    accepted = await paused(bench, call("writeNote", title="before", text="x"), asked, NOTE_AFTER.model_copy())
    assert await bench.titles() == ["before"]
    await bench.sql(
        "update runs set created_at = created_at - interval '9 days', started_at = started_at - interval '9 days'"
    )
    run = await bench.runs.answer(bench.who, accepted.run_id, asked.call_id, Confirmed(accepted=True))
    assert run.state is RunState.RUNNING
    model = await bench.advance(accepted, say("done"), tools=TOOLS)
    assert sorted(await bench.titles()) == ["after", "before", "wanted"]
    assert [len(m.parts) for m in model.requests[0].messages] == [1, 3, 3]
    assert (await bench.runs.get(bench.who, accepted.run_id)).state is RunState.COMPLETED
    told = [e.event for e in await bench.events(accepted.run_id)]
    assert [e.state for e in told if isinstance(e, PauseChanged)] == ["waiting", "answered"]
    assert [e.seq for e in await bench.events(accepted.run_id)] == list(range(1, len(told) + 1))


@pytest.mark.requirement("A15")
async def test_an_answer_is_taken_once(world: World) -> None:
    bench = RunBench(world)
    asked = call("askedNote", title="wanted")
    accepted = await paused(bench, asked)

    async def answer(yes: bool) -> str:
        try:
            await bench.runs.answer(bench.who, accepted.run_id, asked.call_id, Confirmed(accepted=yes))
        except WorkroomError as error:
            return error.code
        return "taken"

    told = await asyncio.gather(*[answer(n % 2 == 0) for n in range(6)])
    assert sorted(told) == ["pauseConsumed"] * 5 + ["taken"]


async def test_what_does_not_fit_leaves_the_question_standing(world: World) -> None:
    bench = RunBench(world)
    accepted = await paused(bench, call("ask", options=True))
    call_id = await waiting_call(bench, accepted)
    for wrong in (Chosen(choice_id="b"), Replied(text="a"), Confirmed(accepted=True)):
        with pytest.raises(InvalidInput):
            await bench.runs.answer(bench.who, accepted.run_id, call_id, wrong)
    with pytest.raises(Conflict):
        await bench.runs.answer(bench.who, accepted.run_id, some_id(), Chosen(choice_id="a"))
    for stranger in ("olaf", "zoe"):
        with pytest.raises(NotFound):
            await bench.runs.answer(world[stranger].principal, accepted.run_id, call_id, Chosen(choice_id="a"))
    await shared(world, accepted.conversation_id, "alice")
    with pytest.raises(Forbidden):
        await bench.runs.answer(world["alice"].principal, accepted.run_id, call_id, Chosen(choice_id="a"))
    await bench.runs.answer(bench.who, accepted.run_id, call_id, Chosen(choice_id="a"))


@pytest.mark.requirement("A15")
async def test_words_answer_a_question_and_sending_them_twice_answers_once(world: World) -> None:
    bench = RunBench(world)
    accepted = await paused(bench, call("ask"))
    given = Input("blue", accepted.conversation_id, client_id="c1")
    first, again = [await bench.runs.input(bench.who, bench.lab, given) for _ in range(2)]
    assert first == again == accepted
    model = await bench.advance(accepted, say("blue it is"), tools=TOOLS)
    assert "blue" in model.requests[0].messages[-1].readable
    third = await bench.runs.input(bench.who, bench.lab, given)
    assert third == accepted, "also when the run is over"


async def test_words_set_any_other_pause_aside(world: World) -> None:
    bench = RunBench(world)
    asked = call("askedNote", title="unwanted")
    accepted = await paused(bench, asked, NOTE_AFTER.model_copy(update={"call_id": some_id()}))
    following = await bench.runs.input(bench.who, bench.lab, Input("something else", accepted.conversation_id))
    ended = await bench.runs.get(bench.who, accepted.run_id)
    assert ended.state is RunState.STOPPED
    model = await bench.advance(following, say("fine"), tools=TOOLS)
    assert await bench.titles() == []
    assert "went on with something else" in model.requests[0].messages[2].readable
    with pytest.raises(Conflict):
        await bench.runs.answer(bench.who, accepted.run_id, asked.call_id, Confirmed(accepted=True))
    told = [e.event.type for e in await bench.events(accepted.run_id)]
    assert told[-4:] == ["choice", "toolResult", "agentSummary", "stopped"]


async def test_a_waiting_run_can_be_stopped(world: World) -> None:
    bench = RunBench(world)
    accepted = await paused(bench, call("ask"))
    run = await bench.runs.stop(bench.who, accepted.run_id)
    assert run.state is RunState.STOPPED
    assert (await bench.runs.stop(bench.who, accepted.run_id)).state is RunState.STOPPED, "stopping twice is harmless"


async def test_a_waiting_run_is_nobodys_and_its_conversation_stays_taken(world: World) -> None:
    bench = RunBench(world)
    accepted = await paused(bench, call("askedNote", title="x"))
    model = await bench.advance(accepted, say("too early"), tools=TOOLS)
    assert model.requests == []
    with pytest.raises(Conflict):
        await bench.runs.retry(bench.who, bench.lab, accepted.conversation_id)


async def test_a_run_that_never_began_ends_with_a_word_too(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask("never mind")
    await bench.runs.stop(bench.who, accepted.run_id)
    assert [e.event.type for e in await bench.events(accepted.run_id)] == ["agentSummary", "stopped"]
