"""Vectors of chunks, one table per dimension."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from workroom.core.errors import ConfigurationError
from workroom.db import UnitOfWork

if TYPE_CHECKING:
    from workroom.models.embeddings.ports import Vector

DIMENSIONS = (256, 384, 512, 768, 1024, 1536, 3072)


def table(dimensions: int) -> str:
    if dimensions not in DIMENSIONS:
        known = ", ".join(map(str, DIMENSIONS))
        raise ConfigurationError(f"Vectors of {dimensions} dimensions cannot be kept. Choose a model with {known}.")
    return f"vectors_{dimensions}"


async def missing(
    uow: UnitOfWork, mandate_id: UUID, file_id: UUID, embedder: str, dimensions: int, most: int
) -> tuple[int, list[tuple[int, str]]]:
    """Chunks without a vector of this model: how many there are, and the first of them."""
    rows = await uow.fetch(
        "select c.chunk, c.text, count(*) over () as remaining from chunks c"
        " where c.mandate_id = $1 and c.file_id = $2 and not exists ("
        f"select from {table(dimensions)} v where v.mandate_id = $1 and v.file_id = $2 and v.chunk = c.chunk"
        " and v.embedder = $3) order by c.chunk limit $4",
        mandate_id,
        file_id,
        embedder,
        most,
    )
    return (rows[0]["remaining"] if rows else 0), [(row["chunk"], row["text"]) for row in rows]


async def add(
    uow: UnitOfWork,
    mandate_id: UUID,
    instance_id: UUID,
    file_id: UUID,
    embedder: str,
    vectors: Sequence[tuple[int, Vector]],
) -> None:
    """Nothing happens for chunks that have one, or are gone by now."""
    if not vectors:
        return
    name = table(len(vectors[0][1]))
    await uow.execute(
        f"insert into {name} (mandate_id, instance_id, file_id, chunk, embedder, vector)"
        " select $1, $2, $3, given.chunk, $4, given.vector::halfvec from unnest($5::int[], $6::text[]) as given(chunk, vector)"
        " join chunks c on c.mandate_id = $1 and c.file_id = $3 and c.chunk = given.chunk on conflict do nothing",
        mandate_id,
        instance_id,
        file_id,
        embedder,
        [chunk for chunk, _ in vectors],
        [literal(vector) for _, vector in vectors],
    )


async def copy(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, file_id: UUID, twin: UUID, embedder: str, dimensions: int
) -> None:
    name = table(dimensions)
    await uow.execute(
        f"insert into {name} (mandate_id, instance_id, file_id, chunk, embedder, vector)"
        f" select mandate_id, $3, $4, chunk, embedder, vector from {name}"
        " where mandate_id = $1 and file_id = $2 and embedder = $5",
        mandate_id,
        twin,
        instance_id,
        file_id,
        embedder,
    )


async def clear(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, but: str = "") -> None:
    """All of a file's vectors, but for those of one model."""
    for dimensions in DIMENSIONS:
        await uow.execute(
            f"delete from {table(dimensions)} where mandate_id = $1 and file_id = $2 and embedder <> $3",
            mandate_id,
            file_id,
            but,
        )


async def keep_only(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, chunks: Sequence[int]) -> None:
    """Those of these chunks; the others go."""
    for dimensions in DIMENSIONS:
        await uow.execute(
            f"delete from {table(dimensions)} where mandate_id = $1 and file_id = $2 and not chunk = any($3::int[])",
            mandate_id,
            file_id,
            chunks,
        )


def literal(vector: Vector) -> str:
    """As pgvector reads it."""
    return "[" + ",".join(f"{value:.6g}" for value in vector.tolist()) + "]"
