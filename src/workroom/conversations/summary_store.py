"""All SQL of summaries: the memory of conversations that have become long."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from workroom.agent.summaries import Summary
from workroom.conversations.store import heard_by_all
from workroom.conversations.types import KeptSummary
from workroom.db import UnitOfWork


async def add(
    uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, user_id: UUID, summary: Summary, now: datetime
) -> None:
    """Two runs may sum up the same rounds at once, on two branches: one summary of them is enough. Of what was read for one
    person it is that person's."""
    await uow.execute(
        "insert into summaries (mandate_id, message_id, first_round, last_round, conversation_id, text, created_at, read_for)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing",
        mandate_id,
        summary.answer_id,
        summary.first,
        summary.last,
        conversation_id,
        summary.text,
        now,
        user_id if summary.private else None,
    )


async def of_conversation(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, user_id: UUID) -> list[Summary]:
    """Those for everybody, and those for this person that were made since the last reader joined."""
    rows = await uow.fetch(
        "select first_round as first, last_round as last, message_id as answer_id, text, read_for is not null as private"
        f" from summaries s where mandate_id = $1 and conversation_id = $2 and (read_for is null or read_for = $3 and"
        f" {heard_by_all('s.created_at')})",
        mandate_id,
        conversation_id,
        user_id,
    )
    return [Summary(**row) for row in rows]


async def kept(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, user_id: UUID | None) -> list[KeptSummary]:
    """As they may be shown to this person, in the order of what they tell."""
    rows = await uow.fetch(
        "select message_id, first_round as first, last_round as last, text, created_at from summaries"
        " where mandate_id = $1 and conversation_id = $2 and (read_for is null or read_for = $3)"
        " order by first_round, last_round, created_at",
        mandate_id,
        conversation_id,
        user_id,
    )
    return [KeptSummary(**row) for row in rows]


async def forget(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, message_id: UUID | None = None) -> int:
    """All of them; or those that end with an answer and those that tell of the same rounds, because they were made of them.
    Answers how many there were."""
    return await uow.execute(
        "delete from summaries s where mandate_id = $1 and conversation_id = $2 and ($3::uuid is null or exists ("
        " select from summaries f where f.mandate_id = $1 and f.conversation_id = $2 and f.message_id = $3"
        " and s.first_round <= f.first_round and s.last_round >= f.last_round))",
        mandate_id,
        conversation_id,
        message_id,
    )
