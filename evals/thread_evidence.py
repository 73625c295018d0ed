"""Evidence from a conversation: calls with their results, plans, answers, and which files they cite. Messages hold what was said
and called; results are told by the events of the runs. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from uuid import UUID

from evals.turns import ToolUse, Turn
from workroom.api.conversations import MessageView
from workroom.core.messages import CallPart, MaterialPart, PlanPart, Role, StepPart, TextPart
from workroom.core.results import ResultStatus, ToolResult
from workroom.core.run_events import RunState
from workroom.core.sources import cited_in


def turn_of(
    messages: Sequence[MessageView],
    results: Mapping[UUID, ToolResult],
    run_ids: Sequence[UUID],
    state: RunState,
    pauses: Sequence[str] = (),
) -> Turn:
    """What these runs did. `messages` and `results` are of the whole conversation: a later answer may cite what an earlier one
    has read."""
    own = [message for message in messages if message.run_id in run_ids]
    answer = "\n".join(texts(own))
    files = _files_by_mark(messages, results.values())
    return Turn(
        state=state,
        calls=[tool_use(call, results.get(call.call_id)) for call in calls_in(own)],
        plans=[part.plan for message in own for part in message.parts if isinstance(part, PlanPart)],
        pauses=pauses,
        answer=answer,
        cited=frozenset(files[mark] for mark in cited_in(answer) if mark in files),
    )


def calls_in(messages: Sequence[MessageView]) -> list[CallPart]:
    return [part for message in messages for part in message.parts if isinstance(part, CallPart)]


def tool_use(call: CallPart, result: ToolResult | None) -> ToolUse:
    """Without a result it was not carried out."""
    if result is None:
        return ToolUse(call.tool, call.arguments, ok=False)
    ok = result.status is not ResultStatus.ERROR
    return ToolUse(call.tool, call.arguments, ok, result.data, result.message, result.actions)


def texts(messages: Sequence[MessageView]) -> Iterator[str]:
    """Of plans, what was said about each step."""
    for message in messages:
        for part in message.parts:
            match part:
                case TextPart(text=text) if message.role is Role.ASSISTANT:
                    yield text
                case StepPart(step=step):
                    yield step.message


def _files_by_mark(messages: Sequence[MessageView], results: Iterable[ToolResult]) -> Mapping[str, UUID]:
    files = {source.mark: source.opens.file_id for result in results for source in result.sources if source.opens}
    for message in messages:
        for part in message.parts:
            if isinstance(part, MaterialPart):
                if part.mark and part.opens:
                    files[part.mark] = part.opens.file_id
                files |= {source.mark: source.opens.file_id for source in part.sources if source.opens}
    return files
