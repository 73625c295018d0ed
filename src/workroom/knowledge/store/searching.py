"""Finding chunks by words and by meaning, only in what somebody may read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.files.access import Reach
from workroom.knowledge.store.vectors import literal, table
from workroom.knowledge.types import ChunkKey, Found, Layer

if TYPE_CHECKING:
    from workroom.models.embeddings.ports import Vector

K1, B = 1.2, 0.75
MOST_LEXEMES = 100

# The second wall beside row-level security: what the service says somebody may see, spelled out.
READABLE = """
readable as materialized (
    select f.file_id, f.instance_id, k.chunks, k.length, f.visibility = 'ALL' as shared
    from files f join knowledge_files k on k.mandate_id = f.mandate_id and k.file_id = f.file_id
    where f.mandate_id = $1 and f.deleted_at is null and f.status <> 'archived' and k.chunks > 0
        and k.version = f.version
        and (f.instance_id = $2 and ($4 or (f.owner_id = $3 and $5) or (f.visibility = 'GROUP' and $6))
            or f.visibility = 'ALL' and $7)
        and (cardinality($8::uuid[]) = 0 or f.file_id = any($8))
)"""
WORDS = f"""
with {READABLE},
total as (select sum(chunks)::float as chunks, sum(length)::float / greatest(sum(chunks), 1) as length from readable),
hits as (
    select p.lexeme, p.file_id, r.shared, u.chunk, u.tf, u.length
    from postings p join readable r on r.file_id = p.file_id, unnest(p.chunks, p.tfs, p.lengths) as u(chunk, tf, length)
    where p.mandate_id = $1 and p.instance_id in (select distinct instance_id from readable) and p.lexeme = any($9)
),
weights as (
    select lexeme, ln(1 + (t.chunks - count(*) + .5) / (count(*) + .5)) as idf from hits, total t group by lexeme, t.chunks
)
select h.file_id, h.chunk, h.shared, array_agg(h.lexeme order by w.idf desc) as lexemes,
    sum(w.idf * h.tf * ({K1} + 1) / (h.tf + {K1} * (1 - {B} + {B} * h.length / greatest(t.length, 1)))) as score
from hits h join weights w on w.lexeme = h.lexeme, total t
group by h.file_id, h.chunk, h.shared order by score desc, h.file_id, h.chunk limit $10"""


@dataclass(frozen=True)
class Scope:
    """Where is searched, for whom."""

    mandate_id: UUID
    instance_id: UUID
    reach: Reach
    file_ids: Sequence[UUID] = ()

    @property
    def args(self) -> list[Any]:
        reach = self.reach
        return [
            self.mandate_id,
            self.instance_id,
            reach.user_id,
            reach.all,
            reach.own,
            reach.group,
            reach.shared,
            list(self.file_ids),
        ]


async def lexemes(uow: UnitOfWork, scope: Scope, text: str) -> list[str]:
    """Those of a question, as each language among the readable files would have them."""
    rows = await uow.fetch(
        f"with {READABLE} select distinct l.lexeme, min(l.positions[1]) as place from (select distinct k.language"
        " from readable r join knowledge_files k on k.mandate_id = $1 and k.file_id = r.file_id) as used,"
        " unnest(to_tsvector(used.language::regconfig, $9)) as l group by l.lexeme order by place limit $10",
        *scope.args,
        text,
        MOST_LEXEMES,
    )
    return [row["lexeme"] for row in rows]


async def by_words(uow: UnitOfWork, scope: Scope, wanted: Sequence[str], most: int) -> list[Found]:
    rows = await uow.fetch(WORDS, *scope.args, list(wanted), most)
    return [
        Found(ChunkKey(row["file_id"], row["chunk"]), _layer(row), words=row["score"], lexemes=tuple(row["lexemes"]))
        for row in rows
    ]


async def by_meaning(uow: UnitOfWork, scope: Scope, embedder: str, vector: Vector, most: int) -> list[Found]:
    rows = await uow.fetch(
        f"with {READABLE} select v.file_id, v.chunk, r.shared, -(v.vector <#> $9::text::halfvec) as likeness"
        f" from {table(len(vector))} v join readable r on r.file_id = v.file_id"
        " where v.mandate_id = $1 and v.instance_id in (select distinct instance_id from readable) and v.embedder = $10"
        " order by v.vector <#> $9::text::halfvec, v.file_id, v.chunk limit $11",
        *scope.args,
        literal(vector),
        embedder,
        most,
    )
    return [Found(ChunkKey(row["file_id"], row["chunk"]), _layer(row), meaning=row["likeness"]) for row in rows]


async def likeness(
    uow: UnitOfWork, mandate_id: UUID, keys: Sequence[ChunkKey], embedder: str, vector: Vector
) -> dict[ChunkKey, float]:
    """Of chunks that words have found."""
    rows = await uow.fetch(
        f"select v.file_id, v.chunk, -(v.vector <#> $4::text::halfvec) as likeness from {table(len(vector))} v"
        " join unnest($2::uuid[], $3::int[]) as wanted(file_id, chunk) using (file_id, chunk)"
        " where v.mandate_id = $1 and v.embedder = $5",
        mandate_id,
        [key.file_id for key in keys],
        [key.chunk for key in keys],
        literal(vector),
        embedder,
    )
    return {ChunkKey(row["file_id"], row["chunk"]): row["likeness"] for row in rows}


def _layer(row: Any) -> Layer:
    return Layer.SHARED if row["shared"] else Layer.INSTANCE
