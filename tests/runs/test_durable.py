"""Runs on a real database: what is said is stored, whatever dies is taken up again, and nothing happens twice."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import asyncpg
import pytest

from tests.runs.bench import RunBench
from tests.world import World
from workroom.agent.config import AgentConfig
from workroom.agent.ports import LeaseLost
from workroom.agent.testing import SCRIPTED, ScriptedModel, call, say
from workroom.agent.tool import ToolContext, tool
from workroom.core.errors import Collided, Forbidden, InvalidInput, NotFound
from workroom.core.messages import ResultPart
from workroom.core.run_events import RunState
from workroom.identity.types import Status
from workroom.identity.users import UserChange
from workroom.models.ports import Answer, ModelFailed, ModelRequest, TextDelta
from workroom.runs import fenced_store, held_runs, rights
from workroom.runs.configs import AgentConfigs
from workroom.runs.journal import MOST_LOST
from workroom.runs.service import Input

NOTE = call("writeNote", title="Milk", text="Buy some.")


@pytest.mark.requirement("A14")
async def test_an_answer_is_stored_and_told_from_the_first_word_to_the_summary(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask("What is new?")
    await bench.advance(accepted, [call("listNotes")], say("nothing at all"))
    run = await bench.runs.get(bench.principal, accepted.run_id)
    assert (run.state, run.rounds, run.tool_calls, run.input_tokens) == (RunState.COMPLETED, 2, 1, 20)
    stored = await world.services.conversations.messages(bench.principal, bench.lab, accepted.conversation_id)
    assert [item.message.text for item in stored] == ["What is new?", "", "nothing at all"]
    events = await bench.events(accepted.run_id)
    assert [event.seq for event in events] == list(range(1, len(events) + 1)), "gapless"
    told = [event.event.type for event in events if event.event.type != "chunk"]
    assert told == [
        "status", "agentProgress", "message", "cost", "toolCall", "toolResult", "agentProgress", "message", "cost",
        "agentSummary", "complete",
    ]  # fmt: skip
    assert "".join(e.event.text for e in events if e.event.type == "chunk") == "nothing at all "


@pytest.mark.requirement("A12")
async def test_the_same_input_twice_is_one_input(world: World) -> None:
    bench = RunBench(world)
    first = await bench.ask("hello", client_id="c1")
    again = await bench.runs.input(bench.principal, bench.lab, Input("hello", first.conversation_id, "c1"))
    assert again == first
    assert await bench.sql("select count(*) from runs") == 1


async def test_input_during_a_run_waits_for_its_turn(world: World) -> None:
    bench = RunBench(world)
    first = await bench.ask("one")
    second = await bench.runs.input(bench.principal, bench.lab, Input("two", first.conversation_id))
    await bench.advance(second, say("too early"))
    assert (await bench.runs.get(bench.principal, second.run_id)).state is RunState.QUEUED
    await bench.advance(first, say("answer one"))
    model = await bench.advance(second, say("answer two"))
    assert (await bench.runs.get(bench.principal, second.run_id)).state is RunState.COMPLETED
    assert [message.text for message in model.requests[0].messages] == ["one", "answer one", "two"]


async def test_what_is_said_during_an_answer_stands_after_it_in_the_order_it_was_said(world: World) -> None:
    """Also what was taken back before its turn came: nothing said is lost."""
    bench, model = RunBench(world), Dripping()
    first = await bench.ask("one")
    async with bench.worker(model) as runner:
        working = asyncio.create_task(runner.advance(bench.key(first)))
        await asyncio.wait_for(model.speaking.wait(), 60)
        more = [
            await bench.runs.input(bench.principal, bench.lab, Input(text, first.conversation_id))
            for text in ("two", "three")
        ]
        await bench.runs.stop(bench.principal, more[0].run_id)
        await bench.runs.stop(bench.principal, first.run_id)
        runner.held_runs.stop_heard(str(first.run_id))
        await asyncio.wait_for(working, 60)
    asked = await bench.advance(more[1], say("answer three"))
    assert [m.text for m in asked.requests[0].messages] == ["one", "half an ", "two", "three"]
    stored = await world.services.conversations.messages(bench.principal, bench.lab, first.conversation_id)
    assert [item.message.text for item in stored] == ["one", "half an ", "two", "three", "answer three"]


@pytest.mark.requirement("A12")
@pytest.mark.parametrize("dies_at", range(1, 8))
@pytest.mark.parametrize("death", [LeaseLost, asyncpg.DeadlockDetectedError], ids=["dies", "collides"])
async def test_a_worker_that_dies_at_any_write_is_followed_by_one_that_goes_on(
    world: World, monkeypatch: pytest.MonkeyPatch, dies_at: int, death: type[Exception]
) -> None:
    """Death: the transaction never commits, nothing is cleaned up, and the lease lapses. Two transactions that stand in each
    other's way are no reason to end a run either."""
    bench = RunBench(world)
    accepted = await bench.ask("note it")
    script = [[NOTE.model_copy(update={"call_id": call("x").call_id})], say("noted")]
    fence, writes = fenced_store.write_under_lease, 0

    async def dying(*args: Any) -> None:
        nonlocal writes
        writes += 1
        if writes == dies_at or (death is LeaseLost and writes > dies_at):
            raise death
        await fence(*args)

    monkeypatch.setattr(fenced_store, "write_under_lease", dying)
    with contextlib.suppress(Collided):
        await bench.advance(accepted, *script)
    monkeypatch.setattr(fenced_store, "write_under_lease", fence)
    answered = await bench.sql("select count(*) from messages where role = 'assistant'")
    await bench.sql("update runs set lease_holder = null, not_before = null where state = 'running'")
    await bench.advance(accepted, *script[answered:])
    assert (await bench.runs.get(bench.principal, accepted.run_id)).state is RunState.COMPLETED
    assert await bench.titles() == ["Milk"], "written exactly once"
    events = await bench.events(accepted.run_id)
    assert [event.seq for event in events] == list(range(1, len(events) + 1)), "gapless across workers"
    assert [e.event.type for e in events].count("toolResult") == 1
    assert [e.event.type for e in events][-2:] == ["agentSummary", "complete"]


