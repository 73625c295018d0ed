"""All SQL of chat sessions: the conversation behind the name that other software gave its session."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.identity.types import Principal


async def conversation_of(uow: UnitOfWork, principal: Principal, instance_id: UUID, session_id: str) -> UUID | None:
    conversation_id: UUID | None = await uow.fetchval(
        "select conversation_id from chat_sessions"
        " where mandate_id = $1 and user_id = $2 and instance_id = $3 and session_id = $4",
        principal.mandate_id,
        principal.user_id,
        instance_id,
        session_id,
    )
    return conversation_id


async def insert(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, session_id: str, conversation_id: UUID, at: datetime
) -> bool:
    """False when there is one already; waits for a transaction that is about to insert it."""
    done = await uow.execute(
        "insert into chat_sessions (mandate_id, user_id, instance_id, session_id, conversation_id, created_at)"
        " values ($1, $2, $3, $4, $5, $6) on conflict do nothing",
        principal.mandate_id,
        principal.user_id,
        instance_id,
        session_id,
        conversation_id,
        at,
    )
    return done == 1
