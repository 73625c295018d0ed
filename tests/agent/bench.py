"""One run on fakes, and tools that write down what they do."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from workroom.agent.loop import Loop
from workroom.agent.pause_answers import holds_for_run
from workroom.agent.ports import AgentSpec, CallState, OpenCall, Progress
from workroom.agent.testing import InMemoryJournal, ScriptedModel
from workroom.agent.tool import Tool, ToolContext, tool
from workroom.core.actions import UiAction
from workroom.core.errors import NotFound
from workroom.core.ids import new_id
from workroom.core.messages import CallPart, Message, ResultPart, Role, TextPart
from workroom.core.results import ToolResult
from workroom.core.run_events import RunEvent, RunState
from workroom.models.ports import Model

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
    return ToolResult(message="sent", actions=[UiAction(type="sent")])


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
        self.models: list[Model] = [self.model]
        self.journal = journal or InMemoryJournal()
        self.spec = AgentSpec("Be brief.", **spec)
        self.events: list[RunEvent] = []
        self.progress = Progress([Message(id=new_id(), role=Role.USER, parts=[TextPart(text="hello")])])

    async def run(
        self, tools: dict[str, Tool] = TOOLS, extractors: Sequence[Model] = (), ordered: str | None = None
    ) -> RunState:
        common = (self.progress, self.spec, self.models, tools, self.journal, self.events.append, new_id)
        return await Loop(*common, extractors, ordered=ordered).advance()

    def results(self) -> list[ToolResult]:
        return [p.result for m in self.progress.messages for p in m.parts if isinstance(p, ResultPart)]


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
            OpenCall(c, _state(journal, c), journal.pauses.get(c.call_id), journal.replies.get(c.call_id))
            for c in answer.calls
            if c.call_id not in journal.results
        ]
    asked = [part for answer in journal.answers for part in answer.calls]
    return Progress(
        messages,
        open_calls=open_calls,
        rounds=len(journal.answers),
        ending=next(iter(journal.endings), None),
        allowed_tools={
            part.tool
            for part in asked
            if holds_for_run(journal.pauses.get(part.call_id), journal.replies.get(part.call_id))
        },
    )


def _state(journal: InMemoryJournal, call: CallPart) -> CallState:
    if call.call_id in journal.started:
        return CallState.STARTED
    return CallState.ANSWERED if call.call_id in journal.replies else CallState.ASKED
