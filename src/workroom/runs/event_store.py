"""All SQL of what runs say. Numbers are reserved under the fence: gapless, and never by somebody whose lease is gone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from workroom.agent.ports import LeaseLost
from workroom.core.actors import SystemActor
from workroom.core.run_events import RunEvent, StatusChanged
from workroom.db import Database, UnitOfWork
from workroom.db.channels import EVENTS
from workroom.runs.types import RunKey, StoredEvent, Waiting

Words = Sequence[tuple[int, RunEvent]]  # with the attempt each belongs to


def _tell(changes: str, condition: str) -> str:
    """Row changed, numbers reserved, events stored, whoever tails told: one statement, one way to the database.

    $1 mandate, $2 run, $3 attempts, $4 events; `changes` continues the SET list, its arguments begin at $5.
    """
    return f"""
with told as (
    update runs set event_seq = event_seq + cardinality($4::text[]){changes}
    where mandate_id = $1 and run_id = $2 and {condition}
    returning user_id, event_seq - cardinality($4::text[]) as before, event_seq as last
), stored as (
    insert into run_events (mandate_id, run_id, seq, attempt, event)
    select $1, $2, told.before + e.place, e.attempt, e.event::jsonb
    from told, unnest($3::int[], $4::text[]) with ordinality as e (attempt, event, place)
)
select case when last > before then
    pg_notify('{EVENTS}', format('%s:%s-%s:%s:%s', $2::uuid, before + 1, last, $1::uuid, user_id)) end
from told"""


TELL_MANY = f"""
with wanted as (
    select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $9::int[]) as w (mandate_id, run_id, epoch, events, place)
), locked as ( -- always in one order: who else changes many runs at once must not wait for us in a circle
    -- nor who stores what belongs to a run, and holds its key while a purse is busy: `no key`
    select r.mandate_id, r.run_id from runs r join wanted w using (mandate_id, run_id)
    where r.epoch = w.epoch and case when w.place is null then r.state = 'running'
        else r.state in ('queued', 'running') and r.place is distinct from w.place end -- somebody else may have told it
    order by r.run_id for no key update of r
), told as (
    update runs r set event_seq = r.event_seq + w.events, place = coalesce(w.place, r.place)
    from wanted w join locked using (mandate_id, run_id)
    where r.mandate_id = w.mandate_id and r.run_id = w.run_id
    returning r.mandate_id, r.run_id, r.user_id, r.event_seq - w.events as before, r.event_seq as last
), stored as (
    insert into run_events (mandate_id, run_id, seq, attempt, event)
    select t.mandate_id, t.run_id, t.before + e.place, e.attempt, e.event::jsonb
    from told t join unnest($5::uuid[], $6::int[], $7::int[], $8::text[]) as e (run_id, place, attempt, event) using (run_id)
), hints as (
    select run_id, format('%s:%s-%s:%s:%s', run_id, before + 1, last, mandate_id, user_id) as hint,
        (row_number() over () - 1) / 50 as page -- a notification holds less than 8,000 bytes
    from told
)
select array_agg(run_id) as held, pg_notify('{EVENTS}', string_agg(hint, ',')) from hints group by page"""


async def tell(uow: UnitOfWork, key: RunKey, epoch: int, said: Words, changes: str = "", *args: Any) -> None:
    """The last statement of every write: proves the lease, or nothing of the transaction stays."""
    sql = _tell(changes, f"epoch = ${5 + len(args)} and state = 'running'")
    if not await uow.fetch(sql, key.mandate_id, key.run_id, *_arrays(said), *args, epoch, writes=True):
        raise LeaseLost


async def tell_many(db: Database, said: Sequence[tuple[RunKey, int, Words]]) -> set[UUID]:
    """What many runs said, each under its epoch. Answers those whose lease still held; of others nothing is stored."""
    return await _tell_many(db, said, [None] * len(said))


async def tell_places(db: Database, waiting: Sequence[Waiting]) -> None:
    """Where runs stand in the queue, as long as nobody has taken them since."""
    said = [(one.key, one.epoch, [(one.attempt, StatusChanged(state=one.state, place=one.place))]) for one in waiting]
    await _tell_many(db, said, [one.place for one in waiting])


async def _tell_many(
    db: Database, said: Sequence[tuple[RunKey, int, Words]], places: Sequence[int | None]
) -> set[UUID]:
    words = [(key.run_id, place, *word) for key, _, all_ in said for place, word in enumerate(all_, start=1)]
    rows = await db.at_once(
        SystemActor.STREAM,
        TELL_MANY,
        [key.mandate_id for key, _, _ in said],
        [key.run_id for key, _, _ in said],
        [epoch for _, epoch, _ in said],
        [len(all_) for _, _, all_ in said],
        [run_id for run_id, _, _, _ in words],
        [place for _, place, _, _ in words],
        [attempt for _, _, attempt, _ in words],
        [event.model_dump_json() for _, _, _, event in words],
        places,
    )
    return {run_id for row in rows for run_id in row["held"]}


async def without_lease(uow: UnitOfWork, key: RunKey, said: Sequence[RunEvent], changes: str, *args: Any) -> bool:
    """For a run that is nobody's because it waits: change its row and say so. Whoever held it before cannot write any
    more. `changes` continues the SET list, its arguments begin at $5. False when it does not wait (any more)."""
    attempt = await uow.fetchval(
        "select attempts from runs where mandate_id = $1 and run_id = $2 and state in ('queued', 'paused') for update",
        key.mandate_id,
        key.run_id,
        writes=True,
    )
    if attempt is None:
        return False
    sql = _tell(f", epoch = epoch + 1{changes}", "state in ('queued', 'paused')")
    words = [(attempt, event) for event in said]
    return bool(await uow.fetch(sql, key.mandate_id, key.run_id, *_arrays(words), *args, writes=True))


def _arrays(said: Words) -> tuple[list[int], list[str]]:
    return [attempt for attempt, _ in said], [event.model_dump_json() for _, event in said]


async def events_after(uow: UnitOfWork, key: RunKey, seq: int, limit: int) -> list[StoredEvent]:
    rows = await uow.fetch(
        "select seq, attempt, event from run_events where mandate_id = $1 and run_id = $2 and seq > $3 order by seq limit $4",
        key.mandate_id,
        key.run_id,
        seq,
        limit,
    )
    return [StoredEvent(key.run_id, row["seq"], row["attempt"], row["event"]) for row in rows]


async def chunks(uow: UnitOfWork, key: RunKey) -> list[StoredEvent]:
    rows = await uow.fetch(
        "select seq, attempt, event from run_events where mandate_id = $1 and run_id = $2 and event->>'type' = 'chunk'"
        " order by seq",
        key.mandate_id,
        key.run_id,
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


async def events_of_many(db: Database, wanted: Sequence[tuple[RunKey, int]]) -> dict[UUID, list[StoredEvent]]:
    """As the streaming actor: what each run said after a number, by run."""
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
    found: dict[UUID, list[StoredEvent]] = {}
    for run_id, *said in rows:
        found.setdefault(run_id, []).append(StoredEvent(run_id, *said))
    return found
