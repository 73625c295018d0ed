"""Versions of files."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.files.types import FileVersion


async def insert(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: FileVersion) -> None:
    await uow.execute(
        "insert into file_versions (mandate_id, file_id, version, hash, size, media_type, made_by, made_at, restored_from,"
        " agent_id, agent_name, run_id) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        mandate_id,
        file_id,
        version.version,
        version.hash,
        version.size,
        version.media_type,
        version.made_by,
        version.made_at,
        version.restored_from,
        version.agent_id,
        version.agent_name,
        version.run_id,
    )


async def listed(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int | None = None) -> Sequence[FileVersion]:
    """All versions of a file, newest first; with `version` only that one."""
    rows = await uow.fetch(
        "select v.version, v.hash, v.size, v.media_type, v.made_by, u.display_name as made_by_name, v.made_at, v.restored_from,"
        " v.known, v.lie, v.agent_id, v.agent_name, v.run_id"
        " from file_versions v left join users u on u.mandate_id = v.mandate_id and u.user_id = v.made_by"
        " where v.mandate_id = $1 and v.file_id = $2 and ($3::int is null or v.version = $3) order by v.version desc",
        mandate_id,
        file_id,
        version,
    )
    return [FileVersion(**dict(row)) for row in rows]


async def set_found(
    uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int, media_type: str, lie: str | None
) -> None:
    """Store what the scan of a version detected."""
    await uow.execute(
        "update file_versions set media_type = $4, lie = $5, known = true"
        " where mandate_id = $1 and file_id = $2 and version = $3",
        mandate_id,
        file_id,
        version,
        media_type,
        lie,
    )
