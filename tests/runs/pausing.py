"""Tools that pause a run, and runs that were paused by them."""

from __future__ import annotations

from typing import Any

from tests.runs.bench import RunBench
from workroom.agent.tool import ToolContext, tool
from workroom.core.pauses import Choice, Option, Question
from workroom.core.run_events import RunState
from workroom.notes import service as notes
from workroom.runs.service import Accepted


async def _what(ctx: ToolContext, title: str) -> str:
    return f"Write {title}?"


@tool("askedNote", effect="ours", sets={"core"}, confirm=_what)
async def asked_note(ctx: ToolContext, title: str) -> Any:
    """Write a note, if the user agrees."""
    return await ctx.commit(lambda uow: notes.write(uow, ctx.principal, ctx.instance_id, title, "x"))


@tool("ask", effect="read", sets={"core"}, pauses=True)
async def ask(ctx: ToolContext, options: bool = False) -> Question | Choice:
    """Ask the user."""
    if options:
        return Choice(text="Which?", options=[Option(id="a", label="A")])
    return Question(text="Which colour?")


TOOLS = (asked_note, ask)


async def paused(bench: RunBench, *calls: Any) -> Accepted:
    accepted = await bench.ask("do it")
    await bench.advance(accepted, list(calls), tools=TOOLS)
    run = await bench.runs.get(bench.principal, accepted.run_id)
    assert run.state is RunState.PAUSED
    return accepted


async def waiting_call(bench: RunBench, accepted: Accepted) -> Any:
    return await bench.sql("select call_id from tool_calls where run_id = $1 and pause is not null", accepted.run_id)
