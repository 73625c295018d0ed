"""Table of files in their current state."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.core.pages import Page, PageRequest
from workroom.db import UnitOfWork
from workroom.db.listing import Listing, moment, page
from workroom.files import globs
from workroom.files.names import tag_key
from workroom.files.types import ROOT, File, FileFilter
from workroom.identity.sharing import ReadableScope, Visibility
from workroom.identity.store.sharing import reached

COLUMNS = """
file_id as id, instance_id, owner_id, folder_id, filed_by, name, description, tags, status, visibility, version, hash, size,
media_type, created_at, updated_at, deleted_at, deleted_with, array(select user_id from file_grants g
where g.mandate_id = files.mandate_id and g.file_id = files.file_id order by user_id) as shared_with"""
SELECT = f"select {COLUMNS} from files where mandate_id = $1"
SORTS = {
    "name": "lower(name)",
    "size": "to_char(size, 'FM000000000000000')",
    "type": "media_type || ' ' || lower(name)",
    "createdAt": moment("created_at"),
    "updatedAt": moment("updated_at"),
}
SEARCHED = ["name", "description", "array_to_string(tags, ' ')"]


def reached_file(at: int, table: str = "files") -> str:
    return reached(table, at, "file_grants", "file_id")


# In no folder visible to the user ($3): a file shared out of a private folder appears at the root for others.
TOP = """not exists (select from folders d where d.mandate_id = $1 and d.folder_id = files.folder_id
    and (d.visibility = 'GROUP' or d.owner_id = $3))"""
REACHED = f"deleted_at is null and {reached_file(3)}"


async def insert(uow: UnitOfWork, mandate_id: UUID, file: File) -> None:
    await uow.execute(
        "insert into files (mandate_id, file_id, instance_id, owner_id, folder_id, filed_by, name, description, tags, status,"
        " visibility, version, hash, size, media_type, created_at, updated_at, tag_keys)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)",
        mandate_id,
        file.id,
        file.instance_id,
        file.owner_id,
        file.folder_id,
        file.filed_by,
        file.name,
        file.description,
        file.tags,
        file.status,
        file.visibility,
        file.version,
        file.hash,
        file.size,
        file.media_type,
        file.created_at,
        file.updated_at,
        [tag_key(tag) for tag in file.tags],
    )


async def update(uow: UnitOfWork, mandate_id: UUID, file: File) -> None:
    await uow.execute(
        "update files set folder_id = $3, filed_by = $4, name = $5, description = $6, tags = $7, status = $8,"
        " visibility = $9, version = $10, hash = $11, size = $12, media_type = $13, updated_at = $14, deleted_at = $15,"
        " deleted_with = $16, tag_keys = $17 where mandate_id = $1 and file_id = $2",
        mandate_id,
        file.id,
        file.folder_id,
        file.filed_by,
        file.name,
        file.description,
        file.tags,
        file.status,
        file.visibility,
        file.version,
        file.hash,
        file.size,
        file.media_type,
        file.updated_at,
        file.deleted_at,
        file.deleted_with,
        [tag_key(tag) for tag in file.tags],
    )


async def set_grants(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, user_ids: Sequence[UUID]) -> None:
    """Set the persons a file is shared with. The caller has locked the file."""
    await uow.execute(
        "with gone as (delete from file_grants where mandate_id = $1 and file_id = $2 and user_id <> all($3))"
        " insert into file_grants (mandate_id, file_id, user_id) select $1, $2, unnest($3::uuid[]) on conflict do nothing",
        mandate_id,
        file_id,
        user_ids,
    )


async def get(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, *, lock: bool = False) -> File | None:
    """The file, in the trash or not. The lock is a statement of its own: a select that waits for a lock re-reads the row, but
    not its sub-selects, and would return stale grants."""
    if lock:
        await uow.execute("select from files where mandate_id = $1 and file_id = $2 for update", mandate_id, file_id)
    row = await uow.fetchrow(SELECT + " and file_id = $2", mandate_id, file_id)
    return _file(row) if row else None


async def purge(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, moment: datetime) -> None:
    """Delete a file for good. Its blobs are touched, so that a reader has another day."""
    await uow.execute(
        "update blobs b set touched_at = $3 from file_versions v"
        " where v.mandate_id = $1 and v.file_id = $2 and b.mandate_id = $1 and b.hash = v.hash",
        mandate_id,
        file_id,
        moment,
    )
    await uow.execute("delete from files where mandate_id = $1 and file_id = $2", mandate_id, file_id)


async def sweep(uow: UnitOfWork, before: datetime, moment: datetime) -> int:
    """Delete files of all mandates that were trashed before `before`; for the system actor `sweep`."""
    await uow.execute(
        "update blobs b set touched_at = $2 from file_versions v join files f"
        " on f.mandate_id = v.mandate_id and f.file_id = v.file_id"
        " where f.deleted_at <= $1 and b.mandate_id = v.mandate_id and b.hash = v.hash",
        before,
        moment,
    )
    return await uow.execute("delete from files where deleted_at <= $1", before)


async def lock_names(uow: UnitOfWork, instance_id: UUID) -> None:
    """Serialise checks for free or existing names in a workspace until the transaction ends."""
    await uow.execute("select pg_advisory_xact_lock(hashtextextended('files.names ' || $1, 0))", str(instance_id))


async def described(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, owner_id: UUID, descriptions: Sequence[str]
) -> Sequence[File]:
    """The person's own files that have one of these descriptions, newest first."""
    rows = await uow.fetch(
        SELECT + " and instance_id = $2 and owner_id = $3 and description = any($4) and deleted_at is null"
        " order by created_at desc, file_id desc",
        mandate_id,
        instance_id,
        owner_id,
        descriptions,
    )
    return [_file(row) for row in rows]


