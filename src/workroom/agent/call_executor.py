"""The calls of one round: reads beside each other, everything else one after another, in the order asked.

Whatever goes wrong with a call becomes a result the model reads; the run goes on. Only a lost lease ends it, and a
question to the user interrupts it: then nothing that was asked for after it has been done.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from pydantic import ValidationError

from workroom.agent.pause_answers import completed, declined
from workroom.agent.ports import AgentSpec, CallContext, CallState, Emit, Journal, OpenCall, Paused, Progress, Signal
from workroom.agent.repetition_guard import HINT, HINT_AT, times_asked
from workroom.agent.tool import ConfirmPrompt, Tool, explain
from workroom.core.errors import DatabaseUnavailable, WorkroomError
from workroom.core.messages import CallPart
from workroom.core.pauses import Choice, Confirmation, Confirmed, Pause, Proposal, Question
from workroom.core.results import ResultStatus, ToolResult, result_of
from workroom.core.run_events import ToolAsked
from workroom.core.task_groups import run_together
from workroom.core.waiting import wait_for

log = logging.getLogger(__name__)

TOOL_RETRY_PAUSES = (0.5, 1.0)  # seconds before the second and the third try
CHANGED_MEANWHILE = (
    "It was changed while the user was asked, so nothing was done. Look at it, then call the tool again."
)
UNKNOWN_OUTCOME = (
    "This call was interrupted after it had started, so it may or may not have taken effect. "
    "Find out before you repeat it, or tell the user."
)
Results = dict[UUID, ToolResult]
Choose = Callable[[CallPart, ToolResult], Choice | None]
Confirm = Callable[..., Awaitable[str | ConfirmPrompt | None]]


def nothing_to_choose(call: CallPart, result: ToolResult) -> Choice | None:
    return None


@dataclass(frozen=True)
class CallFailure:
    """A tool that raised: what the model is told of it."""

    result: ToolResult


def tool_asked(call: CallPart) -> ToolAsked:
    return ToolAsked(call_id=call.call_id, tool=call.tool, arguments=call.arguments, private=call.private)


@dataclass
class CallExecutor:
    """Carries out what an answer asked for; each result is stored before the next batch begins."""

    progress: Progress
    spec: AgentSpec
    tools: Mapping[str, Tool]
    journal: Journal
    emit: Emit
    choose: Choose = nothing_to_choose  # what the user is asked about a result before it counts
    guarded: bool = True  # against a model that goes in circles
    _untrusted: bool = False

    async def carry_out(self) -> Results:
        """Every open call's result by call id. Paused when one of them waits for a person."""
        self._untrusted = self.progress.is_untrusted
        results: Results = {}
        for batch in batches(self.progress.open_calls, self.tools):
            made = await run_together([self._execute(call) for call in batch])
            results |= {call.part.call_id: result for call, result in zip(batch, made, strict=True)}
            self._untrusted |= any(result.untrusted for result in made)
        return results

    async def _execute(self, call: OpenCall) -> ToolResult:
        part = call.part
        if call.answer is None:
            self.emit(tool_asked(part))
        started = time.monotonic()
        result, stored = await self._attempt(call)
        duration_ms = round((time.monotonic() - started) * 1000)
        if not stored:
            await self.journal.call_finished(part, result, duration_ms)
        return result

    async def _attempt(self, call: OpenCall) -> tuple[ToolResult, bool]:
        """The result, and whether it is stored already, together with the effect."""
        part, tool = call.part, self.tools.get(call.part.tool)
        if tool is None:
            known = ", ".join(self.tools) or "none"
            return ToolResult.error(f"There is no tool {part.tool!r}. The tools you may use are: {known}."), False
        if part.unreadable is not None:
            return ToolResult.error("The arguments are not valid JSON. Send them again."), False
        try:
            arguments = tool.read_arguments(part.arguments)
        except ValidationError as error:
            return ToolResult.error(explain(error)), False
        if call.state is CallState.STARTED and tool.effect == "outside":
            return await self._interrupted(tool, call, arguments)
        if call.answer is not None:
            return await self._answered(tool, call, arguments)
        if self.guarded and (times := times_asked(self.progress.own, part, self.tools)) >= HINT_AT:
            return ToolResult.error(HINT.format(times=times), repeated=times), False
        return await self._ask_first(tool, call, arguments) or await self._begin(tool, call, arguments)

    async def _ask_first(self, tool: Tool, call: OpenCall, arguments: dict[str, Any]) -> tuple[ToolResult, bool] | None:
        """Nothing has happened yet, and nothing will before the user has said yes."""
        untrusted = self._untrusted and not self.progress.commanded
        is_suspect = untrusted and self._is_suspect(tool)
        for_run = False
        prompt = await self._prompt(tool.confirm, tool, call, arguments)
        if prompt is None and is_suspect and (tool.confirm is None or tool.confirm_untrusted is not None):
            for_run = tool.effect == "ours" and not tool.opens_addresses
            prompt = await self._prompt(tool.confirm_untrusted, tool, call, arguments)
            if prompt is None and (tool.confirm_untrusted is None or not for_run):
                prompt = ConfirmPrompt("")
        if prompt is None:
            return None
        if isinstance(prompt, CallFailure):
            return prompt.result, False
        pause = Confirmation(
            text=prompt.text,
            name=prompt.name,
            variant=prompt.variant,
            subject=prompt.subject,
            untrusted=untrusted,
            for_run=for_run,
        )
        await self.journal.call_paused(call.part, pause)
        raise Paused

    async def _prompt(
        self, hook: Confirm | None, tool: Tool, call: OpenCall, arguments: dict[str, Any]
    ) -> ConfirmPrompt | CallFailure | None:
        """What it asks before this call; None: nothing."""
        if hook is None:
            return None
        context = self.journal.context(call.part, tool, self._untrusted)
        outcome = await _guarded(tool, lambda: hook(context, **arguments))
        return ConfirmPrompt(outcome) if isinstance(outcome, str) else cast(ConfirmPrompt | CallFailure | None, outcome)

    def _is_suspect(self, tool: Tool) -> bool:
        """Whether content that was read may be what asks for this call, and its effect reaches further than the user."""
        if tool.effect == "ours" and not tool.opens_addresses:
            return self.spec.confirm_untrusted_writes and tool.name not in self.progress.allowed_tools
        reaches_outside = tool.effect == "outside" or tool.opens_addresses
        return reaches_outside and tool.name not in self.spec.trusted_tools

    async def _begin(self, tool: Tool, call: OpenCall, arguments: dict[str, Any]) -> tuple[ToolResult, bool]:
        if tool.effect == "outside":
            await self.journal.call_started(call.part)
        context = self.journal.context(call.part, tool, self._untrusted)
        value = await _guarded(tool, lambda: tool.run(context, **arguments))
        if isinstance(value, Question | Choice | Proposal):
            await self._pause(tool, call, value)
        result, stored = _checked(tool, context, value)
        if not stored and tool.answered is None and (choice := self.choose(call.part, result)) is not None:
            await self.journal.call_paused(call.part, choice)
            raise Paused
        return result, stored

    async def _pause(self, tool: Tool, call: OpenCall, pause: Pause) -> None:
        if not tool.pauses:
            raise RuntimeError(f"the tool {tool.name} asks the user, but does not say that it pauses")
        await self.journal.call_paused(call.part, pause)
        raise Paused

    async def _answered(self, tool: Tool, call: OpenCall, arguments: dict[str, Any]) -> tuple[ToolResult, bool]:
        pause, answer = call.pause, call.answer
        if isinstance(answer, Confirmed):
            if not answer.accepted:
                return declined(), False
            refusal = await self._changed_meanwhile(tool, call, arguments)
            return (refusal, False) if refusal else await self._begin(tool, call, arguments)
        assert answer is not None
        if tool.answered is None:
            return _marked(tool, completed(pause, answer)), False
        if tool.effect == "outside":
            await self.journal.call_started(call.part)
        hook, context = tool.answered, self.journal.context(call.part, tool, self._untrusted)
        value = await _guarded(tool, lambda: hook(context, pause, answer))
        return _checked(tool, context, value, may_do_nothing=True)

    async def _changed_meanwhile(self, tool: Tool, call: OpenCall, arguments: dict[str, Any]) -> ToolResult | None:
        """A refusal, if what the user said yes to is not what it was any more."""
        if not isinstance(call.pause, Confirmation) or not call.pause.subject:
            return None
        now = await self._prompt(tool.confirm, tool, call, arguments)
        if now is None:  # it asked because of what others wrote, or what it asked about is settled
            now = await self._prompt(tool.confirm_untrusted, tool, call, arguments)
        if isinstance(now, CallFailure):
            return now.result
        return None if now is not None and now.subject == call.pause.subject else ToolResult.error(CHANGED_MEANWHILE)

    async def _interrupted(self, tool: Tool, call: OpenCall, arguments: dict[str, Any]) -> tuple[ToolResult, bool]:
        """It reached outside, and then the process died. The tool may be able to find out what became of it."""
        if tool.outcome is not None:
            outcome_hook, context = tool.outcome, self.journal.context(call.part, tool, self._untrusted)
            outcome = await _guarded(tool, lambda: outcome_hook(context, **arguments))
            if outcome is not None and not isinstance(outcome, CallFailure):
                return _marked(tool, result_of(outcome)), False
        return ToolResult.error(UNKNOWN_OUTCOME, outcome="unknown"), False