@pytest.mark.requirement("A12")
async def test_a_worker_that_stalled_and_comes_back_changes_nothing(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask("note it")
    inside, resume = asyncio.Event(), asyncio.Event()

    @tool("slowNote", effect="ours", sets={"core"})
    async def slow_note(ctx: ToolContext) -> str:
        """Write a note after a long pause."""
        if not inside.is_set():
            inside.set()
            await resume.wait()

        async def effect(uow: Any) -> str:
            from workroom.notes import service

            await service.write(uow, ctx.principal, ctx.instance_id, "Slow", "x")
            return "written"

        return await ctx.commit(effect)

    async with bench.worker(ScriptedModel([call("slowNote")]), slow_note) as stalled:
        first = asyncio.create_task(stalled.advance(bench.key(accepted)))
        await asyncio.wait_for(inside.wait(), 60)
        await bench.sql("update runs set lease_holder = null, not_before = null")
        await bench.advance(accepted, say("done by the second"), tools=(slow_note,))
        resume.set()
        await asyncio.wait_for(first, 60)
    assert await bench.titles() == ["Slow"]
    run = await bench.runs.get(bench.principal, accepted.run_id)
    assert run.state is RunState.COMPLETED
    assert [e.event.type for e in await bench.events(accepted.run_id)].count("complete") == 1


@pytest.mark.requirement("A12", "L1")
async def test_two_workers_at_once_do_the_work_once(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask("hello")
    await asyncio.gather(*(bench.advance(accepted, say("hi")) for _ in range(4)))
    assert await bench.sql("select count(*) from messages where role = 'assistant'") == 1


class Dripping:
    """Says something, then waits for ever."""

    info = SCRIPTED

    def __init__(self) -> None:
        self.speaking = asyncio.Event()
        self.closed = asyncio.Event()

    async def stream(self, request: ModelRequest) -> Any:
        try:
            yield TextDelta("half an ")
            self.speaking.set()
            await asyncio.Event().wait()
            yield Answer([])
        finally:
            self.closed.set()


@pytest.mark.requirement("A13")
@pytest.mark.parametrize("by", ["notification", "renewal"])
async def test_stopping_keeps_the_partial_text(world: World, monkeypatch: pytest.MonkeyPatch, by: str) -> None:
    monkeypatch.setattr(held_runs, "CHECK_SECONDS", 0.1)
    bench, model = RunBench(world), Dripping()
    accepted = await bench.ask("go on")
    async with bench.worker(model) as runner:
        working = asyncio.create_task(runner.advance(bench.key(accepted)))
        await asyncio.wait_for(model.speaking.wait(), 60)
        await bench.runs.stop(bench.principal, accepted.run_id)
        if by == "notification":
            runner.held_runs.stop_heard(str(accepted.run_id))
        await asyncio.wait_for(working, 60)
    assert model.closed.is_set(), "the model call was cancelled"
    assert (await bench.runs.get(bench.principal, accepted.run_id)).state is RunState.STOPPED
    stored = await world.services.conversations.messages(bench.principal, bench.lab, accepted.conversation_id)
    assert stored[-1].message.text == "half an "
    assert (await bench.events(accepted.run_id))[-1].event.type == "stopped"


@pytest.mark.requirement("A13")
async def test_a_waiting_run_is_stopped_on_the_spot(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask("never mind")
    assert (await bench.runs.stop(bench.principal, accepted.run_id)).state is RunState.STOPPED
    model = await bench.advance(accepted, say("too late"))
    assert model.requests == []


async def test_a_clean_shutdown_gives_the_run_back_at_once(world: World) -> None:
    bench, model = RunBench(world), Dripping()
    accepted = await bench.ask("go on")
    async with bench.worker(model) as runner:
        working = asyncio.create_task(runner.advance(bench.key(accepted)))
        await asyncio.wait_for(model.speaking.wait(), 60)
        working.cancel()
        with pytest.raises(asyncio.CancelledError):
            await working
    await bench.advance(accepted, say("whole answer"))
    assert (await bench.runs.get(bench.principal, accepted.run_id)).state is RunState.COMPLETED
    events = await bench.events(accepted.run_id)
    chunks = [(e.event.attempt, e.event.text) for e in events if e.event.type == "chunk"]
    assert chunks == [(1, "half an "), (2, "whole answer ")], "the second attempt says so"


async def test_a_model_is_not_asked_for_ever_when_workers_are_lost_again_and_again(world: World) -> None:
    bench, asked = RunBench(world), 0
    accepted = await bench.ask("go on")
    for _ in range(20):
        model = Dripping()
        async with bench.worker(model) as runner:
            working = asyncio.create_task(runner.advance(bench.key(accepted)))
            speaking = asyncio.create_task(model.speaking.wait())
            await asyncio.wait({working, speaking}, timeout=60, return_when=asyncio.FIRST_COMPLETED)
            speaking.cancel()
            if working.done():
                break
            asked += 1
            await bench.sql("update runs set epoch = epoch + 1, lease_holder = null, not_before = null")
            runner.held_runs.held[0].lost.set()
            await asyncio.wait_for(working, 60)
    assert asked == MOST_LOST
    run = await bench.runs.get(bench.principal, accepted.run_id)
    assert (run.state, run.error_code) == (RunState.ERROR, "answerLost")
    assert await bench.sql("select count(*) from billing where outcome = 'lost'") == MOST_LOST, "each is paid"
    assert (await bench.events(accepted.run_id))[-1].event.type == "error"


async def test_somebody_who_was_suspended_meanwhile_gets_no_answer(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S7: the run of somebody whose rights are gone ends by itself."""
    monkeypatch.setattr(rights, "ASK_SECONDS", 0.1)
    bench, model = RunBench(world), Dripping()
    accepted = await bench.ask("go on")
    async with bench.worker(model) as runner:
        working = asyncio.create_task(runner.advance(bench.key(accepted)))
        await asyncio.wait_for(model.speaking.wait(), 60)
        change = UserChange(status=Status.SUSPENDED)
        await world.services.users.change(world["alice"].principal, bench.principal.user_id or accepted.run_id, change)
        await asyncio.wait_for(working, 60)
    assert await bench.sql("select state from runs") == "error"


@pytest.mark.parametrize("failure", [ModelFailed("The key was refused.", again=False), RuntimeError("secret")])
async def test_a_failure_ends_honestly(world: World, failure: Exception) -> None:
    bench = RunBench(world)
    accepted = await bench.ask("hello")
    await bench.advance(accepted, failure)
    run = await bench.runs.get(bench.principal, accepted.run_id)
    assert run.state is RunState.ERROR
    assert "secret" not in str(run.error)
    last = (await bench.events(accepted.run_id))[-1].event
    assert last.type == "error"


@pytest.mark.requirement("A4")
async def test_the_round_limit_is_a_state_of_its_own(world: World) -> None:
    bench = RunBench(world)
    await AgentConfigs(bench.db).put(world["alice"].principal, bench.lab, AgentConfig(max_rounds=1))
    accepted = await bench.ask("look")
    await bench.advance(accepted, [call("listNotes")], say("looked once"))
    assert (await bench.runs.get(bench.principal, accepted.run_id)).state is RunState.MAX_ROUNDS


def newest_result(request: ModelRequest) -> str:
    (part,) = request.messages[-1].parts
    assert isinstance(part, ResultPart)
    return part.result.text()


async def test_a_result_that_is_too_long_is_cut_and_read_page_by_page(world: World) -> None:
    """S15: one oversized result must not poison every round after it."""
    whole = "".join(f"line {number:06}\n" for number in range(10_000))

    @tool("longText", effect="read", sets={"core"})
    async def long_text(ctx: ToolContext) -> str:
        """A very long text."""
        return whole

    bench, asked = RunBench(world), call("longText")
    accepted = await bench.ask("read it")
    script = [[asked], [call("readResult", callId=str(asked.call_id), page=2)], say("read")]
    model = await bench.advance(accepted, *script, tools=(long_text,))
    first, second = (newest_result(request) for request in model.requests[1:3])
    assert first.startswith(whole[:20_000])
    assert "page 1 of 6" in first
    assert len(first) < 21_000
    assert second.startswith(whole[20_000:40_000])
    assert "page 2 of 6" in second
    assert "page 1 of" not in second, "a page is not cut again"
    assert max(len(str(request.messages)) for request in model.requests) < 60_000
    with pytest.raises(NotFound):
        await bench.runs.result(world["rita"].principal, accepted.conversation_id, asked.call_id)


async def test_a_result_of_fifty_megabytes_is_not_kept_whole(world: World) -> None:
    @tool("flood", effect="read", sets={"core"})
    async def flood(ctx: ToolContext) -> str:
        """Far too much."""
        return "x" * 50_000_000

    bench, asked = RunBench(world), call("flood")
    accepted = await bench.ask("flood me")
    await bench.advance(accepted, [asked], say("ok"), tools=(flood,))
    kept = await bench.runs.result(bench.principal, accepted.conversation_id, asked.call_id)
    assert len(kept.message) < 1_001_000
    assert "the result had 50,000,000 characters" in kept.message


async def test_runs_of_others_do_not_exist(world: World) -> None:
    bench = RunBench(world)
    accepted = await bench.ask("secret")
    for name in ("rita", "olaf", "zoe", "yann"):
        for attempt in (bench.runs.get, bench.runs.stop):
            with pytest.raises(NotFound):
                await attempt(world[name].principal, accepted.run_id)
        with pytest.raises(NotFound):
            await bench.runs.events(world[name].principal, accepted.run_id, 0)


async def test_who_may_not_use_agents_starts_none(world: World) -> None:
    bench = RunBench(world)
    with pytest.raises(Forbidden):
        await bench.runs.input(world["rita"].principal, bench.lab, Input("hello"))
    with pytest.raises(NotFound):
        await bench.runs.input(world["olaf"].principal, bench.lab, Input("hello"))
    with pytest.raises(NotFound):
        await bench.runs.input(world["yann"].principal, bench.lab, Input("hello"))


@pytest.mark.parametrize("prompt", ["", "  \n", "x" * 500_001, "a\x00b", "\ud800"])
async def test_prompts_that_cannot_be(world: World, prompt: str) -> None:
    with pytest.raises(InvalidInput):
        await RunBench(world).ask(prompt)


@pytest.mark.parametrize("text", ["nul \x00 in it", "half \ud800 a character", {"a": ["\x00", {"b\x00": "\udfff"}]}])
async def test_characters_that_cannot_be_stored_do_not_end_a_run(world: World, text: Any) -> None:
    @tool("odd", effect="read", sets={"core"})
    async def odd(ctx: ToolContext) -> Any:
        """Returns what cannot be stored."""
        return text

    bench = RunBench(world)
    accepted = await bench.ask()
    await bench.advance(accepted, [call("odd")], say("fine"), tools=(odd,))
    assert (await bench.runs.get(bench.principal, accepted.run_id)).state is RunState.COMPLETED
