"""All SQL of what runs say. Numbers are reserved under the fence: gapless, and never by somebody whose lease is gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from workroom.agent.ports import LeaseLost
from workroom.core.run_events import RUN_EVENT, RunEvent
from workroom.db import UnitOfWork
from workroom.db.channels import EVENTS
from workroom.runs.types import Hint, RunKey, StoredEvent

Row = tuple[UUID, UUID, int, int, str]  # mandate, run, number, attempt, event


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


async def without_lease(uow: UnitOfWork, key: RunKey, said: Sequence[RunEvent], changes: str, *args: Any) -> bool:
    """For a run that is nobody's because it waits: change its row and say so. Whoever held it before cannot write any
    more. `changes` continues the SET list, its arguments begin at $4. False when it does not wait (any more)."""
    row = await uow.fetchrow(
        f"update runs set epoch = epoch + 1, event_seq = event_seq + $3{changes} where mandate_id = $1 and run_id = $2"
        " and state in ('queued', 'paused') returning event_seq - $3 as before, attempts, user_id",
        key.mandate_id,
        key.run_id,
        len(said),
        *args,
    )
    if row is None:
        return False
    rows = [event_row(key, row["before"] + place, row["attempts"], event) for place, event in enumerate(said, start=1)]
    await add_events(uow, rows, {key.run_id: row["user_id"]})
    return True


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


async def add_events(uow: UnitOfWork, rows: Sequence[Row], owners: Mapping[UUID, UUID]) -> None:
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


async def chunks(uow: UnitOfWork, key: RunKey) -> list[StoredEvent]:
    rows = await uow.fetch(
        "select seq, attempt, event from run_events where mandate_id = $1 and run_id = $2 and event->>'type' = 'chunk'"
        " order by seq",
        key.mandate_id,
        key.run_id,
    )
    return [StoredEvent(key.run_id, row["seq"], row["attempt"], RUN_EVENT.validate_json(row["event"])) for row in rows]


async def replace(uow: UnitOfWork, key: RunKey, seqs: Sequence[int], by: StoredEvent) -> None:
    await uow.execute(
        "delete from run_events where mandate_id = $1 and run_id = $2 and seq = any($3)",
        key.mandate_id,
        key.run_id,
        list(seqs),
    )
    await uow.execute(
        "update run_events set event = $4 where mandate_id = $1 and run_id = $2 and seq = $3",
        key.mandate_id,
        key.run_id,
        by.seq,
        by.event.model_dump_json(),
    )


async def written(uow: UnitOfWork, key: RunKey, attempt: int) -> str:
    """The text streamed in an attempt, as far as it is stored."""
    text: str | None = await uow.fetchval(
        "select string_agg(event->>'text', '' order by seq) from run_events where mandate_id = $1 and run_id = $2"
        " and attempt = $3 and event->>'type' = 'chunk'",
        key.mandate_id,
        key.run_id,
        attempt,
    )
    return text or ""


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


def event_row(key: RunKey, seq: int, attempt: int, event: RunEvent) -> Row:
    return (key.mandate_id, key.run_id, seq, attempt, event.model_dump_json())