async def _guarded(tool: Tool, work: Callable[[], Awaitable[Any]]) -> Any:
    """What the tool returned, or a CallFailure that says what it raised."""
    try:
        async with asyncio.timeout(tool.seconds):
            return await _persistently(tool, work)
    except (Signal, DatabaseUnavailable):
        raise  # our own store is away: the worker that resumes the run finds out whether this took effect
    except TimeoutError:
        return CallFailure(ToolResult.error(f"{tool.name} did not finish within {tool.seconds:g} seconds."))
    except WorkroomError as error:
        return CallFailure(ToolResult.error(error.message, code=error.code))
    except Exception as error:
        log.exception("a tool failed", extra={"tool": tool.name})
        return CallFailure(ToolResult.error(f"{tool.name} failed: {type(error).__name__}."))


async def _persistently(tool: Tool, work: Callable[[], Awaitable[Any]]) -> Any:
    """Services elsewhere stumble: what reads from one is tried three times. What may have taken effect there is not."""
    for pause in TOOL_RETRY_PAUSES if tool.effect != "outside" else ():
        try:
            return await work()
        except WorkroomError as error:
            if not error.again:
                raise
        await wait_for(asyncio.Event(), pause)
    return await work()


def _checked(tool: Tool, context: CallContext, value: Any, *, may_do_nothing: bool = False) -> tuple[ToolResult, bool]:
    """The result, and whether it is stored. What was committed before a failure has happened: saying that it failed would
    make the model do it again."""
    if context.committed is not None:
        return context.committed, True
    if isinstance(value, CallFailure):
        return _marked(tool, value.result), False
    try:
        result = result_of(value)
    except (TypeError, ValueError):
        log.exception("a tool answered nonsense", extra={"tool": tool.name})
        return ToolResult.error(f"{tool.name} ran, but its answer cannot be written down."), False
    if tool.effect == "ours" and not may_do_nothing and result.status is not ResultStatus.ERROR:
        raise RuntimeError(f"the tool {tool.name} writes, but did not use ctx.commit")
    return _marked(tool, result), False


def _marked(tool: Tool, result: ToolResult) -> ToolResult:
    return result.marked(untrusted=tool.untrusted)


def batches(calls: Sequence[OpenCall], tools: Mapping[str, Tool]) -> Iterator[list[OpenCall]]:
    """Neighbouring reads together; every barrier alone, so that a read asked for after a write sees that write."""

    def is_read(call: OpenCall) -> bool:
        tool = tools.get(call.part.tool)
        return tool is None or not tool.is_barrier

    for reads, group in itertools.groupby(calls, is_read):
        if reads:
            yield list(group)
        else:
            yield from ([call] for call in group)
