"""All SQL of memories: facts of one person in one conversation. There are at most `MOST` of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from workroom.agent.entities.types import Entity, EntityKey, EntitySource
from workroom.conversations.store import heard_by_all
from workroom.conversations.types import Memory
from workroom.core.ids import new_id
from workroom.db import UnitOfWork

MOST = 200  # half of them seen most often, the others most recently

KEEP = """
delete from memories where mandate_id = $1 and memory_id in (
    select memory_id from (
        select memory_id, often, row_number() over (partition by often <= $4 order by updated_at desc, memory_id desc) as newest
        from (
            select memory_id, updated_at, row_number() over (order by times desc, updated_at desc, memory_id desc) as often
            from memories where mandate_id = $1 and conversation_id = $2 and user_id = $3
        ) counted
    ) ranked where often > $4 and newest > $4
)"""


@dataclass(frozen=True)
class MemoryOwner:
    """Facts belong to a conversation and to the person they were found for."""

    mandate_id: UUID
    conversation_id: UUID
    instance_id: UUID
    user_id: UUID


async def note(uow: UnitOfWork, whose: MemoryOwner, call_id: UUID, entities: Sequence[Entity], now: datetime) -> None:
    """Stores what stood in one result; called once per call. A fact that is known already is counted once more."""
    if not entities:
        return
    once = list({(entity.key, entity.normalised): entity for entity in reversed(entities)}.values())[::-1]
    await uow.execute(
        "insert into memories (mandate_id, memory_id, conversation_id, instance_id, user_id, key, value, normalised, source,"
        " call_id, created_at, updated_at)"
        " select $1, f.id, $2, $3, $4, f.key, f.value, f.normalised, f.source, $5, $6, $6"
        " from unnest($7::uuid[], $8::text[], $9::text[], $10::text[], $11::text[]) as f (id, key, value, normalised, source)"
        # Always in one order: two runs that note the same facts must not wait for each other in a circle.
        " order by f.key, f.normalised"
        " on conflict (mandate_id, conversation_id, user_id, key, normalised) do update set times = memories.times + 1,"
        " value = excluded.value, call_id = excluded.call_id, updated_at = excluded.updated_at",
        whose.mandate_id,
        whose.conversation_id,
        whose.instance_id,
        whose.user_id,
        call_id,
        now,
        [new_id() for _ in once],
        [entity.key for entity in once],
        [entity.value for entity in once],
        [entity.normalised for entity in once],
        [entity.source for entity in once],
    )
    await uow.execute(KEEP, whose.mandate_id, whose.conversation_id, whose.user_id, MOST // 2)


async def of_person(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, user_id: UUID) -> list[Memory]:
    """Newest first; within one result as they were found."""
    rows = await uow.fetch(
        "select memory_id as id, key, value, source, times, created_at, updated_at, call_id from memories"
        " where mandate_id = $1 and conversation_id = $2 and user_id = $3 order by updated_at desc, memory_id",
        mandate_id,
        conversation_id,
        user_id,
    )
    return [Memory(**{**row, "key": EntityKey(row["key"]), "source": EntitySource(row["source"])}) for row in rows]


async def known(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, user_id: UUID) -> list[Entity]:
    """As a run needs them, if they were found since the last reader joined; newest first."""
    rows = await uow.fetch(
        "select key, value, normalised, source from memories m where mandate_id = $1 and conversation_id = $2 and user_id = $3"
        f" and {heard_by_all('m.updated_at')} order by updated_at desc, memory_id",
        mandate_id,
        conversation_id,
        user_id,
    )
    return [Entity(EntityKey(r["key"]), r["value"], r["normalised"], EntitySource(r["source"])) for r in rows]


async def forget(
    uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, user_id: UUID, memory_id: UUID | None = None
) -> int:
    """One of them, or all; answers how many there were."""
    return await uow.execute(
        "delete from memories where mandate_id = $1 and conversation_id = $2 and user_id = $3"
        " and ($4::uuid is null or memory_id = $4)",
        mandate_id,
        conversation_id,
        user_id,
        memory_id,
    )
