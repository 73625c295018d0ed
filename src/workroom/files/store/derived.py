"""Sizes of data derived from files: extracted text per version, index entries of the newest."""

from __future__ import annotations

from uuid import UUID

from workroom.db import UnitOfWork


async def add_text(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int, size: int) -> None:
    await uow.execute(
        "update file_versions set text_bytes = text_bytes + $4 where mandate_id = $1 and file_id = $2 and version = $3",
        mandate_id,
        file_id,
        version,
        size,
    )


async def put(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, version: int, text: int, index: int) -> None:
    """Set the final sizes. Text that an interrupted extraction stored beyond that still counts."""
    await uow.execute(
        "update file_versions set text_bytes = greatest(text_bytes, $4)"
        " where mandate_id = $1 and file_id = $2 and version = $3",
        mandate_id,
        file_id,
        version,
        text,
    )
    await uow.execute(
        "update files set index_bytes = $3 where mandate_id = $1 and file_id = $2", mandate_id, file_id, index
    )


async def sizes(uow: UnitOfWork, mandate_id: UUID, file_id: UUID) -> tuple[int, int]:
    """Bytes of text and index of the newest version."""
    row = await uow.fetchrow(
        "select v.text_bytes, f.index_bytes from files f join file_versions v on v.mandate_id = f.mandate_id"
        " and v.file_id = f.file_id and v.version = f.version where f.mandate_id = $1 and f.file_id = $2",
        mandate_id,
        file_id,
    )
    return (row["text_bytes"], row["index_bytes"]) if row is not None else (0, 0)
