"""Table of blobs, with the time each was last touched, and the storage used by files."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.files.ports import Blob

UNUSED = "not exists (select from file_versions v where v.mandate_id = b.mandate_id and v.hash = b.hash)"


async def touch(uow: UnitOfWork, blob: Blob, moment: datetime) -> None:
    """Insert the blob or renew its time. Waits for a sweep of the same blob, so that it is kept or removed as a whole."""
    await uow.execute(
        "insert into blobs (mandate_id, hash, size, touched_at) values ($1, $2, $3, $4)"
        " on conflict (mandate_id, hash) do update set touched_at = excluded.touched_at",
        blob.mandate_id,
        blob.hash,
        blob.size,
        moment,
    )


async def unused(uow: UnitOfWork, before: datetime, most: int) -> Sequence[Blob]:
    """Blobs of all mandates that no version names and that were last touched before `before`; for the system actor `sweep`."""
    rows = await uow.fetch(
        f"select b.mandate_id, b.hash, b.size from blobs b where b.touched_at < $1 and {UNUSED}"
        " order by b.touched_at limit $2",
        before,
        most,
    )
    return [Blob(row["mandate_id"], row["hash"], row["size"]) for row in rows]


async def forget(uow: UnitOfWork, blob: Blob, before: datetime) -> bool:
    """Delete the row and lock it until the transaction ends; False when the blob is in use or was touched meanwhile."""
    sql = f"delete from blobs b where b.mandate_id = $1 and b.hash = $2 and b.touched_at < $3 and {UNUSED}"
    return await uow.execute(sql, blob.mandate_id, blob.hash, before) == 1


async def used_bytes(uow: UnitOfWork, mandate_id: UUID, owner_id: UUID | None) -> int:
    """Bytes of all versions with their extracted text and index entries, trash included; equal content of one file counts once.

    Not once per mandate: a user's own usage would then reveal whether another user has the same content.
    """
    value: int = await uow.fetchval(
        "with theirs as (select file_id, index_bytes from files where mandate_id = $1 and ($2::uuid is null or owner_id = $2)),"
        " contents as (select max(v.size) as size, max(v.text_bytes) as text_bytes from file_versions v join theirs f"
        " on f.file_id = v.file_id where v.mandate_id = $1 group by v.file_id, v.hash)"
        " select ((select coalesce(sum(size + text_bytes), 0) from contents)"
        " + (select coalesce(sum(index_bytes), 0) from theirs))::bigint",
        mandate_id,
        owner_id,
    )
    return value


async def lock_quotas(uow: UnitOfWork, mandate_id: UUID) -> None:
    """Serialise quota checks of a mandate until the transaction ends: two at once could both get the last free bytes."""
    await uow.execute("select pg_advisory_xact_lock(hashtextextended('files.quota ' || $1, 0))", str(mandate_id))
