"""All SQL of summaries: the memory of conversations that have become long."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from workroom.agent.summaries import Summary
from workroom.db import UnitOfWork


async def add(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, summary: Summary, now: datetime) -> None:
    """Two runs may sum up the same rounds at once, on two branches: one summary of them is enough."""
    await uow.execute(
        "insert into summaries (mandate_id, message_id, first_round, last_round, conversation_id, text, created_at)"
        " values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing",
        mandate_id,
        summary.answer_id,
        summary.first,
        summary.last,
        conversation_id,
        summary.text,
        now,
    )


async def of_conversation(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID) -> list[Summary]:
    rows = await uow.fetch(
        "select first_round as first, last_round as last, message_id as answer_id, text from summaries"
        " where mandate_id = $1 and conversation_id = $2",
        mandate_id,
        conversation_id,
    )
    return [Summary(**row) for row in rows]
