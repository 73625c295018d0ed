"""All SQL of chat sessions: the conversation behind the name that other software gave its session."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.identity.types import Principal


async def conversation_of(uow: UnitOfWork, principal: Principal, instance_id: UUID, session_id: str) -> UUID | None:
    conversation_id: UUID | None = await uow.fetchval(
        "select s.conversation_id from chat_sessions s join conversations c using (mandate_id, conversation_id)"
        " where s.mandate_id = $1 and s.user_id = $2 and s.instance_id = $3 and s.session_id = $4 and c.deleted_at is null",
        principal.mandate_id,
        principal.user_id,
        instance_id,
        session_id,
    )
    return conversation_id


async def insert(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, session_id: str, conversation_id: UUID, at: datetime
) -> bool:
    """False when there is one already; waits for a transaction that is about to insert it. One whose conversation is in the
    trash is replaced."""
    done = await uow.execute(
        "insert into chat_sessions (mandate_id, user_id, instance_id, session_id, conversation_id, created_at)"
        " values ($1, $2, $3, $4, $5, $6) on conflict (mandate_id, user_id, instance_id, session_id)"
        " do update set conversation_id = $5, created_at = $6 where exists (select from conversations c where c.mandate_id = $1"
        " and c.conversation_id = chat_sessions.conversation_id and c.deleted_at is not null)",
        principal.mandate_id,
        principal.user_id,
        instance_id,
        session_id,
        conversation_id,
        at,
    )
    return done == 1
