"""API tokens, as their owner manages them. Finding a token by its secret is in `credentials.py`."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, moment, page
from workroom.identity.access import ListScope
from workroom.identity.types import ApiToken, Level

SELECT = """
select t.token_id as id, t.name, t.prefix, t.user_id, u.display_name as user_name, t.instance_id,
    t.created_at, t.expires_at, t.last_used_at
from api_tokens t join users u using (mandate_id, user_id) where t.mandate_id = $1"""


async def insert(uow: UnitOfWork, mandate_id: UUID, token: ApiToken, token_hash: bytes) -> None:
    await uow.execute(
        "insert into api_tokens (mandate_id, token_id, user_id, name, prefix, token_hash, instance_id, created_at, expires_at)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        mandate_id,
        token.id,
        token.user_id,
        token.name,
        token.prefix,
        token_hash,
        token.instance_id,
        token.created_at,
        token.expires_at,
    )


async def locked(uow: UnitOfWork, mandate_id: UUID, token_id: UUID) -> ApiToken | None:
    row = await uow.fetchrow(SELECT + " and t.token_id = $2 for update of t", mandate_id, token_id, writes=True)
    return _token(row) if row else None


async def listed(uow: UnitOfWork, mandate_id: UUID, scope: ListScope, request: PageRequest) -> Page[ApiToken]:
    listing = Listing(
        SELECT + " and ($2 or t.user_id = $3)",
        [mandate_id, scope.level is Level.ALL, scope.user_id],
        sorts={"name": "lower(name)", "createdAt": moment("created_at"), "lastUsedAt": moment("last_used_at")},
        default_sort="createdAt",
        search=["name", "prefix", "user_name"],
    )
    return (await page(uow, listing, request)).map(_token)


async def delete(uow: UnitOfWork, mandate_id: UUID, token_id: UUID) -> None:
    await uow.execute("delete from api_tokens where mandate_id = $1 and token_id = $2", mandate_id, token_id)


def _token(row: Any) -> ApiToken:
    return ApiToken(
        row["id"],
        row["name"],
        row["prefix"],
        row["user_id"],
        row["user_name"],
        row["instance_id"],
        row["created_at"],
        row["expires_at"],
        row["last_used_at"],
    )
