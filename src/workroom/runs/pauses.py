"""Runs that wait: a person answers, once, or sets the question aside. In the caller's transaction, without a lease: a
waiting run is nobody's."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from workroom.agent.answers import require_fitting
from workroom.core.clock import now
from workroom.core.errors import Conflict
from workroom.core.pauses import Choice, PauseAnswer, PauseState
from workroom.core.results import ToolResult
from workroom.core.run_events import PauseChanged, RunEvent, RunState, StatusChanged, Stopped, ToolFinished
from workroom.db import UnitOfWork
from workroom.runs import call_store, event_store, store
from workroom.runs.jobs import RUN_JOB
from workroom.runs.types import Run, RunKey

LONGEST_CHOICE = timedelta(days=30)  # what could be chosen then may not be there any more
EXPIRED = "This choice was offered more than 30 days ago and has expired. Ask again."
SET_ASIDE = "The user did not answer this and went on with something else. It was not done."


async def answer(uow: UnitOfWork, key: RunKey, call_id: UUID, given: PauseAnswer, client_id: str | None = None) -> None:
    """Stored, told, and rung for. An answer that does not fit leaves the question standing."""
    waiting = await call_store.asked_about(uow, key, call_id)
    if waiting is None or waiting.state != "waiting":
        raise Conflict("Nobody is asked about this (any more).", code="pauseConsumed")
    require_fitting(waiting.pause, given)
    await call_store.answer(uow, key, call_id, given, client_id, now())
    told = _changed(waiting, PauseState.ANSWERED, given)
    # A lapsed lease, not `queued`: the run keeps its place as the one live run of the conversation.
    went_on = await event_store.without_lease(
        uow,
        key,
        [told, StatusChanged(state=RunState.RUNNING)],
        ", state = 'running', lease_holder = null, not_before = clock_timestamp()",
    )
    if not went_on:
        raise Conflict("This run does not wait any more.", code="pauseConsumed")
    await uow.wake(RUN_JOB)


async def has_expired(uow: UnitOfWork, key: RunKey, call_id: UUID) -> bool:
    """Whether it was offered so long ago that it is not to be chosen any more."""
    waiting = await call_store.asked_about(uow, key, call_id)
    if waiting is None or not isinstance(waiting.pause, Choice) or waiting.asked_at is None:
        return False
    return waiting.state == "waiting" and now() - waiting.asked_at > LONGEST_CHOICE


async def end(uow: UnitOfWork, mandate_id: UUID, run: Run) -> None:
    """End a run that waits, for its turn or for a person, as stopped. One that is over stays as it is."""
    key, at = RunKey(mandate_id, run.id), now()
    said: list[RunEvent] = []
    if (waiting := await call_store.asked_about(uow, key)) is not None:
        result = ToolResult.error(SET_ASIDE, dismissed=True)
        await call_store.finish(uow, key, waiting.call_id, result, 0)
        said.append(_changed(waiting, PauseState.DISMISSED))
        said.append(ToolFinished(call_id=waiting.call_id, tool=waiting.tool, result=result, duration_ms=0))
    said += [run.summary(RunState.STOPPED, at), Stopped()]
    ended = await event_store.without_lease(
        uow, key, said, ", state = 'stopped', stop_requested = true, ended_at = $5, place = null", at
    )
    if ended and await store.next_waiting(uow, mandate_id, run.conversation_id) is not None:
        await uow.wake(RUN_JOB)


def _changed(waiting: call_store.Waiting, state: PauseState, given: PauseAnswer | None = None) -> PauseChanged:
    return PauseChanged(call_id=waiting.call_id, tool=waiting.tool, state=state, pause=waiting.pause, answer=given)
