"""All SQL of runs. Every write names the epoch it was made under: zero rows means that the lease is gone.

Leases are measured by the database's clock alone, so that clocks of workers may be wrong.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.agent.ports import AgentSpec, CallState, LeaseLost
from workroom.core.messages import CallPart
from workroom.core.results import ToolResult
from workroom.core.run_events import RUN_EVENT, RunEvent, RunState
from workroom.core.tokens import Usage
from workroom.db import UnitOfWork
from workroom.db.channels import EVENTS
from workroom.models.ports import Forcing
from workroom.runs.types import Claim, Hint, Run, RunKey, StoredEvent

LEASE = "interval '10 seconds'"
COLUMNS = """
run_id as id, conversation_id, instance_id, user_id, message_id, state, rounds, tool_calls, input_tokens, output_tokens,
error, created_at, started_at, ended_at"""


async def insert(uow: UnitOfWork, key: RunKey, run: Run, agent: AgentSpec) -> None:
    await uow.execute(
        "insert into runs (mandate_id, run_id, conversation_id, instance_id, user_id, message_id, last_message_id, state,"
        " agent, created_at) values ($1, $2, $3, $4, $5, $6, $6, $7, $8, $9)",
        key.mandate_id,
        key.run_id,
        run.conversation_id,
        run.instance_id,
        run.user_id,
        run.message_id,
        run.state,
        agent_to_json(agent),
        run.created_at,
    )


async def get(uow: UnitOfWork, key: RunKey) -> Run | None:
    row = await uow.fetchrow(
        f"select {COLUMNS} from runs where mandate_id = $1 and run_id = $2", key.mandate_id, key.run_id
    )
    return run_of(row) if row else None


async def of_message(uow: UnitOfWork, mandate_id: UUID, message_id: UUID) -> Run | None:
    row = await uow.fetchrow(
        f"select {COLUMNS} from runs where mandate_id = $1 and message_id = $2 order by created_at limit 1",
        mandate_id,
        message_id,
    )
    return run_of(row) if row else None


async def of_conversation(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID) -> list[Run]:
    rows = await uow.fetch(
        f"select {COLUMNS} from runs where mandate_id = $1 and conversation_id = $2 order by created_at, run_id",
        mandate_id,
        conversation_id,
    )
    return [run_of(row) for row in rows]


async def claim(uow: UnitOfWork, key: RunKey) -> Claim | None:
    """Take the run if it waits, or if its lease has lapsed; only the oldest waiting one of a conversation with none live."""
    row = await uow.fetchrow(
        f"update runs r set epoch = epoch + 1, lease_until = clock_timestamp() + {LEASE}, state = 'running',"
        " started_at = coalesce(started_at, now()) where mandate_id = $1 and run_id = $2"
        " and (state = 'running' and lease_until < clock_timestamp() or state = 'queued' and not exists ("
        "  select from runs o where o.mandate_id = r.mandate_id and o.conversation_id = r.conversation_id"
        "  and (o.state in ('running', 'paused') or o.state = 'queued' and (o.created_at, o.run_id) < (r.created_at, r.run_id))"
        " )) returning epoch, conversation_id, instance_id, user_id, last_message_id, agent, rounds, attempts",
        key.mandate_id,
        key.run_id,
    )
    if row is None:
        return None
    return Claim(key=key, **{**row, "agent": agent_from_json(row["agent"])})


async def renew(uow: UnitOfWork, key: RunKey, epoch: int) -> bool:
    """Keep the lease; answers whether somebody asked the run to stop."""
    row = await uow.fetchrow(
        f"update runs set lease_until = clock_timestamp() + {LEASE} where mandate_id = $1 and run_id = $2 and epoch = $3"
        " and state = 'running' returning stop_requested",
        key.mandate_id,
        key.run_id,
        epoch,
    )
    if row is None:
        raise LeaseLost
    return bool(row["stop_requested"])


async def release(uow: UnitOfWork, key: RunKey, epoch: int) -> None:
    """A clean shutdown: the next worker need not wait for the lease to lapse."""
    await uow.execute(
        "update runs set lease_until = clock_timestamp() - interval '1 second' where mandate_id = $1 and run_id = $2"
        " and epoch = $3 and state = 'running'",
        key.mandate_id,
        key.run_id,
        epoch,
    )


async def fence(uow: UnitOfWork, key: RunKey, epoch: int, events: int, changes: str = "", *args: Any) -> int:
    """The first statement of every write: proves the lease, reserves numbers for events, changes the row.

    Answers the number before the first reserved one. `changes` continues the SET list, its arguments begin at $5.
    """
    row = await uow.fetchrow(
        f"update runs set event_seq = event_seq + $4{changes} where mandate_id = $1 and run_id = $2 and epoch = $3"
        " and state = 'running' returning event_seq - $4 as before",
        key.mandate_id,
        key.run_id,
        epoch,
        events,
        *args,
    )
    if row is None:
        raise LeaseLost
    return int(row["before"])


async def fence_many(uow: UnitOfWork, wanted: Sequence[tuple[RunKey, int, int]]) -> dict[UUID, int]:
    """The same for the events of many runs at once; runs whose lease is gone are missing from the answer."""
    rows = await uow.fetch(
        "update runs r set event_seq = r.event_seq + w.events"
        " from unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[]) as w (mandate_id, run_id, epoch, events)"
        " where r.mandate_id = w.mandate_id and r.run_id = w.run_id and r.epoch = w.epoch and r.state = 'running'"
        " returning r.run_id, r.event_seq - w.events as before",
        [key.mandate_id for key, _, _ in wanted],
        [key.run_id for key, _, _ in wanted],
        [epoch for _, epoch, _ in wanted],
        [events for _, _, events in wanted],
    )
    return {row["run_id"]: row["before"] for row in rows}


async def add_events(
    uow: UnitOfWork, rows: Sequence[tuple[UUID, UUID, int, int, str]], owners: Mapping[UUID, UUID]
) -> None:
    """(mandate, run, seq, attempt, event); and a hint for whoever tails, once per transaction."""
    if not rows:
        return
    await uow.executemany(
        "insert into run_events (mandate_id, run_id, seq, attempt, event) values ($1, $2, $3, $4, $5)", rows
    )
    numbers: dict[UUID, list[int]] = {}
    for _, run_id, seq, _, _ in rows:
        numbers.setdefault(run_id, []).append(seq)
    mandates = {run_id: mandate_id for mandate_id, run_id, _, _, _ in rows}
    hints = [
        Hint(RunKey(mandates[run_id], run_id), owners[run_id], min(seqs), max(seqs)).encode()
        for run_id, seqs in numbers.items()
    ]
    for start in range(0, len(hints), 50):  # a notification holds less than 8,000 bytes
        await uow.fetchval("select pg_notify($1, $2)", EVENTS, ",".join(hints[start : start + 50]))


async def events_after(uow: UnitOfWork, key: RunKey, seq: int, limit: int) -> list[StoredEvent]:
    rows = await uow.fetch(
        "select seq, attempt, event from run_events where mandate_id = $1 and run_id = $2 and seq > $3 order by seq limit $4",
        key.mandate_id,
        key.run_id,
        seq,
        limit,
    )
    return [StoredEvent(key.run_id, row["seq"], row["attempt"], RUN_EVENT.validate_json(row["event"])) for row in rows]


async def events_of_many(uow: UnitOfWork, wanted: Sequence[tuple[RunKey, int]]) -> dict[UUID, list[StoredEvent]]:
    """As the streaming actor: what each run said after a number, by run."""
    rows = await uow.fetch(
        "select e.run_id, e.seq, e.attempt, e.event"
        " from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as w (mandate_id, run_id, after)"
        " join run_events e on e.mandate_id = w.mandate_id and e.run_id = w.run_id and e.seq > w.after"
        " order by e.run_id, e.seq",
        [key.mandate_id for key, _ in wanted],
        [key.run_id for key, _ in wanted],
        [after for _, after in wanted],
    )
    found: dict[UUID, list[StoredEvent]] = {}
    for row in rows:
        event = StoredEvent(row["run_id"], row["seq"], row["attempt"], RUN_EVENT.validate_json(row["event"]))
        found.setdefault(row["run_id"], []).append(event)
    return found


async def add_calls(uow: UnitOfWork, key: RunKey, message_id: UUID, calls: Sequence[CallPart]) -> None:
    await uow.executemany(
        "insert into tool_calls (mandate_id, call_id, run_id, message_id, position, tool, state)"
        " values ($1, $2, $3, $4, $5, $6, 'asked')",
        [(key.mandate_id, c.call_id, key.run_id, message_id, place, c.tool) for place, c in enumerate(calls)],
    )


async def start_call(uow: UnitOfWork, key: RunKey, call_id: UUID) -> None:
    await uow.execute(
        "update tool_calls set state = 'started' where mandate_id = $1 and call_id = $2 and state = 'asked'",
        key.mandate_id,
        call_id,
    )


async def finish_call(uow: UnitOfWork, key: RunKey, call_id: UUID, result: ToolResult, duration_ms: int) -> None:
    done = await uow.execute(
        "update tool_calls set state = 'finished', result = $3, duration_ms = $4"
        " where mandate_id = $1 and call_id = $2 and state <> 'finished'",
        key.mandate_id,
        call_id,
        result.model_dump_json(),
        duration_ms,
    )
    if done != 1:
        raise LeaseLost  # somebody else has finished it


async def calls_of(
    uow: UnitOfWork, mandate_id: UUID, messages: Sequence[UUID]
) -> dict[UUID, tuple[CallState | None, Any]]:
    """By call id: the state of an open call, or None and the result of a finished one."""
    rows = await uow.fetch(
        "select call_id, state, result from tool_calls where mandate_id = $1 and message_id = any($2)",
        mandate_id,
        list(messages),
    )
    return {
        row["call_id"]: (None, ToolResult.model_validate_json(row["result"]))
        if row["state"] == "finished"
        else (CallState(row["state"]), None)
        for row in rows
    }


async def result_of_call(uow: UnitOfWork, mandate_id: UUID, call_id: UUID) -> tuple[UUID, ToolResult] | None:
    row = await uow.fetchrow(
        "select run_id, result from tool_calls where mandate_id = $1 and call_id = $2 and state = 'finished'",
        mandate_id,
        call_id,
    )
    return (row["run_id"], ToolResult.model_validate_json(row["result"])) if row else None


async def request_stop(uow: UnitOfWork, key: RunKey, now: datetime) -> RunState | None:
    """A waiting run ends here and now; a running one is asked. Answers the state it was in."""
    row = await uow.fetchrow(
        "select state from runs where mandate_id = $1 and run_id = $2 for update", key.mandate_id, key.run_id
    )
    if row is None:
        return None
    state = RunState(row["state"])
    if state is RunState.QUEUED:
        await uow.execute(
            "update runs set state = 'stopped', stop_requested = true, ended_at = $3 where mandate_id = $1 and run_id = $2",
            key.mandate_id,
            key.run_id,
            now,
        )
    elif state is RunState.RUNNING:
        await uow.execute(
            "update runs set stop_requested = true where mandate_id = $1 and run_id = $2", key.mandate_id, key.run_id
        )
    return state


async def left_behind(uow: UnitOfWork, limit: int) -> list[RunKey]:
    """As the sweeping actor: runs that wait although they could be worked on, or whose worker is gone."""
    rows = await uow.fetch(
        "select mandate_id, run_id from runs r where state = 'running' and lease_until < clock_timestamp()"
        " or state = 'queued' and created_at < clock_timestamp() - interval '2 seconds' and not exists ("
        " select from runs o where o.mandate_id = r.mandate_id and o.conversation_id = r.conversation_id"
        " and o.state in ('running', 'paused')) order by created_at limit $1",
        limit,
    )
    return [RunKey(row["mandate_id"], row["run_id"]) for row in rows]


async def next_waiting(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID) -> UUID | None:
    value: UUID | None = await uow.fetchval(
        "select run_id from runs where mandate_id = $1 and conversation_id = $2 and state = 'queued'"
        " order by created_at, run_id limit 1",
        mandate_id,
        conversation_id,
    )
    return value


async def used(uow: UnitOfWork, key: RunKey) -> tuple[Run, Usage]:
    run = await get(uow, key)
    assert run is not None
    return run, Usage(run.input_tokens, run.output_tokens)


def event_row(key: RunKey, seq: int, attempt: int, event: RunEvent) -> tuple[UUID, UUID, int, int, str]:
    return (key.mandate_id, key.run_id, seq, attempt, event.model_dump_json())


def run_of(row: Any) -> Run:
    return Run(**{**row, "state": RunState(row["state"])})


def agent_to_json(agent: AgentSpec) -> str:
    return json.dumps(
        {
            "version": 1,
            "instructions": agent.instructions,
            "toolSets": sorted(agent.tool_sets),
            "toolNames": sorted(agent.tool_names),
            "forcing": agent.forcing,
            "temperature": agent.temperature,
            "maxRounds": agent.max_rounds,
        }
    )


def agent_from_json(text: str) -> AgentSpec:
    stored = json.loads(text)
    return AgentSpec(
        instructions=stored["instructions"],
        tool_sets=frozenset(stored["toolSets"]),
        tool_names=frozenset(stored["toolNames"]),
        forcing=Forcing(stored["forcing"]),
        temperature=stored["temperature"],
        max_rounds=stored["maxRounds"],
    )
