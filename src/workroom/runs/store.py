"""All SQL of runs. Every write names the epoch it was made under: zero rows means that the lease is gone (db/leases.py)."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from workroom.agent.planning.intents import Intent
from workroom.agent.ports import AgentSpec, Colleague, Ending, Strategy
from workroom.core.actors import SystemActor
from workroom.core.run_events import RunState
from workroom.db import Database, UnitOfWork, leases
from workroom.db.fairness import FAIR, NEXT
from workroom.models.ports import Forcing
from workroom.runs.types import Claim, QueuedRun, Run, RunKey, Speaker

LATELY = "interval '10 minutes'"
RELEASED = "lease_holder = null, not_before = clock_timestamp()"  # from then on it waits
COLUMNS = """
run_id as id, conversation_id, instance_id, user_id, message_id, state, rounds, tool_calls, input_tokens, output_tokens,
error, error_code, error_details, ending, model, cost_chf, cost_assumed, created_at, started_at, ended_at, switch_seq,
(agent->>'id')::uuid as agent_id, coalesce(agent->>'name', '') as agent_name, place"""


def _queue(claimant: str | None = None) -> str:
    """What waits for a slot: the oldest waiting run of a conversation with none live, and runs that no worker has any more or
    that go on after a pause."""
    return f"""
with waiting as (
    select mandate_id, user_id, run_id, epoch, created_at as since from runs r
    where state = 'running' and {leases.free("r", claimant)} or state = 'queued' and not exists (
        select from runs o where o.mandate_id = r.mandate_id and o.conversation_id = r.conversation_id
        and (o.state in ('running', 'paused') or o.state = 'queued' and (o.created_at, o.run_id) < (r.created_at, r.run_id)))
), busy as (
    select mandate_id, user_id from runs where state = 'running' and {leases.held()}
), {FAIR}"""


# A run whose workers die one soon after the other is taken over later and later.
CLAIM = f"""{_queue("$4")}, chosen as (
    select r.mandate_id, r.run_id, case when r.state = 'queued' or r.lease_holder is null then 0
        when r.not_before < clock_timestamp() - {LATELY} then 1 else r.takeovers + 1 end as takeovers
    from runs r join fair f on f.mandate_id = r.mandate_id and f.run_id = r.run_id
    where f.person_turn <= $2 and ($3::uuid is null or r.run_id = $3)
        and r.epoch = f.epoch and r.state in ('queued', 'running') -- still, now that it is locked
    order by {NEXT} limit $1 for no key update of r skip locked
)
update runs r set {leases.claimed("$4", "c.takeovers", "r", epoch="epoch")}, takeovers = c.takeovers, state = 'running',
    started_at = coalesce(started_at, now()), place = null