async def with_name(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, name: str, folder_ids: Sequence[UUID | None], *, ruled: bool
) -> Sequence[File]:
    """Live files of that name in these folders, of any owner; with `ruled` also in any folder a rule has put them into."""
    rows = await uow.fetch(
        SELECT + " and instance_id = $2 and name = $3 and deleted_at is null and (folder_id = any($4)"
        " or (folder_id is null and $5) or (filed_by is not null and $6)) order by created_at, file_id for update",
        mandate_id,
        instance_id,
        name,
        [folder_id for folder_id in folder_ids if folder_id],
        None in folder_ids,
        ruled,
        writes=True,
    )
    return [_file(row) for row in rows]


async def taken_names(
    uow: UnitOfWork,
    mandate_id: UUID,
    instance_id: UUID,
    owner_id: UUID,
    reach: ReadableScope,
    folder_id: UUID | None,
    stem: str,
) -> set[str]:
    """Existing names that begin with `stem`: all of the owner's, and those of others within `reach`."""
    rows = await uow.fetch(
        "select distinct name from files where mandate_id = $1 and instance_id = $2 and deleted_at is null"
        f" and folder_id is not distinct from $3 and starts_with(name, $4) and (owner_id = $5 or {reached_file(6)})",
        mandate_id,
        instance_id,
        folder_id,
        stem,
        owner_id,
        *reach.args,
    )
    return {row["name"] for row in rows}


async def by_names(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, reach: ReadableScope, names: Sequence[str], most: int
) -> Sequence[File]:
    """Files within `reach` with one of these names, case-insensitive; the newest first."""
    rows = await uow.fetch(
        f"{SELECT} and {REACHED} and (name = any($9) or lower(name) = any($10))"
        " order by updated_at desc, file_id limit $11",
        mandate_id,
        instance_id,
        *reach.args,
        list(names),
        [name.lower() for name in names],
        most,
    )
    return [_file(row) for row in rows]


async def by_stems(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, reach: ReadableScope, stems: Sequence[str], most: int
) -> Sequence[File]:
    """Files within `reach` with one of these names without extension, dashes and underscores read as spaces; the newest first."""
    rows = await uow.fetch(
        f"{SELECT} and {REACHED} and trim(regexp_replace("
        r"regexp_replace(lower(name), '\.[a-z][a-z0-9]{1,4}$', ''), '[\s_-]+', ' ', 'g')) = any($9)"
        " order by updated_at desc, file_id limit $10",
        mandate_id,
        instance_id,
        *reach.args,
        list(stems),
        most,
    )
    return [_file(row) for row in rows]


