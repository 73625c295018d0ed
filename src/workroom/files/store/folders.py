"""Table of folders, a tree per workspace."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, moment, page
from workroom.files.types import Folder
from workroom.identity.sharing import ReadableScope
from workroom.identity.store.sharing import reached

SELECT = """
select folder_id as id, instance_id, owner_id, parent_id, name, auto_rule, visibility, created_at, updated_at, deleted_at,
    deleted_with
from folders where mandate_id = $1"""
SORTS = {"name": "lower(name)", "createdAt": moment("created_at"), "updatedAt": moment("updated_at")}


async def insert(uow: UnitOfWork, mandate_id: UUID, folder: Folder) -> None:
    await uow.execute(
        "insert into folders (mandate_id, folder_id, instance_id, owner_id, parent_id, name, auto_rule, visibility,"
        " created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        mandate_id,
        folder.id,
        folder.instance_id,
        folder.owner_id,
        folder.parent_id,
        folder.name,
        folder.auto_rule,
        folder.visibility,
        folder.created_at,
        folder.updated_at,
    )


async def update(uow: UnitOfWork, mandate_id: UUID, folder: Folder) -> None:
    await uow.execute(
        "update folders set parent_id = $3, name = $4, auto_rule = $5, updated_at = $6, deleted_at = $7, deleted_with = $8,"
        " visibility = $9 where mandate_id = $1 and folder_id = $2",
        mandate_id,
        folder.id,
        folder.parent_id,
        folder.name,
        folder.auto_rule,
        folder.updated_at,
        folder.deleted_at,
        folder.deleted_with,
        folder.visibility,
    )


async def hide(uow: UnitOfWork, mandate_id: UUID, folder_ids: Sequence[UUID]) -> None:
    await uow.execute(
        "update folders set visibility = 'MY' where mandate_id = $1 and folder_id = any($2)", mandate_id, folder_ids
    )


async def move(uow: UnitOfWork, mandate_id: UUID, folder_id: UUID, parent_id: UUID | None, name: str) -> None:
    await uow.execute(
        "update folders set parent_id = $3, name = $4 where mandate_id = $1 and folder_id = $2",
        mandate_id,
        folder_id,
        parent_id,
        name,
    )


async def lock_tree(uow: UnitOfWork, instance_id: UUID) -> None:
    """Serialise changes to the tree of a workspace: two concurrent moves could make a cycle."""
    await uow.execute("select pg_advisory_xact_lock(hashtextextended('files.tree ' || $1, 0))", str(instance_id))


async def get(uow: UnitOfWork, mandate_id: UUID, folder_id: UUID) -> Folder | None:
    """The folder, in the trash or not."""
    row = await uow.fetchrow(SELECT + " and folder_id = $2", mandate_id, folder_id)
    return _folder(row) if row else None


async def by_ids(uow: UnitOfWork, mandate_id: UUID, folder_ids: Collection[UUID]) -> Sequence[Folder]:
    """Also those in the trash."""
    return [_folder(row) for row in await uow.fetch(SELECT + " and folder_id = any($2)", mandate_id, list(folder_ids))]


async def taken_names(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, parent_id: UUID | None, owner_id: UUID | None
) -> dict[str, UUID]:
    """Names in a folder that are taken for this owner, with ids: shared folders and the owner's own."""
    rows = await uow.fetch(
        "select name, folder_id from folders where mandate_id = $1 and instance_id = $2"
        " and parent_id is not distinct from $3 and deleted_at is null and (visibility = 'GROUP' or owner_id = $4)",
        mandate_id,
        instance_id,
        parent_id,
        owner_id,
    )
    return {row["name"]: row["folder_id"] for row in rows}


async def list_visible(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, reach: ReadableScope) -> Sequence[Folder]:
    """All live folders of a workspace within `reach`."""
    sql = SELECT + f" and instance_id = $2 and deleted_at is null and {reached('folders', 3)}"
    return [_folder(row) for row in await uow.fetch(sql, mandate_id, instance_id, *reach.args)]


async def ancestors(uow: UnitOfWork, mandate_id: UUID, folder_id: UUID) -> Sequence[UUID]:
    """Ids of the folder itself, its parent, and so on up to the root."""
    rows = await uow.fetch(
        "with recursive up as (select folder_id, parent_id, 1 as step from folders where mandate_id = $1 and folder_id = $2"
        " union all select f.folder_id, f.parent_id, up.step + 1 from folders f join up on f.folder_id = up.parent_id"
        " where f.mandate_id = $1 and up.step < 100) select folder_id from up order by step",
        mandate_id,
        folder_id,
    )
    return [row["folder_id"] for row in rows]


async def descendants(uow: UnitOfWork, mandate_id: UUID, folder_id: UUID) -> Sequence[tuple[Folder, int]]:
    """The folder itself (depth 1) and all live folders below it with their depth, upper ones first."""
    rows = await uow.fetch(
        "with recursive down as (select folder_id as of, 1 as depth from folders where mandate_id = $1 and folder_id = $2"
        " union all select f.folder_id, down.depth + 1 from folders f join down on f.parent_id = down.of"
        " where f.mandate_id = $1 and f.deleted_at is null and down.depth < 100)"
        f" select found.*, down.depth from down join ({SELECT}) as found on found.id = down.of order by down.depth, found.id",
        mandate_id,
        folder_id,
    )
    return [(_folder(row), row["depth"]) for row in rows]


async def with_rules(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, owner_id: UUID) -> Sequence[Folder]:
    """Folders with a rule that applies to files of this owner, the oldest first."""
    sql = (
        SELECT + " and instance_id = $2 and auto_rule is not null and deleted_at is null"
        " and (visibility = 'GROUP' or owner_id = $3) order by created_at, folder_id"
    )
    return [_folder(row) for row in await uow.fetch(sql, mandate_id, instance_id, owner_id)]


async def deleted_with(uow: UnitOfWork, mandate_id: UUID, folder_id: UUID) -> Sequence[Folder]:
    return [_folder(row) for row in await uow.fetch(SELECT + " and deleted_with = $2", mandate_id, folder_id)]


async def set_deleted(
    uow: UnitOfWork, mandate_id: UUID, folder_ids: Sequence[UUID], deleted_at: datetime | None, with_: UUID | None
) -> None:
    await uow.execute(
        "update folders set deleted_at = $3, deleted_with = $4 where mandate_id = $1 and folder_id = any($2)",
        mandate_id,
        folder_ids,
        deleted_at,
        with_,
    )


async def listed(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, reach: ReadableScope, request: PageRequest, *, deleted: bool
) -> Page[Folder]:
    """A page of folders; with `deleted` of the trash, without those deleted together with a parent."""
    trash = "not null and deleted_with is null" if deleted else "null"
    source = SELECT + f" and instance_id = $2 and deleted_at is {trash} and {reached('folders', 3)}"
    listing = Listing(source, [mandate_id, instance_id, *reach.args], SORTS, "name", ["name"])
    return (await page(uow, listing, request)).map(_folder)


async def sweep(uow: UnitOfWork, before: datetime) -> int:
    """Delete folders of all mandates that were trashed before `before`; for the system actor `sweep`."""
    return await uow.execute("delete from folders where deleted_at <= $1", before)


def _folder(row: Any) -> Folder:
    return Folder(**{name: row[name] for name in Folder.model_fields})
