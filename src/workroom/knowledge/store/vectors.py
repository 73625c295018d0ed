"""Vectors of chunks, one table per dimension."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from workroom.core.errors import ConfigurationError
from workroom.db import UnitOfWork

if TYPE_CHECKING:
    from workroom.models.embeddings.ports import EmbedderInfo, Vector

DIMENSIONS = (256, 384, 512, 768, 1024, 1536, 3072)
ASIDE = 1_000_000  # behind all numbers of passages, which are not searched
LAST = 2 * ASIDE


def table(dimensions: int) -> str:
    if dimensions not in DIMENSIONS:
        known = ", ".join(map(str, DIMENSIONS))
        raise ConfigurationError(f"Vectors of {dimensions} dimensions cannot be kept. Choose a model with {known}.")
    return f"vectors_{dimensions}"


async def missing(
    uow: UnitOfWork, mandate_id: UUID, file_id: UUID, embedder: str, dimensions: int, most: int
) -> tuple[int, list[tuple[int, str]]]:
    """Chunks without a vector of this model: how many there are, and the first of them. What is there already is made a set of:
    looked up chunk by chunk, a file of thousands took as many looks at thousands of rows, for every batch."""
    rows = await uow.fetch(
        "with waiting as materialized (select chunk, count(*) over () as remaining from chunks"
        " where mandate_id = $1 and file_id = $2 and chunk not in ("
        f"select v.chunk from {table(dimensions)} v where v.mandate_id = $1 and v.file_id = $2 and v.embedder = $3)"
        " order by chunk limit $4)"
        " select w.chunk, c.text, w.remaining from waiting w"
        " join chunks c on c.mandate_id = $1 and c.file_id = $2 and c.chunk = w.chunk order by w.chunk",
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


async def copy_equal(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, file_id: UUID, twin: UUID, embedder: str, dimensions: int
) -> int:
    """Those of another file, for the chunks that say word for word the same."""
    name = table(dimensions)
    return await uow.execute(
        f"insert into {name} (mandate_id, instance_id, file_id, chunk, embedder, vector)"
        f" select v.mandate_id, $3, $4, v.chunk, v.embedder, v.vector from {name} v"
        " join chunks theirs on theirs.mandate_id = $1 and theirs.file_id = $2 and theirs.chunk = v.chunk"
        " join chunks mine on mine.mandate_id = $1 and mine.file_id = $4 and mine.chunk = v.chunk and mine.text = theirs.text"
        " where v.mandate_id = $1 and v.file_id = $2 and v.embedder = $5 on conflict do nothing",
        mandate_id,
        twin,
        instance_id,
        file_id,
        embedder,
    )


async def clear(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, but: EmbedderInfo | None = None) -> None:
    """All of a file's vectors, but for those of one model."""
    await clear_all(uow, mandate_id, [file_id], (but.ref, but.dimensions) if but else ("", 0))


async def clear_all(uow: UnitOfWork, mandate_id: UUID, file_ids: Sequence[UUID], but: tuple[str, int]) -> None:
    """Of several files that have the same model."""
    condition = "file_id = any($2) and embedder <> case $4::int when {dimensions} then $3 else '' end"
    await uow.execute(_everywhere(condition), mandate_id, file_ids, *but)


async def forget(
    uow: UnitOfWork, mandate_id: UUID, file_id: UUID, start: int, end: int, but: Sequence[int] = ()
) -> None:
    """Those of the chunks from `start` up to `end`, but for some."""
    condition = "file_id = $2 and chunk >= $3 and chunk < $4 and not chunk = any($5::int[])"
    await uow.execute(_everywhere(condition), mandate_id, file_id, start, end, but)


async def set_aside(
    uow: UnitOfWork, mandate_id: UUID, file_id: UUID, start: int, end: int, but: Sequence[int] = ()
) -> None:
    """Those of the chunks from `start` up to `end`, but for some: their numbers are free, and each is ASIDE more than before."""
    condition = "file_id = $2 and chunk >= $3 and chunk < $4 and not chunk = any($5::int[])"
    sql = _everywhere(condition, f"update {{table}} set chunk = chunk + {ASIDE}")
    await uow.execute(sql, mandate_id, file_id, start, end, but)


async def renumber(
    uow: UnitOfWork, mandate_id: UUID, file_id: UUID, before: Sequence[int], after: Sequence[int]
) -> None:
    """Each gets another number, which is free."""
    condition = "file_id = $2 and chunk = given.before"
    change = "update {table} set chunk = given.after from unnest($3::int[], $4::int[]) as given(before, after)"
    await uow.execute(_everywhere(condition, change), mandate_id, file_id, before, after)


def _everywhere(condition: str, change: str = "delete from {table}") -> str:
    """A change of all tables as one statement: for a small file, seven would be much of what it costs."""
    parts = (
        f"in_{one} as ({change.format(table=table(one))} where mandate_id = $1 and {condition.format(dimensions=one)})"
        for one in DIMENSIONS
    )
    return f"with {', '.join(parts)} select"


def literal(vector: Vector) -> str:
    """As pgvector reads it."""
    return "[" + ",".join(f"{value:.6g}" for value in vector.tolist()) + "]"
