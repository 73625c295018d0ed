"""All SQL of the events of runs, but for those that tell of a change of the run itself (`fenced_store.py`). Numbers are taken
under the fence: gapless, and never by a worker that has lost the lease."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.core.actors import SystemActor
from workroom.core.run_events import StatusChanged
from workroom.db import Database, UnitOfWork
from workroom.db.channels import EVENTS
from workroom.runs.types import AttemptEvents, Fence, QueuedRun, RunKey, StoredEvent

PIECES = ["chunk", "thought"]  # events that are pieces of a text
APPEND_MANY = f"""
with wanted as (
    select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $9::int[]) as w (mandate_id, run_id, epoch, events, place)
), locked as ( -- always in one order: transactions that change many runs at once must not wait for each other in a circle
    -- nor those that store what belongs to a run, and hold its key while a budget account is locked: `no key`
    select r.mandate_id, r.run_id from runs r join wanted w using (mandate_id, run_id)
    where r.epoch = w.epoch and case when w.place is null then r.state = 'running'
        else r.state in ('queued', 'running') and r.place is distinct from w.place end -- another worker may have told it
    order by r.run_id for no key update of r
), changed as (
    update runs r set event_seq = r.event_seq + w.events, place = coalesce(w.place, r.place)
    from wanted w join locked using (mandate_id, run_id)
    where r.mandate_id = w.mandate_id and r.run_id = w.run_id
    returning r.mandate_id, r.run_id, r.user_id, r.event_seq - w.events as before, r.event_seq as last
), stored as (
    insert into run_events (mandate_id, run_id, seq, attempt, event)
    select t.mandate_id, t.run_id, t.before + e.place, e.attempt, e.event::jsonb
    from changed t join unnest($5::uuid[], $6::int[], $7::int[], $8::text[]) as e (run_id, place, attempt, event) using (run_id)
), hints as (
    select run_id, format('%s:%s-%s:%s:%s', run_id, before + 1, last, mandate_id, user_id) as hint,
        (row_number() over () - 1) / 50 as page -- a notification holds less than 8,000 bytes
    from changed
)
select array_agg(run_id) as held, pg_notify('{EVENTS}', string_agg(hint, ',')) from hints group by page"""


async def append_many(db: Database, emitted: Sequence[tuple[Fence, AttemptEvents]]) -> set[UUID]:
    """The events of many runs, each under its fence. Returns the runs whose lease still held; of others nothing is stored."""
    return await _append_many(db, emitted, [None] * len(emitted))


async def append_places(db: Database, queued: Sequence[QueuedRun]) -> None:
    """Tell runs their place in the queue, as long as no worker has taken them since."""
    emitted: list[tuple[Fence, AttemptEvents]] = [
        (Fence(run.key, run.epoch), [(run.attempt, StatusChanged(state=run.state, place=run.place))]) for run in queued
    ]
    await _append_many(db, emitted, [run.place for run in queued])


async def _append_many(
    db: Database, emitted: Sequence[tuple[Fence, AttemptEvents]], places: Sequence[int | None]
) -> set[UUID]:
    rows = [
        (fence.key.run_id, number, attempt, event.model_dump_json())
        for fence, events in emitted
        for number, (attempt, event) in enumerate(events, start=1)
    ]
    held = await db.at_once(
        SystemActor.STREAM,
        APPEND_MANY,
        [fence.key.mandate_id for fence, _ in emitted],
        [fence.key.run_id for fence, _ in emitted],
        [fence.epoch for fence, _ in emitted],
        [len(events) for _, events in emitted],
        [run_id for run_id, _, _, _ in rows],
        [number for _, number, _, _ in rows],
        [attempt for _, _, attempt, _ in rows],
        [event for _, _, _, event in rows],
        places,
    )
    return {run_id for row in held for run_id in row["held"]}


async def events_after(uow: UnitOfWork, key: RunKey, seq: int, limit: int) -> list[StoredEvent]:
    rows = await uow.fetch(
        "select seq, attempt, event from run_events where mandate_id = $1 and run_id = $2 and seq > $3 order by seq limit $4",
        key.mandate_id,
        key.run_id,
        seq,
        limit,
    )
    return [StoredEvent(key.run_id, row["seq"], row["attempt"], row["event"]) for row in rows]


async def last_seq(uow: UnitOfWork, key: RunKey) -> int:
    sql = "select event_seq from runs where mandate_id = $1 and run_id = $2"
    return int(await uow.fetchval(sql, key.mandate_id, key.run_id))


async def chunks(uow: UnitOfWork, key: RunKey) -> list[StoredEvent]:
    rows = await uow.fetch(
        "select seq, attempt, event from run_events where mandate_id = $1 and run_id = $2 and event->>'type' = any($3)"
        " order by seq",
        key.mandate_id,
        key.run_id,
        PIECES,
    )
    return [StoredEvent(key.run_id, row["seq"], row["attempt"], row["event"]) for row in rows]


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
        by.json,
    )


async def streamed_text(uow: UnitOfWork, key: RunKey, attempt: int) -> str:
    """The text streamed in an attempt, thoughts included, as far as it is stored."""
    text: str | None = await uow.fetchval(
        "select string_agg(event->>'text', '' order by seq) from run_events where mandate_id = $1 and run_id = $2"
        " and attempt = $3 and event->>'type' = any($4)",
        key.mandate_id,
        key.run_id,
        attempt,
        PIECES,
    )
    return text or ""


async def events_of_many(db: Database, wanted: Sequence[tuple[RunKey, int]]) -> dict[UUID, list[StoredEvent]]:
    """As the streaming actor: the events of each run after a number, by run."""
    rows = await db.at_once(
        SystemActor.STREAM,
        "select e.run_id, e.seq, e.attempt, e.event"
        " from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as w (mandate_id, run_id, after)"
        " join run_events e on e.mandate_id = w.mandate_id and e.run_id = w.run_id and e.seq > w.after"
        " order by e.run_id, e.seq",
        [key.mandate_id for key, _ in wanted],
        [key.run_id for key, _ in wanted],
        [after for _, after in wanted],
    )
    events: dict[UUID, list[StoredEvent]] = {}
    for run_id, *stored in rows:
        events.setdefault(run_id, []).append(StoredEvent(run_id, *stored))
    return events
