"""All SQL of profiles of creators."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, moment, page
from workroom.identity.access import ListScope
from workroom.identity.types import Level
from workroom.studio.types import CreatorProfile

SELECT = """
select profile_id as id, name, text, version, owner_id, changed_by, created_at, updated_at, deleted_at
from creator_profiles where mandate_id = $1 and instance_id = $2"""


async def insert(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, profile: CreatorProfile) -> None:
    await uow.execute(
        "insert into creator_profiles (mandate_id, profile_id, instance_id, owner_id, changed_by, name, text, version,"
        " created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        mandate_id,
        profile.id,
        instance_id,
        profile.owner_id,
        profile.changed_by,
        profile.name,
        profile.text,
        profile.version,
        profile.created_at,
        profile.updated_at,
    )


async def get(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, profile_id: UUID, *, lock: bool = False
) -> CreatorProfile | None:
    """Whether it is in the trash or not."""
    sql = SELECT + " and profile_id = $3" + (" for update" if lock else "")
    row = await uow.fetchrow(sql, mandate_id, instance_id, profile_id, writes=lock)
    return _profile(row) if row else None


async def same(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, name: str, text: str) -> UUID | None:
    """The oldest with that name and text."""
    profile_id: UUID | None = await uow.fetchval(
        "select profile_id from creator_profiles where mandate_id = $1 and instance_id = $2 and name = $3 and text = $4"
        " and deleted_at is null order by created_at, profile_id limit 1",
        mandate_id,
        instance_id,
        name,
        text,
    )
    return profile_id


async def update(uow: UnitOfWork, mandate_id: UUID, profile: CreatorProfile) -> None:
    await uow.execute(
        "update creator_profiles set name = $3, text = $4, version = $5, changed_by = $6, updated_at = $7, deleted_at = $8"
        " where mandate_id = $1 and profile_id = $2",
        mandate_id,
        profile.id,
        profile.name,
        profile.text,
        profile.version,
        profile.changed_by,
        profile.updated_at,
        profile.deleted_at,
    )


async def listed(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, scope: ListScope, request: PageRequest, *, deleted: bool
) -> Page[CreatorProfile]:
    listing = Listing(
        SELECT
        + " and ($3 or owner_id = $4 or instance_id = any($5)) and deleted_at is "
        + ("not null" if deleted else "null"),
        [mandate_id, instance_id, scope.level is Level.ALL, scope.user_id, list(scope.instance_ids)],
        sorts={"name": "lower(name)", "createdAt": moment("created_at"), "updatedAt": moment("updated_at")},
        default_sort="name",
        search=["name", "text"],
    )
    return (await page(uow, listing, request)).map(_profile)


async def sweep(uow: UnitOfWork, before: datetime) -> int:
    """Across mandates, as the system actor `sweep`: what has been in the trash for long is gone."""
    return await uow.execute("delete from creator_profiles where deleted_at <= $1", before)


def _profile(row: Any) -> CreatorProfile:
    return CreatorProfile(**{name: row[name] for name in CreatorProfile.model_fields})
