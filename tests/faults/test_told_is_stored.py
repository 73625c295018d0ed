"""What a run tells is what is stored, and what was begun outside is not begun again: with a database that goes away at the
worst moment, in the middle of a step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.runs.bench import RunBench
from tests.world import World
from workroom.agent.testing import ScriptedModel, call, say
from workroom.agent.tool import Tool, ToolContext, tool
from workroom.core.errors import DatabaseUnavailable
from workroom.core.pauses import Confirmed
from workroom.core.run_events import PauseChanged, RunState, ToolFinished
from workroom.runs import call_store
from workroom.runs.service import Accepted

AWAY = DatabaseUnavailable("The database cannot be reached right now.")


async def _ask(ctx: ToolContext) -> str:
    return "Send it?"


def sending(sent: list[str], *, confirmed: bool) -> Tool:
    """Reaches outside, then the process dies."""
    options: dict[str, Any] = {"confirm": _ask} if confirmed else {}

    @tool("send", effect="outside", sets={"core"}, **options)
    async def send(ctx: ToolContext) -> str:
        """Send something."""
        sent.append(str(ctx.call_id))
        raise AWAY

    return send


async def goes_away(bench: RunBench, accepted: Accepted, *script: Any, tools: tuple[Tool, ...] = ()) -> None:
    """The worker gives the run up, and what it said last has had its chance to be written; somebody else may take the run
    when the lease has lapsed."""
    async with bench.worker(ScriptedModel(*script), *tools) as runner:
        with pytest.raises(DatabaseUnavailable):
            await runner.advance(bench.key(accepted))
        await runner._services.flusher.tick()
    assert (await bench.runs.get(bench.principal, accepted.run_id)).state is RunState.RUNNING, "not failed: given up"
    await bench.sql("update runs set lease_holder = null, not_before = null")


def once(failing: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, but its first effect is followed by the loss of the database."""
    calls: list[None] = []

    async def wrapped(*args: Any, **more: Any) -> Any:
        result = await failing(*args, **more)
        calls.append(None)
        if len(calls) == 1:
            raise AWAY
        return result

    return wrapped


@pytest.mark.requirement("A12")
@pytest.mark.parametrize("confirmed", [False, True], ids=["at once", "after a confirmation"])
async def test_what_reached_outside_before_a_crash_is_not_done_again(world: World, confirmed: bool) -> None:
    bench, sent, asked = RunBench(world), list[str](), call("send")
    accepted = await bench.ask("send it")
    tools = (sending(sent, confirmed=confirmed),)
    if confirmed:
        await bench.advance(accepted, [asked], tools=tools)
        await bench.runs.answer(bench.principal, accepted.run_id, asked.call_id, Confirmed(accepted=True))
        await goes_away(bench, accepted, tools=tools)
    else:
        await goes_away(bench, accepted, [asked], tools=tools)
    model = await bench.advance(accepted, say("I do not know whether it was sent."), tools=tools)
    assert sent == [str(asked.call_id)]
    assert "may or may not" in model.requests[0].messages[-1].readable


@pytest.mark.requirement("A12")
async def test_a_result_that_could_not_be_stored_is_not_told(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = RunBench(world)
    accepted = await bench.ask("what time is it?")
    monkeypatch.setattr(call_store, "finish", once(call_store.finish))
    await goes_away(bench, accepted, [call("currentTime")])
    assert [e for e in await bench.events(accepted.run_id) if isinstance(e.event, ToolFinished)] == []
    await bench.advance(accepted, say("noon"))
    told = [e.event for e in await bench.events(accepted.run_id)]
    assert len([event for event in told if isinstance(event, ToolFinished)]) == 1
    assert told[-1].type == "complete"


@pytest.mark.requirement("A15")
async def test_a_question_that_could_not_be_stored_is_not_asked(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = RunBench(world)
    accepted = await bench.ask("ask me")
    monkeypatch.setattr(call_store, "pause", once(call_store.pause))
    await goes_away(bench, accepted, [call("askUser", question="Which colour?")])
    assert [e for e in await bench.events(accepted.run_id) if isinstance(e.event, PauseChanged)] == []
    await bench.advance(accepted)
    assert (await bench.runs.get(bench.principal, accepted.run_id)).state is RunState.PAUSED


async def test_a_writing_tool_whose_database_goes_away_has_not_failed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Told that it failed, a model would write again what may have been written."""
    bench = RunBench(world)
    accepted = await bench.ask("write it")
    monkeypatch.setattr(call_store, "finish", once(call_store.finish))
    await goes_away(bench, accepted, [call("writeNote", title="once", text="x")])
    model = await bench.advance(accepted, say("written"))
    assert len(model.requests) == 1
    assert await bench.titles() == ["once"]
