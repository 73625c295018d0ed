"""Workspaces and their members."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, moment, page
from workroom.identity.access import ListScope
from workroom.identity.store.users import COLUMNS, user_of
from workroom.identity.types import Instance, InstanceMember, InstanceStatus, Level

SELECT = """
select i.instance_id as id, i.name, i.slug, i.feature, i.tool_set, i.status, i.created_by, i.created_at,
    (select count(*) from memberships m where m.mandate_id = i.mandate_id and m.instance_id = i.instance_id) as member_count
from instances i where i.mandate_id = $1"""


async def insert(uow: UnitOfWork, mandate_id: UUID, instance: Instance) -> bool:
    """False when the slug is taken."""
    return (
        await uow.execute(
            "insert into instances (mandate_id, instance_id, name, slug, feature, tool_set, status, created_by, created_at)"
            " values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (mandate_id, slug) do nothing",
            mandate_id,
            instance.id,
            instance.name,
            instance.slug,
            instance.feature,
            instance.tool_set,
            instance.status,
            instance.created_by,
            instance.created_at,
        )
        == 1
    )


async def get(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, *, lock: bool = False) -> Instance | None:
    sql = SELECT + " and i.instance_id = $2" + (" for no key update" if lock else "")
    row = await uow.fetchrow(sql, mandate_id, instance_id, writes=lock)
    return _instance(row) if row else None


async def oldest_of(uow: UnitOfWork, mandate_id: UUID, user_id: UUID | None) -> UUID | None:
    """Of the active workspaces a person belongs to."""
    found: UUID | None = await uow.fetchval(
        "select i.instance_id from instances i join memberships m using (mandate_id, instance_id)"
        " where i.mandate_id = $1 and m.user_id = $2 and i.status = 'active' order by i.created_at, i.instance_id limit 1",
        mandate_id,
        user_id,
    )
    return found


async def lock_slugs(uow: UnitOfWork, mandate_id: UUID) -> None:
    """Serialises the search for a free name until the transaction ends."""
    await uow.execute("select from mandates where mandate_id = $1 for update", mandate_id)


async def slug_owner(uow: UnitOfWork, mandate_id: UUID, slug: str) -> UUID | None:
    value: UUID | None = await uow.fetchval(
        "select instance_id from instances where mandate_id = $1 and slug = $2", mandate_id, slug
    )
    return value


async def listed(
    uow: UnitOfWork, mandate_id: UUID, scope: ListScope, request: PageRequest, status: InstanceStatus | None = None
) -> Page[Instance]:
    source = (
        SELECT + " and ($2 or i.created_by = $3 or i.instance_id = any($4)) and ($5::text is null or i.status = $5)"
    )
    listing = Listing(
        source,
        [mandate_id, scope.level is Level.ALL, scope.user_id, list(scope.instance_ids), status],
        sorts={"name": "lower(name)", "slug": "slug", "createdAt": moment("created_at")},
        default_sort="name",
        search=["name", "slug"],
    )
    return (await page(uow, listing, request)).map(_instance)


async def update(uow: UnitOfWork, mandate_id: UUID, instance: Instance) -> None:
    await uow.execute(
        "update instances set name = $3, slug = $4, status = $5, tool_set = $6 where mandate_id = $1 and instance_id = $2",
        mandate_id,
        instance.id,
        instance.name,
        instance.slug,
        instance.status,
        instance.tool_set,
    )


async def delete(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID) -> None:
    await uow.execute("delete from instances where mandate_id = $1 and instance_id = $2", mandate_id, instance_id)


async def put_member(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, user_id: UUID, role_id: UUID | None, now: datetime
) -> None:
    await uow.execute(
        "insert into memberships (mandate_id, instance_id, user_id, role_id, created_at) values ($1, $2, $3, $4, $5)"
        " on conflict (mandate_id, instance_id, user_id) do update set role_id = excluded.role_id",
        mandate_id,
        instance_id,
        user_id,
        role_id,
        now,
    )


async def remove_member(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, user_id: UUID) -> None:
    await uow.execute(
        "delete from memberships where mandate_id = $1 and instance_id = $2 and user_id = $3",
        mandate_id,
        instance_id,
        user_id,
    )


MEMBERS = f"""
select {COLUMNS}, m.role_id as member_role_id, m.created_at as since
from memberships m join users u using (mandate_id, user_id) where m.mandate_id = $1 and m.instance_id = $2"""


async def members(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, request: PageRequest) -> Page[InstanceMember]:
    listing = Listing(
        MEMBERS,
        [mandate_id, instance_id],
        sorts={"displayName": "lower(display_name)", "since": moment("since")},
        default_sort="displayName",
        search=["display_name", "login"],
    )
    return (await page(uow, listing, request)).map(_member)


async def member(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, user_id: UUID) -> InstanceMember | None:
    row = await uow.fetchrow(MEMBERS + " and m.user_id = $3", mandate_id, instance_id, user_id)
    return _member(row) if row else None


def _member(row: Any) -> InstanceMember:
    return InstanceMember(user_of(row), row["member_role_id"], row["since"])


def _instance(row: Any) -> Instance:
    return Instance(
        row["id"],
        row["name"],
        row["slug"],
        row["feature"],
        row["tool_set"],
        InstanceStatus(row["status"]),
        row["created_by"],
        row["created_at"],
        row["member_count"],
    )


async def count_members(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, user_ids: Sequence[UUID]) -> int:
    """How many of these belong to it."""
    count: int = await uow.fetchval(
        "select count(*) from memberships where mandate_id = $1 and instance_id = $2 and user_id = any($3)",
        mandate_id,
        instance_id,
        user_ids,
    )
    return count
