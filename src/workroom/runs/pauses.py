"""Ends the waiting of a run: the person answers its question, once, or sets it aside. In the caller's transaction, without a
lease: no worker has a run that waits."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from workroom.agent.pause_answers import require_fitting
from workroom.core.clock import now
from workroom.core.errors import Conflict
from workroom.core.pauses import Choice, PauseAnswer, PauseState
from workroom.core.results import ToolResult
from workroom.core.run_events import PauseChanged, RunEvent, RunState, StatusChanged, Stopped, ToolFinished
from workroom.db import UnitOfWork
from workroom.runs import call_store, fenced_store, store
from workroom.runs.jobs import RUN_JOB
from workroom.runs.types import Run, RunKey

LONGEST_CHOICE = timedelta(days=30)  # what could be chosen then may not be there any more
EXPIRED = "This choice was offered more than 30 days ago and has expired. Ask again."
SET_ASIDE = "The user did not answer this and went on with something else. It was not done."


async def answer(uow: UnitOfWork, key: RunKey, call_id: UUID, given: PauseAnswer, client_id: str | None = None) -> None:
    """Store the answer, tell of it and wake a worker. An answer that does not fit leaves the question standing."""
    waiting = await call_store.paused_call(uow, key, call_id)
    if waiting is None or waiting.state != "waiting":
        raise Conflict("Nobody is asked about this (any more).", code="pauseConsumed")
    require_fitting(waiting.pause, given)
    await call_store.answer(uow, key, call_id, given, client_id, now())
    answered = _changed(waiting, PauseState.ANSWERED, given)
    if not await fenced_store.resume_run(uow, key, [answered, StatusChanged(state=RunState.RUNNING)]):
        raise Conflict("This run does not wait any more.", code="pauseConsumed")
    await uow.wake(RUN_JOB)


async def has_expired(uow: UnitOfWork, key: RunKey, call_id: UUID) -> bool:
    """Whether it was offered so long ago that it is not to be chosen any more."""
    waiting = await call_store.paused_call(uow, key, call_id)
    if waiting is None or not isinstance(waiting.pause, Choice) or waiting.asked_at is None:
        return False
    return waiting.state == "waiting" and now() - waiting.asked_at > LONGEST_CHOICE


async def end(uow: UnitOfWork, mandate_id: UUID, run: Run) -> None:
    """End a run that waits, for its turn or for a person, as stopped. One that is over stays as it is."""
    key, at = RunKey(mandate_id, run.id), now()
    events: list[RunEvent] = []
    if (waiting := await call_store.paused_call(uow, key)) is not None:
        result = ToolResult.error(SET_ASIDE, dismissed=True)
        await call_store.finish(uow, key, waiting.call_id, result, 0)
        events.append(_changed(waiting, PauseState.DISMISSED))
        events.append(ToolFinished(call_id=waiting.call_id, tool=waiting.tool, result=result, duration_ms=0))
    events += [run.summary(RunState.STOPPED, at), Stopped()]
    ended = await fenced_store.end_waiting_run(uow, key, events, ended_at=at)
    if ended and await store.next_waiting(uow, mandate_id, run.conversation_id) is not None:
        await uow.wake(RUN_JOB)


def _changed(waiting: call_store.PausedCall, state: PauseState, given: PauseAnswer | None = None) -> PauseChanged:
    return PauseChanged(call_id=waiting.call_id, tool=waiting.tool, state=state, pause=waiting.pause, answer=given)