from chosen c where r.mandate_id = c.mandate_id and r.run_id = c.run_id
returning r.mandate_id, r.run_id, epoch, conversation_id, instance_id, user_id, message_id, last_message_id, agent, rounds,
    attempts, ending, stop_requested, switch_seq"""
# Those who wait longer than a moment, as far ahead as a number means something: thousands behind them are not told every move.
MOVED = f"""{_queue()}
select r.mandate_id, r.run_id, r.epoch, r.attempts, r.state, f.place
from runs r join fair f on f.mandate_id = r.mandate_id and f.run_id = r.run_id
where f.place <= 100 and f.place is distinct from r.place
    and greatest(f.since, r.not_before) < clock_timestamp() - interval '2 seconds'"""


async def insert(uow: UnitOfWork, key: RunKey, run: Run, agent: AgentSpec, after: UUID | None = None) -> None:
    """`after`: the message its answer follows, when that is not the question itself."""
    await uow.execute(
        "insert into runs (mandate_id, run_id, conversation_id, instance_id, user_id, message_id, last_message_id, state,"
        " agent, created_at, switch_seq) values ($1, $2, $3, $4, $5, $6, $11, $7, $8, $9, $10)",
        key.mandate_id,
        key.run_id,
        run.conversation_id,
        run.instance_id,
        run.user_id,
        run.message_id,
        run.state,
        agent_to_json(agent),
        run.created_at,
        run.switch_seq,
        after or run.message_id,
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


async def agent_of(uow: UnitOfWork, key: RunKey) -> AgentSpec | None:
    """As it was pinned when the run was asked for."""
    stored = await uow.fetchval(
        "select agent from runs where mandate_id = $1 and run_id = $2", key.mandate_id, key.run_id
    )
    return agent_from_json(stored) if stored else None


async def agent_of_message(uow: UnitOfWork, mandate_id: UUID, message_id: UUID) -> AgentSpec | None:
    """The agent that answered it last."""
    stored = await uow.fetchval(
        "select agent from runs where mandate_id = $1 and message_id = $2 order by created_at desc limit 1",
        mandate_id,
        message_id,
    )
    return agent_from_json(stored) if stored else None


async def speakers(uow: UnitOfWork, mandate_id: UUID, run_ids: Sequence[UUID]) -> dict[UUID, Speaker]:
    """By run: the agent that answered in it."""
    rows = await uow.fetch(
        "select run_id, (agent->>'id')::uuid as agent_id, coalesce(agent->>'name', '') as name, switch_seq from runs"
        " where mandate_id = $1 and run_id = any($2)",
        mandate_id,
        run_ids,
    )
    return {row["run_id"]: Speaker(row["agent_id"], row["name"], row["switch_seq"]) for row in rows}


async def asked_by(uow: UnitOfWork, mandate_id: UUID, run_ids: Collection[UUID]) -> dict[UUID, UUID]:
    """By run: the person it answers."""
    rows = await uow.fetch(
        "select run_id, user_id from runs where mandate_id = $1 and run_id = any($2)", mandate_id, list(set(run_ids))
    )
    return {row["run_id"]: row["user_id"] for row in rows}


async def of_conversation(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID) -> list[Run]:
    rows = await uow.fetch(
        f"select {COLUMNS} from runs where mandate_id = $1 and conversation_id = $2 order by created_at, run_id",
        mandate_id,
        conversation_id,
    )
    return [run_of(row) for row in rows]


async def claim(db: Database, most: int, per_person: int, *, only: UUID | None = None) -> list[Claim]:
    """Claim up to `most` runs that wait, in fair order, in one statement. `only`: that run, if it is its turn."""
    rows = await db.at_once(SystemActor.SWEEP, CLAIM, most, per_person, only, await db.worker_id())
    return [_claim_of(dict(row)) for row in rows]


async def moved_in_queue(db: Database) -> list[QueuedRun]:
    """Runs that have waited for a while and are not at the place that was told last."""
    rows = await db.at_once(SystemActor.SWEEP, MOVED)
    return [
        QueuedRun(
            RunKey(row["mandate_id"], row["run_id"]),
            row["epoch"],
            row["attempts"],
            RunState(row["state"]),
            row["place"],
        )
        for row in rows
    ]


async def without_write_access(db: Database, claims: Sequence[Claim]) -> dict[UUID, bool]:
    """Runs whose person may not write in their conversation any more, each with whether it was deleted: else its owner has taken
    that right back."""
    rows = await db.at_once(
        SystemActor.SWEEP,
        "select r.run_id, c.deleted_at is not null as deleted from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[])"
        " as r (run_id, mandate_id, conversation_id, user_id)"
        " join conversations c on c.mandate_id = r.mandate_id and c.conversation_id = r.conversation_id"
        " where c.deleted_at is not null or c.owner_id <> r.user_id and not (c.visibility = 'GROUP' and c.group_writes)"
        " and not exists (select from conversation_grants g where g.mandate_id = c.mandate_id"
        " and g.conversation_id = c.conversation_id and g.user_id = r.user_id and g.may_write)",
        [claim.key.run_id for claim in claims],
        [claim.key.mandate_id for claim in claims],
        [claim.conversation_id for claim in claims],
        [claim.user_id for claim in claims],
    )
    return {row["run_id"]: row["deleted"] for row in rows}


async def still_held(db: Database, leased: Sequence[tuple[RunKey, int]]) -> dict[UUID, bool]:
    """Of runs with the epoch they were claimed under, those that are still ours, each with whether it was asked to stop."""
    rows = await db.at_once(
        SystemActor.STREAM,
        "select r.run_id, r.stop_requested from unnest($1::uuid[], $2::uuid[], $3::int[]) as l (mandate_id, run_id, epoch)"
        " join runs r using (mandate_id, run_id) where r.epoch = l.epoch and r.state = 'running'",
        [key.mandate_id for key, _ in leased],
        [key.run_id for key, _ in leased],
        [epoch for _, epoch in leased],
    )
    return {row["run_id"]: row["stop_requested"] for row in rows}


async def release(uow: UnitOfWork, key: RunKey, epoch: int) -> bool:
    """Another worker may take it at once. False when it is not ours (any more)."""
    released = await uow.execute(
        f"update runs set {RELEASED} where mandate_id = $1 and run_id = $2 and epoch = $3 and state = 'running'"
        " and lease_holder is not null",
        key.mandate_id,
        key.run_id,
        epoch,
    )
    return released == 1


async def release_failed(uow: UnitOfWork, key: RunKey, epoch: int) -> None:
    """The same after its worker met an error: not before ten seconds have passed since it was claimed, or more when that happens
    again and again."""
    await uow.execute(
        f"update runs set {leases.FAILED} where mandate_id = $1 and run_id = $2 and epoch = $3 and state = 'running'",
        key.mandate_id,
        key.run_id,
        epoch,
    )


async def lock(uow: UnitOfWork, key: RunKey) -> None:
    """Locks the run's row, before deciding by its state."""
    await uow.execute("select from runs where mandate_id = $1 and run_id = $2 for update", key.mandate_id, key.run_id)


async def stop_was_requested(uow: UnitOfWork, key: RunKey) -> bool:
    return bool(
        await uow.fetchval(
            "select stop_requested from runs where mandate_id = $1 and run_id = $2 for update",
            key.mandate_id,
            key.run_id,
            writes=True,
        )
    )


