"""Table of unfinished and recent uploads."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.files.types import Upload

SELECT = """
select upload_id as id, instance_id, folder_id, name, media_type, on_conflict, size, received as offset, hash, file_id,
created_at from uploads where mandate_id = $1 and owner_id = $2 and upload_id = $3"""


async def insert(uow: UnitOfWork, mandate_id: UUID, owner_id: UUID, upload: Upload) -> None:
    await uow.execute(
        "insert into uploads (mandate_id, upload_id, instance_id, owner_id, folder_id, name, media_type, on_conflict, size,"
        " created_at, touched_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)",
        mandate_id,
        upload.id,
        upload.instance_id,
        owner_id,
        upload.folder_id,
        upload.name,
        upload.media_type,
        upload.on_conflict,
        upload.size,
        upload.created_at,
    )


async def get(
    uow: UnitOfWork, mandate_id: UUID, owner_id: UUID | None, upload_id: UUID, *, lock: bool = False
) -> Upload | None:
    """The upload, if this user began it."""
    row = await uow.fetchrow(SELECT + (" for update" if lock else ""), mandate_id, owner_id, upload_id, writes=lock)
    return _upload(row) if row else None


async def set_offset(uow: UnitOfWork, mandate_id: UUID, upload_id: UUID, offset: int, moment: datetime) -> None:
    """Set how many bytes have arrived; drops a hash computed before."""
    await uow.execute(
        "update uploads set received = $3, hash = null, touched_at = $4 where mandate_id = $1 and upload_id = $2",
        mandate_id,
        upload_id,
        offset,
        moment,
    )


async def set_hash(uow: UnitOfWork, mandate_id: UUID, upload_id: UUID, hash: str) -> None:
    await uow.execute(
        "update uploads set hash = $3 where mandate_id = $1 and upload_id = $2", mandate_id, upload_id, hash
    )


async def set_file(uow: UnitOfWork, mandate_id: UUID, upload_id: UUID, file_id: UUID) -> None:
    await uow.execute(
        "update uploads set file_id = $3 where mandate_id = $1 and upload_id = $2", mandate_id, upload_id, file_id
    )


async def delete(uow: UnitOfWork, mandate_id: UUID, upload_id: UUID) -> None:
    await uow.execute("delete from uploads where mandate_id = $1 and upload_id = $2", mandate_id, upload_id)


async def promised_bytes(uow: UnitOfWork, mandate_id: UUID, owner_id: UUID | None) -> int:
    """Total declared size of the unfinished uploads."""
    value: int = await uow.fetchval(
        "select coalesce(sum(size), 0)::bigint from uploads where mandate_id = $1 and file_id is null"
        " and ($2::uuid is null or owner_id = $2)",
        mandate_id,
        owner_id,
    )
    return value


async def sweep(uow: UnitOfWork, before: datetime) -> int:
    """Delete uploads of all mandates without activity since `before`; for the system actor `sweep`."""
    return await uow.execute("delete from uploads where touched_at < $1", before)


def _upload(row: Any) -> Upload:
    return Upload(**{name: row[name] for name in Upload.model_fields})