async def suggest(
    uow: UnitOfWork,
    mandate_id: UUID,
    instance_id: UUID,
    reach: ReadableScope,
    text: str,
    folder_ids: Sequence[UUID] | None,
    most: int,
) -> Sequence[File]:
    """Completions of a partly typed name: names that begin with it, then those that contain it, then those that have its
    letters in this order; the newest first. `folder_ids`: only in these."""
    loosely = "%" + "%".join(globs.like(char) if char not in "*?" else char for char in text) + "%"
    rows = await uow.fetch(
        f"{SELECT} and {REACHED} and name ilike $9 and ($11::uuid[] is null or folder_id = any($11))"
        " order by starts_with(lower(name), lower($10)) desc, strpos(lower(name), lower($10)) > 0 desc,"
        " updated_at desc, file_id limit $12",
        mandate_id,
        instance_id,
        *reach.args,
        loosely,
        text,
        folder_ids,
        most,
    )
    return [_file(row) for row in rows]


async def by_ids(uow: UnitOfWork, mandate_id: UUID, file_ids: Collection[UUID]) -> Sequence[File]:
    """Also those in the trash."""
    return [_file(row) for row in await uow.fetch(SELECT + " and file_id = any($2)", mandate_id, list(file_ids))]


async def in_folders(uow: UnitOfWork, mandate_id: UUID, folder_ids: Sequence[UUID]) -> Sequence[File]:
    sql = SELECT + " and folder_id = any($2) and deleted_at is null order by file_id for update"
    return [_file(row) for row in await uow.fetch(sql, mandate_id, folder_ids, writes=True)]


async def deleted_with(uow: UnitOfWork, mandate_id: UUID, folder_id: UUID) -> Sequence[File]:
    sql = SELECT + " and deleted_with = $2 order by file_id for update"
    return [_file(row) for row in await uow.fetch(sql, mandate_id, folder_id, writes=True)]


async def set_deleted(
    uow: UnitOfWork, mandate_id: UUID, file_ids: Sequence[UUID], deleted_at: datetime | None, with_: UUID | None
) -> None:
    await uow.execute(
        "update files set deleted_at = $3, deleted_with = $4 where mandate_id = $1 and file_id = any($2)",
        mandate_id,
        file_ids,
        deleted_at,
        with_,
    )


async def listed(
    uow: UnitOfWork,
    mandate_id: UUID,
    instance_id: UUID,
    reach: ReadableScope,
    request: PageRequest,
    filters: FileFilter,
) -> Page[File]:
    where = [
        reached_file(3),
        f"deleted_at is {'not null' if filters.deleted else 'null'}",
        "(owner_id = $3 or visibility <> 'MY')" if filters.deleted else "true",  # grants allow reading only
    ]
    args: list[Any] = [mandate_id, instance_id, *reach.args]

    def only(condition: str, value: object) -> None:
        args.append(value)
        where.append(condition.format(f"${len(args)}"))

    if filters.visibility is not Visibility.ALL:  # files shared with the mandate are listed in every workspace
        where.append("instance_id = $2")
    if filters.visibility is not None:
        only("visibility = {0}", filters.visibility)
    if filters.folder_id == ROOT:
        where.append(TOP)
    elif filters.folder_id is not None:
        only("folder_id = {0}", filters.folder_id)
    if filters.status is not None:
        only("status = {0}", filters.status)
    if filters.tags:
        only("tag_keys @> {0}::text[]", [tag_key(tag) for tag in filters.tags])
    if filters.pattern is not None:
        only("name ilike {0}", globs.like(filters.pattern))
    if filters.type is not None:
        only(
            "({0} in (media_type, split_part(media_type, '/', 1), split_part(media_type, '/', 2))"
            " or right(lower(name), length({0}) + 1) = '.' || {0})",
            filters.type,
        )
    listing = Listing(f"{SELECT} and {' and '.join(where)}", args, SORTS, "name", SEARCHED)
    return (await page(uow, listing, request)).map(_file)


def _file(row: Any) -> File:
    return File(**{name: row[name] for name in File.model_fields})
