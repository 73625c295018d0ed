"""The calls of one round: reads beside each other, writes one after another, in the order asked.

Whatever goes wrong with a call becomes a result the model reads; the run goes on. Only a lost lease ends it.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from workroom.agent.ports import CallState, Emit, Journal, OpenCall, Signal
from workroom.agent.tool import Tool, explain
from workroom.core.errors import WorkroomError
from workroom.core.messages import CallPart
from workroom.core.results import ToolResult, result_of
from workroom.core.run_events import ToolAsked

log = logging.getLogger(__name__)

UNKNOWN_OUTCOME = (
    "This call was interrupted after it had started, so it may or may not have taken effect. "
    "Find out before you repeat it, or tell the user."
)


async def carry_out(
    calls: Sequence[OpenCall], tools: Mapping[str, Tool], journal: Journal, emit: Emit
) -> dict[UUID, ToolResult]:
    """Every call's result by call id; each is stored before the next batch begins."""
    results: dict[UUID, ToolResult] = {}
    for batch in batches(calls, tools):
        made = await _together([_one(call, tools, journal, emit) for call in batch])
        results |= {call.part.call_id: result for call, result in zip(batch, made, strict=True)}
    return results


async def _together(work: Sequence[Coroutine[Any, Any, ToolResult]]) -> list[ToolResult]:
    """All at once. What ends one ends the others, and comes out as itself."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(item) for item in work]
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from None
    return [task.result() for task in tasks]


def batches(calls: Sequence[OpenCall], tools: Mapping[str, Tool]) -> Iterator[list[OpenCall]]:
    """Neighbouring reads together; every other call alone, so that a read asked for after a write sees that write."""

    def is_read(call: OpenCall) -> bool:
        tool = tools.get(call.part.tool)
        return tool is None or tool.effect == "read"

    for reads, group in itertools.groupby(calls, is_read):
        if reads:
            yield list(group)
        else:
            yield from ([call] for call in group)


async def _one(call: OpenCall, tools: Mapping[str, Tool], journal: Journal, emit: Emit) -> ToolResult:
    part = call.part
    emit(ToolAsked(call_id=part.call_id, tool=part.tool, arguments=part.arguments))
    started = time.monotonic()
    result, stored = await _attempt(call, tools, journal)
    duration_ms = round((time.monotonic() - started) * 1000)
    if not stored:
        await journal.call_finished(part, result, duration_ms)
    return result


async def _attempt(call: OpenCall, tools: Mapping[str, Tool], journal: Journal) -> tuple[ToolResult, bool]:
    """The result, and whether it is stored already, together with the effect."""
    part, tool = call.part, tools.get(call.part.tool)
    if tool is None:
        known = ", ".join(tools) or "none"
        return ToolResult.error(f"There is no tool {part.tool!r}. The tools you may use are: {known}."), False
    if part.unreadable is not None:
        return ToolResult.error("The arguments are not valid JSON. Send them again."), False
    if call.state is CallState.STARTED and tool.effect == "outside":
        return ToolResult.error(UNKNOWN_OUTCOME, outcome="unknown"), False
    try:
        arguments = tool.read_arguments(part.arguments)
    except ValidationError as error:
        return ToolResult.error(explain(error)), False
    if tool.effect == "outside":
        await journal.call_started(part)
    return await _run(tool, part, arguments, journal)


async def _run(tool: Tool, part: CallPart, arguments: dict[str, object], journal: Journal) -> tuple[ToolResult, bool]:
    context = journal.context(part)
    try:
        async with asyncio.timeout(tool.seconds):
            value = await tool.run(context, **arguments)
    except Signal:
        raise
    except TimeoutError:
        failure = ToolResult.error(f"{tool.name} did not finish within {tool.seconds:g} seconds.")
    except WorkroomError as error:
        failure = ToolResult.error(error.message, code=error.code)
    except Exception as error:
        log.exception("a tool failed", extra={"tool": tool.name})
        failure = ToolResult.error(f"{tool.name} failed: {type(error).__name__}.")
    else:
        if tool.effect == "ours" and context.committed is None:
            raise RuntimeError(f"the tool {tool.name} writes, but did not use ctx.commit")
        return context.committed or result_of(value), context.committed is not None
    # What was committed before the failure has happened; saying it failed would make the model do it again.
    return (context.committed, True) if context.committed is not None else (failure, False)
