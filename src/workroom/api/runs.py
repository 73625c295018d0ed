"""Runs: look, stop, and follow what they say."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse

from workroom.api.frame import sse
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.run_reader import RunReader
from workroom.api.run_streams import run_stream
from workroom.core.money import CHF
from workroom.core.pauses import PauseAnswer
from workroom.core.run_events import RunEvent, RunState
from workroom.core.wire import Wire
from workroom.runs.types import Run, StoredEvent

router = APIRouter(prefix="/api/runs", tags=["runs"])


class RunView(Wire):
    id: UUID
    workflow_id: UUID
    message_id: UUID
    state: RunState
    rounds: int
    tool_calls: int
    input_tokens: int
    output_tokens: int
    cost_chf: CHF
    cost_assumed: bool
    model: str
    ending: str | None
    error: str | None
    error_code: str | None
    error_details: dict[str, str]
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    agent_id: UUID | None
    agent_name: str
    place: int | None

    @classmethod
    def of(cls, run: Run) -> RunView:
        named = {name: getattr(run, name) for name in cls.model_fields if name != "workflow_id"}
        return cls(**named, workflow_id=run.conversation_id)


class NumberedEvent(Wire):
    """One event of a run, with its number: gapless from 1, so that a gap shows."""

    run_id: UUID
    seq: int
    attempt: int
    event: RunEvent

    @classmethod
    def of(cls, stored: StoredEvent) -> NumberedEvent:
        return cls(run_id=stored.run_id, seq=stored.seq, attempt=stored.attempt, event=stored.event)


def encode_event(stored: StoredEvent) -> bytes:
    """`NumberedEvent` as an event of the stream. What is stored is passed on as it is: reading it only to write it again would
    cost more than all the rest of its way."""
    head = f'"runId":"{stored.run_id}","seq":{stored.seq},"attempt":{stored.attempt}'
    return f'event: run\ndata: {{{head},"event":{stored.json}}}\n\n'.encode()


class AnswerInput(Wire):
    """`callId` is the call that asked; the kind of the answer is the kind of the question."""

    call_id: UUID
    answer: PauseAnswer


class RunLog(Wire):
    items: list[NumberedEvent]
    state: RunState


@router.get("/{runId}")
async def get_run(runId: UUID, principal: CurrentPrincipal, services: AppServices) -> RunView:
    return RunView.of(await services.runs.get(principal, runId))


@router.get("/{runId}/log")
async def get_log(
    runId: UUID, principal: CurrentPrincipal, services: AppServices, after: Annotated[int, Query(ge=0, le=2**62)] = 0
) -> RunLog:
    """What a run has said after a number, at most 500 events; ask again until nothing comes."""
    events, state = await services.runs.events(principal, runId, after)
    return RunLog(items=[NumberedEvent.of(event) for event in events], state=state)


@router.post("/{runId}/stop")
async def stop_run(runId: UUID, principal: CurrentPrincipal, services: AppServices) -> RunView:
    """What was said stays; a waiting run ends at once."""
    return RunView.of(await services.runs.stop(principal, runId))


@router.post("/{runId}/answer")
async def answer_run(runId: UUID, body: AnswerInput, principal: CurrentPrincipal, services: AppServices) -> RunView:
    """What a paused run waits for; taken once. It goes on at exactly the call that asked."""
    return RunView.of(await services.runs.answer(principal, runId, body.call_id, body.answer))


@router.get("/{runId}/events", response_class=StreamingResponse)
async def stream_run(
    runId: UUID, request: Request, principal: CurrentPrincipal, services: AppServices
) -> StreamingResponse:
    """Server-sent events from the first, or from after `Last-Event-ID`, until the run is over. An unknown id gets `reset`
    and everything from the beginning."""
    await services.runs.get(principal, runId)
    after = position(runId, request.headers.get("last-event-id"))
    events = run_stream(RunReader(request, principal, services, runId), after)
    return sse.EventStream(events, services.streams, principal.user_id)


def position(run_id: UUID, last_event_id: str | None) -> int | None:
    """The number in `{runId}:{attempt}.{seq}`; 0 without one, None when it is not an id of this run."""
    if not last_event_id:
        return 0
    run, _, rest = last_event_id.partition(":")
    seq = rest.partition(".")[2]
    return int(seq) if run == str(run_id) and seq.isdecimal() and len(seq) < 19 else None