async def request_stop(uow: UnitOfWork, key: RunKey) -> bool:
    """Ask the worker that has it. False when none has."""
    asked = await uow.execute(
        "update runs set stop_requested = true where mandate_id = $1 and run_id = $2 and state = 'running'",
        key.mandate_id,
        key.run_id,
    )
    return asked == 1


async def paused(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID) -> Run | None:
    """The run of the conversation that waits for a person."""
    row = await uow.fetchrow(
        f"select {COLUMNS} from runs where mandate_id = $1 and conversation_id = $2 and state = 'paused'",
        mandate_id,
        conversation_id,
    )
    return run_of(row) if row else None


async def to_compact(uow: UnitOfWork, ended_before: datetime, limit: int) -> list[RunKey]:
    """As the sweeping actor."""
    rows = await uow.fetch(
        "select mandate_id, run_id from runs where not compacted and ended_at < $1 order by ended_at limit $2",
        ended_before,
        limit,
    )
    return [RunKey(row["mandate_id"], row["run_id"]) for row in rows]


async def set_compacted(uow: UnitOfWork, key: RunKey) -> None:
    await uow.execute(
        "update runs set compacted = true where mandate_id = $1 and run_id = $2", key.mandate_id, key.run_id
    )


async def next_waiting(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID) -> UUID | None:
    value: UUID | None = await uow.fetchval(
        "select run_id from runs where mandate_id = $1 and conversation_id = $2 and state = 'queued'"
        " order by created_at, run_id limit 1",
        mandate_id,
        conversation_id,
    )
    return value


def _claim_of(row: dict[str, Any]) -> Claim:
    key = RunKey(row.pop("mandate_id"), row.pop("run_id"))
    ending = Ending(row["ending"]) if row["ending"] else None
    return Claim(key=key, **{**row, "agent": agent_from_json(row["agent"]), "ending": ending})


def run_of(row: Any) -> Run:
    details = json.loads(row["error_details"] or "{}")
    return Run(**{**row, "state": RunState(row["state"]), "error_details": details})


def agent_to_json(agent: AgentSpec) -> str:
    return json.dumps(
        {
            "version": 1,
            "id": None if agent.id is None else str(agent.id),
            "name": agent.name,
            "agentVersion": agent.version,
            "team": agent.team,
            "instructions": agent.instructions,
            "toolSets": sorted(agent.tool_sets),
            "toolNames": sorted(agent.tool_names),
            "within": sorted(agent.within),
            "trustedTools": sorted(agent.trusted_tools),
            "confirmUntrustedWrites": agent.confirm_untrusted_writes,
            "fileEdits": agent.file_edits,
            "strategy": agent.strategy,
            "intents": [intent.model_dump(mode="json") for intent in agent.intents],
            "forcing": agent.forcing,
            "temperature": agent.temperature,
            "maxRounds": agent.max_rounds,
            "language": agent.language,
            "model": agent.model,
            "prefers": agent.prefers,
            "operation": agent.operation,
            "maxCostChf": None if agent.max_cost_chf is None else str(agent.max_cost_chf),
            "returnToolRequests": agent.return_tool_requests,
            "remembers": agent.remembers,
            "asksForEntities": agent.asks_for_entities,
            "colleagues": [
                {"id": str(one.id), "key": one.key, "name": one.name, "description": one.description}
                for one in agent.colleagues
            ],
            "handed": [str(one) for one in agent.handed],
        }
    )


def agent_from_json(text: str) -> AgentSpec:
    """Fields missing in older rows get their former defaults."""
    stored = json.loads(text)
    return AgentSpec(
        instructions=stored["instructions"],
        id=UUID(stored["id"]) if stored.get("id") else None,
        name=stored.get("name", ""),
        version=stored.get("agentVersion", 0),
        team=stored.get("team", ""),
        tool_sets=frozenset(stored["toolSets"]),
        tool_names=frozenset(stored["toolNames"]),
        within=frozenset(stored.get("within", ())),
        trusted_tools=frozenset(stored["trustedTools"]),
        confirm_untrusted_writes=stored.get("confirmUntrustedWrites", True),
        file_edits=stored.get("fileEdits", "ask"),
        strategy=Strategy(stored.get("strategy", Strategy.REACT)),
        intents=tuple(Intent.model_validate(intent) for intent in stored.get("intents", ())),
        forcing=Forcing(stored["forcing"]),
        temperature=stored["temperature"],
        max_rounds=stored["maxRounds"],
        language=stored["language"],
        model=stored["model"],
        prefers=stored.get("prefers"),
        operation=stored["operation"],
        max_cost_chf=None if stored["maxCostChf"] is None else Decimal(stored["maxCostChf"]),
        return_tool_requests=stored["returnToolRequests"],
        remembers=stored.get("remembers", False),
        asks_for_entities=stored.get("asksForEntities", False),
        colleagues=tuple(
            Colleague(UUID(one["id"]), one["key"], one["name"], one["description"])
            for one in stored.get("colleagues", ())
        ),
        handed=tuple(UUID(one) for one in stored.get("handed", ())),
    )
