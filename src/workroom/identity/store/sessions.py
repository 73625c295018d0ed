"""Sessions, as their owner manages them. Finding a session by its cookie is in `credentials.py`."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, moment, page
from workroom.identity.types import Session

SELECT = """
select session_id as id, user_id, user_agent, address, created_at, last_used_at, expires_at
from sessions where mandate_id = $1"""


async def insert(
    uow: UnitOfWork, mandate_id: UUID, session: Session, token_hash: bytes, resets_until: datetime | None
) -> None:
    """`resets_until`: until then it may set the password, once, without the current one."""
    await uow.execute(
        "insert into sessions (mandate_id, session_id, user_id, token_hash, user_agent, address, created_at, last_used_at,"
        " expires_at, resets_until) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        mandate_id,
        session.id,
        session.user_id,
        token_hash,
        session.user_agent,
        session.address,
        session.created_at,
        session.last_used_at,
        session.expires_at,
        resets_until,
    )


async def may_reset(uow: UnitOfWork, mandate_id: UUID, session_id: UUID, now: datetime) -> bool:
    sql = "select exists (select from sessions where mandate_id = $1 and session_id = $2 and resets_until > $3)"
    return bool(await uow.fetchval(sql, mandate_id, session_id, now))


async def end_resetting(uow: UnitOfWork, mandate_id: UUID, user_id: UUID) -> None:
    await uow.execute(
        "update sessions set resets_until = null where mandate_id = $1 and user_id = $2 and resets_until is not null",
        mandate_id,
        user_id,
    )


async def locked(uow: UnitOfWork, mandate_id: UUID, session_id: UUID) -> Session | None:
    row = await uow.fetchrow(SELECT + " and session_id = $2 for update", mandate_id, session_id, writes=True)
    return _session(row) if row else None


async def of_user(uow: UnitOfWork, mandate_id: UUID, user_id: UUID, request: PageRequest) -> Page[Session]:
    listing = Listing(
        SELECT + " and user_id = $2 and expires_at > now()",
        [mandate_id, user_id],
        sorts={"lastUsedAt": moment("last_used_at"), "createdAt": moment("created_at")},
        default_sort="lastUsedAt",
        search=["user_agent", "address"],
    )
    return (await page(uow, listing, request)).map(_session)


async def delete(uow: UnitOfWork, mandate_id: UUID, session_id: UUID) -> None:
    await uow.execute("delete from sessions where mandate_id = $1 and session_id = $2", mandate_id, session_id)


async def delete_of_user(uow: UnitOfWork, mandate_id: UUID, user_id: UUID, but: UUID | None = None) -> list[UUID]:
    rows = await uow.fetch(
        "delete from sessions where mandate_id = $1 and user_id = $2 and session_id is distinct from $3 returning session_id",
        mandate_id,
        user_id,
        but,
        writes=True,
    )
    return [row["session_id"] for row in rows]


def _session(row: Any) -> Session:
    return Session(
        row["id"],
        row["user_id"],
        row["user_agent"],
        row["address"],
        row["created_at"],
        row["last_used_at"],
        row["expires_at"],
    )
