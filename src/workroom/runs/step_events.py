"""The events that tell of a step of a run, once it is stored: an answer's plan, a call's result, what was billed, a switch."""

from __future__ import annotations

from uuid import UUID

from workroom.conversations.types import AgentSwitch
from workroom.core.line_diff import unified_diff
from workroom.core.messages import CallPart, Message
from workroom.core.pauses import Pause, PauseState, Proposal
from workroom.core.results import ToolResult
from workroom.core.run_events import (
    ActionRequested,
    AgentSwitched,
    CostCounted,
    FileCreated,
    FileEditProposed,
    FileVersionStored,
    PauseChanged,
    PlanMade,
    RunEvent,
    StepFinished,
    ToolFinished,
)
from workroom.usage.types import BillingTransaction


def event_for_switch(switch: AgentSwitch, next_run_id: UUID | None = None) -> AgentSwitched:
    return AgentSwitched(
        kind=switch.kind.value,
        from_agent_id=switch.from_agent_id,
        from_name=switch.from_name,
        to_agent_id=switch.to_agent_id,
        to_name=switch.to_name,
        reason=switch.reason,
        next_run_id=next_run_id,
    )


def events_for_cost(billed: BillingTransaction | None) -> list[RunEvent]:
    if billed is None:
        return []
    return [
        CostCounted(
            purpose=billed.call.purpose,
            provider=billed.call.provider,
            model=billed.call.model,
            input_tokens=billed.usage.input_tokens,
            output_tokens=billed.usage.output_tokens,
            cached_tokens=billed.usage.cached_tokens,
            cost_chf=billed.cost_chf,
            assumed=billed.assumed,
        )
    ]


def events_for_result(call: CallPart, result: ToolResult, duration_ms: int) -> list[RunEvent]:
    """Actions and files first: a client that sees the result has seen them."""
    files = [
        (FileCreated if file.version == 1 else FileVersionStored)(call_id=call.call_id, **dict(file))
        for file in result.files
    ]
    edits = [FileEditProposed(call_id=call.call_id, **dict(edit)) for edit in result.edits]
    finished = ToolFinished(call_id=call.call_id, tool=call.tool, result=result, duration_ms=duration_ms)
    return [*(ActionRequested(action=action) for action in result.actions), *edits, *files, finished]


def events_for_pause(call: CallPart, pause: Pause) -> list[RunEvent]:
    """A proposal first: clients that know nothing of questions see what would be changed."""
    asked = PauseChanged(call_id=call.call_id, tool=call.tool, state=PauseState.WAITING, pause=pause)
    if not isinstance(pause, Proposal) or pause.file is None:
        return [asked]
    diff = unified_diff(pause.name, pause.before, pause.after)
    file = pause.file.model_dump()
    return [FileEditProposed(call_id=call.call_id, name=pause.name, diff=diff, **file), asked]


def events_for_plan(message: Message) -> list[RunEvent]:
    """A plan that was made, and the steps of one that were finished, each after its actions."""
    events: list[RunEvent] = [] if message.plan is None else [PlanMade(message_id=message.id, plan=message.plan)]
    for step in message.steps:
        events += [ActionRequested(action=action) for action in step.actions]
        events.append(StepFinished(**step.model_dump(include={"index", "intent", "status", "message", "private"})))
    return events
