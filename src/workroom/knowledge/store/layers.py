"""What everybody shares, when it is large: then its nearest vectors are found by an index (`workroom db index` builds it)
instead of by comparing all of them.

The index holds all vectors of a model in a mandate; what a person may not read is passed over while it is read, until enough
was found. Which index is used is known by its name, so nothing has to be kept in step with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import md5
from typing import TYPE_CHECKING
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.db.vector_index import VectorIndex
from workroom.knowledge.store import search_queries
from workroom.knowledge.store.search_queries import ONCE, READABLE, SearchScope
from workroom.knowledge.store.vectors import DIMENSIONS, literal, table
from workroom.knowledge.types import ChunkHit, ChunkKey, KnowledgeLayer

if TYPE_CHECKING:
    from workroom.models.embeddings.ports import Vector

LARGE = 100_000  # passages
LOOKED_AT = 200  # neighbours at once; more are looked at while too few of them may be read

# Only a plan for these very values can know that the index is about them.
SETTINGS = f"""set local plan_cache_mode = force_custom_plan;
set local hnsw.iterative_scan = relaxed_order; set local hnsw.ef_search = {LOOKED_AT}"""

# `is true` keeps it from becoming a join, which would have to read all vectors.
NEAREST = f"""
with {READABLE}
select v.file_id, v.chunk, -(v.vector <#> {ONCE.format("$10")}) as likeness from {{table}} v
where v.mandate_id = $1 and v.embedder = $11
    and (v.file_id in (select file_id from readable where shared and (embedder is null or embedder = $11))) is true
order by v.vector <#> {ONCE.format("$10")} limit $12"""


@dataclass(frozen=True)
class SharedLayer:
    """The shared files of a mandate that have vectors of one model."""

    mandate_id: UUID
    embedder: str
    dimensions: int
    chunks: int

    @property
    def index(self) -> VectorIndex:
        name = index_name(self.mandate_id, self.embedder, self.dimensions)
        return VectorIndex(name, table(self.dimensions), self.mandate_id, self.embedder)


def index_name(mandate_id: UUID, embedder: str, dimensions: int) -> str:
    digest = md5(f"{mandate_id} {embedder}".encode(), usedforsecurity=False).hexdigest()
    return f"{table(dimensions)}_hnsw_{digest[:16]}"


async def survey(uow: UnitOfWork) -> Sequence[SharedLayer]:
    """Of all mandates, largest first, as the system actor `sweep`."""
    rows = await uow.fetch(
        "select k.mandate_id, k.embedder, k.dimensions, coalesce(sum(k.chunks) filter (where f.visibility = 'ALL'"
        " and f.deleted_at is null and f.status <> 'archived'), 0)::bigint as chunks"
        " from knowledge_files k join files f on f.mandate_id = k.mandate_id and f.file_id = k.file_id"
        " where k.embedder is not null and k.chunks > 0 and k.dimensions = any($1)"
        " group by k.mandate_id, k.embedder, k.dimensions order by chunks desc, k.mandate_id, k.embedder",
        list(DIMENSIONS),
    )
    return [SharedLayer(**dict(row)) for row in rows]


async def by_meaning(uow: UnitOfWork, scope: SearchScope, embedder: str, vector: Vector, most: int) -> list[ChunkHit]:
    """Most alike first. Exact, but for a large shared layer."""
    name = index_name(scope.mandate_id, embedder, len(vector))
    if scope.file_ids or not scope.reach.shared or not await _is_indexed(uow, name):
        return await search_queries.by_meaning(uow, scope, embedder, vector, most)
    own = await search_queries.by_meaning(uow, scope, embedder, vector, most, own=True)
    await uow.execute(SETTINGS)
    rows = await uow.fetch(NEAREST.format(table=table(len(vector))), *scope.args, literal(vector), embedder, most)
    shared = [
        ChunkHit(ChunkKey(row["file_id"], row["chunk"]), KnowledgeLayer.SHARED, meaning=row["likeness"], model=embedder)
        for row in rows
    ]
    return sorted([*own, *shared], key=lambda item: -(item.meaning or 0.0))[:most]


async def _is_indexed(uow: UnitOfWork, name: str) -> bool:
    return bool(
        await uow.fetchval("select indisvalid from pg_index where indexrelid = to_regclass('workroom.' || $1)", name)
    )
