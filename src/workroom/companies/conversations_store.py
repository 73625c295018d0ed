"""All SQL of which company a conversation is about."""

from __future__ import annotations

from uuid import UUID

from workroom.db import UnitOfWork


async def assign(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID, company_id: UUID) -> None:
    """It is about this company from now on, and about no other."""
    await uow.execute(
        "insert into company_conversations (mandate_id, conversation_id, company_id) values ($1, $2, $3)"
        " on conflict (mandate_id, conversation_id) do update set company_id = excluded.company_id",
        mandate_id,
        conversation_id,
        company_id,
    )


async def release(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID) -> None:
    await uow.execute(
        "delete from company_conversations where mandate_id = $1 and conversation_id = $2", mandate_id, conversation_id
    )


async def company_of(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID) -> UUID | None:
    company_id: UUID | None = await uow.fetchval(
        "select company_id from company_conversations where mandate_id = $1 and conversation_id = $2",
        mandate_id,
        conversation_id,
    )
    return company_id
