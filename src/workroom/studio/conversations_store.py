"""All SQL of which conversations projects have."""

from __future__ import annotations

from decimal import Decimal
from uuid import UUID

from workroom.db import UnitOfWork


async def assign(uow: UnitOfWork, mandate_id: UUID, project_id: UUID, user_id: UUID, conversation_id: UUID) -> None:
    """It is the person's conversation about this project from now on."""
    await uow.execute(
        "insert into studio_conversations (mandate_id, project_id, user_id, conversation_id) values ($1, $2, $3, $4)",
        mandate_id,
        project_id,
        user_id,
        conversation_id,
    )


async def conversation_of(uow: UnitOfWork, mandate_id: UUID, project_id: UUID, user_id: UUID) -> UUID | None:
    """None also while it is in the trash."""
    conversation_id: UUID | None = await uow.fetchval(
        "select s.conversation_id from studio_conversations s join conversations c on c.mandate_id = s.mandate_id"
        " and c.conversation_id = s.conversation_id and c.deleted_at is null"
        " where s.mandate_id = $1 and s.project_id = $2 and s.user_id = $3 order by s.conversation_id desc limit 1",
        mandate_id,
        project_id,
        user_id,
    )
    return conversation_id


async def project_of(uow: UnitOfWork, mandate_id: UUID, conversation_id: UUID) -> UUID | None:
    project_id: UUID | None = await uow.fetchval(
        "select project_id from studio_conversations where mandate_id = $1 and conversation_id = $2",
        mandate_id,
        conversation_id,
    )
    return project_id


async def costs(uow: UnitOfWork, mandate_id: UUID, project_id: UUID) -> Decimal:
    """Of the conversations of all members about it, and of the digests of its texts."""
    total: Decimal = await uow.fetchval(
        "select coalesce(sum(b.cost_chf), 0) + coalesce((select p.digests_chf from studio_projects p where p.mandate_id = $1"
        " and p.project_id = $2), 0) from billing b join studio_conversations s on s.mandate_id = b.mandate_id"
        " and s.conversation_id = b.conversation_id where s.mandate_id = $1 and s.project_id = $2",
        mandate_id,
        project_id,
    )
    return total
