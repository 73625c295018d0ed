"""All SQL that changes a run and tells of it: the row, the numbers of its events, the events and the notification of their
readers in one statement.

While a worker has the run, such a statement is the last of its transaction and proves the lease: LeaseLost, and nothing of the
transaction stays, when another worker has taken over. A run that waits, for its turn or for a person, has no lease; what ends its
waiting raises the epoch, so that no worker that had it before can write any more.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.agent.ports import Ending, LeaseLost
from workroom.core.errors import WorkroomError
from workroom.core.run_events import RunEvent, RunState
from workroom.db import UnitOfWork
from workroom.db.channels import EVENTS
from workroom.runs.failure_details import failure_details
from workroom.runs.types import AttemptEvents, Fence, RunKey

HELD = "epoch = $5 and state = 'running'"
WAITS = "state in ('queued', 'paused')"


def _statement(condition: str, *changes: str) -> str:
    """$1 mandate, $2 run, $3 attempts, $4 events; with a lease $5 is its epoch."""
    return f"""
with changed as (
    update runs set {", ".join(["event_seq = event_seq + cardinality($4::text[])", *changes])}
    where mandate_id = $1 and run_id = $2 and {condition}
    returning user_id, event_seq - cardinality($4::text[]) as before, event_seq as last
), stored as (
    insert into run_events (mandate_id, run_id, seq, attempt, event)
    select $1, $2, changed.before + e.place, e.attempt, e.event::jsonb
    from changed, unnest($3::int[], $4::text[]) with ordinality as e (attempt, event, place)
)
select case when last > before then
    pg_notify('{EVENTS}', format('%s:%s-%s:%s:%s', $2::uuid, before + 1, last, $1::uuid, user_id)) end
from changed"""


APPEND_EVENTS = _statement(HELD)
COUNT_ATTEMPT = _statement(HELD, "attempts = attempts + 1")
BEGIN_ENDING = _statement(HELD, "ending = $6")
RECORD_ANSWER = _statement(
    HELD,
    "last_message_id = $6",
    "rounds = rounds + $7",
    "tool_calls = tool_calls + $8",
    "model = coalesce($9, model)",
)
PAUSE_RUN = _statement(HELD, "state = 'paused'", "lease_holder = null")
FINISH_RUN = _statement(
    HELD, "state = $6", "ended_at = $7", "lease_holder = null", "error = $8", "error_code = $9", "error_details = $10"
)
# Without a holder, not `queued`: the run keeps its place as the one live run of the conversation.
RESUME_RUN = _statement(
    WAITS, "epoch = epoch + 1", "state = 'running'", "lease_holder = null", "not_before = clock_timestamp()"
)
END_WAITING_RUN = _statement(
    WAITS, "epoch = epoch + 1", "state = 'stopped'", "stop_requested = true", "ended_at = $5", "place = null"
)


async def append_events(uow: UnitOfWork, fence: Fence, events: AttemptEvents) -> None:
    await write_under_lease(uow, fence, APPEND_EVENTS, events)


async def count_attempt(uow: UnitOfWork, fence: Fence, events: AttemptEvents) -> None:
    """A model call begins."""
    await write_under_lease(uow, fence, COUNT_ATTEMPT, events)


async def begin_ending(uow: UnitOfWork, fence: Fence, events: AttemptEvents, *, ending: Ending) -> None:
    """A limit is reached: from here on the run only sums up."""
    await write_under_lease(uow, fence, BEGIN_ENDING, events, ending)


async def record_answer(
    uow: UnitOfWork,
    fence: Fence,
    events: AttemptEvents,
    *,
    message_id: UUID,
    rounds: int,
    tool_calls: int,
    model: str | None,
) -> None:
    """The message is the newest of the run; `rounds` and `tool_calls` are added to what there is. `model`: None leaves the name
    of the model that answered last."""
    await write_under_lease(uow, fence, RECORD_ANSWER, events, message_id, rounds, tool_calls, model)


async def pause_run(uow: UnitOfWork, fence: Fence, events: AttemptEvents) -> None:
    """The run waits for a person, and has no lease from here on."""
    await write_under_lease(uow, fence, PAUSE_RUN, events)


async def finish_run(
    uow: UnitOfWork,
    fence: Fence,
    events: AttemptEvents,
    *,
    state: RunState,
    ended_at: datetime,
    error: WorkroomError | None = None,
) -> None:
    message, code = (error.message, error.code) if error else (None, None)
    details = json.dumps(failure_details(error)) if error else None
    await write_under_lease(uow, fence, FINISH_RUN, events, state, ended_at, message, code, details)


async def resume_run(uow: UnitOfWork, key: RunKey, events: Sequence[RunEvent]) -> bool:
    """The person has answered: the next worker may take it at once. False when the run does not wait (any more)."""
    return await _write_without_lease(uow, key, RESUME_RUN, events)


async def end_waiting_run(uow: UnitOfWork, key: RunKey, events: Sequence[RunEvent], *, ended_at: datetime) -> bool:
    """End as stopped. False when the run does not wait (any more)."""
    return await _write_without_lease(uow, key, END_WAITING_RUN, events, ended_at)


async def write_under_lease(uow: UnitOfWork, fence: Fence, sql: str, events: AttemptEvents, *args: Any) -> None:
    key = fence.key
    if not await uow.fetch(sql, key.mandate_id, key.run_id, *_arrays(events), fence.epoch, *args, writes=True):
        raise LeaseLost


async def _write_without_lease(uow: UnitOfWork, key: RunKey, sql: str, events: Sequence[RunEvent], *args: Any) -> bool:
    attempt = await uow.fetchval(
        f"select attempts from runs where mandate_id = $1 and run_id = $2 and {WAITS} for update",
        key.mandate_id,
        key.run_id,
        writes=True,
    )
    if attempt is None:
        return False
    arrays = _arrays([(attempt, event) for event in events])
    return bool(await uow.fetch(sql, key.mandate_id, key.run_id, *arrays, *args, writes=True))


def _arrays(events: AttemptEvents) -> tuple[list[int], list[str]]:
    return [attempt for attempt, _ in events], [event.model_dump_json() for _, event in events]
