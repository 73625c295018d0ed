"""The chunks of one file, in reading order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.files.types import File
from workroom.knowledge.store.vectors import table


async def listed(uow: UnitOfWork, mandate_id: UUID, file: File, start: int, most: int) -> Sequence[Any]:
    """From number `start` on. `file` is what the right to read was asked for: if it has changed since, there are none."""
    return await uow.fetch(
        "select c.chunk, c.inside, c.text, c.ref, c.tokens, f.name, f.media_type, f.version, k.language, k.embedder,"
        " k.dimensions from chunks c join files f on f.mandate_id = c.mandate_id and f.file_id = c.file_id"
        " join knowledge_files k on k.mandate_id = c.mandate_id and k.file_id = c.file_id and k.version = f.version"
        " where c.mandate_id = $1 and c.file_id = $2 and c.chunk >= $3 and f.version = $4 and f.visibility = $5"
        " and f.owner_id = $6 and f.deleted_at is null order by c.chunk limit $7",
        mandate_id,
        file.id,
        start,
        file.version,
        file.visibility,
        file.owner_id,
        most,
    )


async def embedded(
    uow: UnitOfWork, mandate_id: UUID, file_id: UUID, embedder: str, dimensions: int, numbers: Sequence[int]
) -> set[int]:
    """Which of these have a vector of that model."""
    rows = await uow.fetch(
        f"select chunk from {table(dimensions)} where mandate_id = $1 and file_id = $2 and embedder = $3"
        " and chunk = any($4)",
        mandate_id,
        file_id,
        embedder,
        list(numbers),
    )
    return {row["chunk"] for row in rows}
