"""Finding chunks by words and by meaning, only in what a person may read."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.files.store.files import reached_file
from workroom.identity.sharing import ReadableScope
from workroom.knowledge import compounds
from workroom.knowledge.compounds import Lexeme
from workroom.knowledge.store.vectors import literal, table
from workroom.knowledge.types import ChunkHit, ChunkKey, KnowledgeLayer

if TYPE_CHECKING:
    from workroom.models.embeddings.ports import Vector

K1, B = 1.2, 0.75
FREE, BOUND = K1 * (1 - B), K1 * B  # of K1, what does not and what does depend on how long a chunk is
AVERAGE = "(select length from total)"
MOST_LEXEMES = 100
QUESTIONS_IN = ("english", "german", "french", "portuguese", "spanish", "italian")  # beside the languages of the files
WORD = re.compile(r"[^\W\d_]+")
PART = 0.5  # of a compound, against a word that was asked for
# A parameter that is cast is cast for every row it is compared with, once a plan is for all parameters: reading 256 numbers
# took nine tenths of every search. What a sub-select gives is read once.
ONCE = "(select {}::text::halfvec)"

# The second wall beside row-level security: what the service says a person may see, spelled out.
READABLE = f"""
readable as materialized (
    select f.file_id, f.instance_id, k.chunks, k.length, k.language, k.embedder, f.visibility = 'ALL' as shared
    from files f join knowledge_files k on k.mandate_id = f.mandate_id and k.file_id = f.file_id
    where f.mandate_id = $1 and f.deleted_at is null and f.status <> 'archived' and k.chunks > 0
        and k.version = f.version
        and {reached_file(3, "f")}
        and (cardinality($9::uuid[]) = 0 or f.file_id = any($9))
)"""
# Workspaces as an array and not a join: so the primary keys, which begin with them, are used.
THERE = "array(select distinct instance_id from readable)"
# How rare a word is, is known from the postings before they are taken apart, and what else is told of a chunk is told only
# of those that are shown: the middle of it is one sum per chunk.
WORDS = f"""
with {READABLE},
total as materialized (
    select sum(chunks)::float8 as chunks, greatest(sum(length)::float8 / greatest(sum(chunks), 1), 1) as length from readable
),
said as materialized (
    select p.lexeme, p.file_id, r.shared, p.chunks, p.tfs, p.lengths from postings p join readable r on r.file_id = p.file_id
    where p.mandate_id = $1 and p.instance_id = any({THERE}) and p.lexeme = any($10::text[] || $12::text[])
),
weights as materialized (
    select lexeme, ln(1 + (t.chunks - known + 0.5::float8) / (known + 0.5::float8))
        * case when lexeme = any($12::text[]) then {PART} else 1 end::float8 as idf
    from (select lexeme, sum(cardinality(chunks))::float8 as known from said group by lexeme) as counted, total t
),
hits as (
    select s.file_id, w.idf, unnest(s.chunks) as chunk, unnest(s.tfs) as tf, unnest(s.lengths) as length
    from said s join weights w on w.lexeme = s.lexeme
),
best as materialized (
    select file_id, chunk,
        sum(idf * {K1 + 1}::float8 * tf / (tf + {FREE:.6g}::float8 + {BOUND:.6g}::float8 * length / {AVERAGE})) as score
    from hits group by file_id, chunk order by score desc, file_id, chunk limit $11
)
select b.file_id, b.chunk, s.shared, b.score, array_agg(s.lexeme order by w.idf desc, s.lexeme) as lexemes
from best b join said s on s.file_id = b.file_id and b.chunk = any(s.chunks) join weights w on w.lexeme = s.lexeme
group by b.file_id, b.chunk, s.shared, b.score order by b.score desc, b.file_id, b.chunk"""
# Small words of the language that a question is asked in are no words of it: "is" and "the" are rare in French files, and
# would count for more than all others. That language is the one that has most of the question's words among its small ones.
LEXEMES = f"""
with {READABLE},
used as (select distinct language from readable),
small as (
    select l.language, w.word
    from (select language from used union select unnest($14::text[])) as l, unnest($13::text[]) as w(word)
    where to_tsvector(l.language::regconfig, w.word) = ''::tsvector
),
asked_in as (
    select language from small group by language
    order by count(*) + case when language in (select language from used) then 0.5 else 0 end desc, language limit 1
),
noise as (select coalesce(string_agg(word, ' '), '') as words from small where language = (select language from asked_in))
select l.lexeme, min(l.positions[1]) as place, bool_or(used.language = any($12)) as is_compounding
from used, noise, unnest(to_tsvector(used.language::regconfig, $10)) as l
where l.lexeme <> all(tsvector_to_array(to_tsvector(used.language::regconfig, noise.words)))
group by l.lexeme order by place, l.lexeme limit $11"""


@dataclass(frozen=True)
class SearchScope:
    """Where is searched, for whom."""

    mandate_id: UUID
    instance_id: UUID
    reach: ReadableScope
    file_ids: Sequence[UUID] = ()

    @property
    def args(self) -> list[Any]:
        return [self.mandate_id, self.instance_id, *self.reach.args, list(self.file_ids)]


async def embedders(uow: UnitOfWork, scope: SearchScope) -> list[str | None]:
    """Whose vectors the readable files have, those with the most passages first; None: some have only begun to get them."""
    rows = await uow.fetch(
        f"with {READABLE} select embedder from readable group by embedder order by sum(chunks) desc, embedder",
        *scope.args,
    )
    return [row["embedder"] for row in rows]


async def lexemes(uow: UnitOfWork, scope: SearchScope, text: str) -> list[Lexeme]:
    """Those of a question, as each language among the readable files would have them."""
    words = list(dict.fromkeys(word.casefold() for word in WORD.findall(text)))[:MOST_LEXEMES]
    rows = await uow.fetch(
        LEXEMES, *scope.args, text, MOST_LEXEMES, list(compounds.LANGUAGES), words, list(QUESTIONS_IN)
    )
    pieces = set[str]().union(*(compounds.pieces(row["lexeme"]) for row in rows if row["is_compounding"]))
    known = await _known(uow, scope, pieces) if pieces else set()
    return [Lexeme.of(row["lexeme"], compounds.parts(row["lexeme"], known)) for row in rows]


async def _known(uow: UnitOfWork, scope: SearchScope, pieces: Collection[str]) -> set[str]:
    """Those that are words of readable files, in a language that puts words together."""
    rows = await uow.fetch(
        f"with {READABLE} select piece from unnest($10::text[]) as piece where exists (select from postings p"
        f" join readable r on r.file_id = p.file_id where p.mandate_id = $1 and p.instance_id = any({THERE})"
        " and p.lexeme = piece and r.language = any($11))",
        *scope.args,
        list(pieces),
        list(compounds.LANGUAGES),
    )
    return {row["piece"] for row in rows}


async def by_words(uow: UnitOfWork, scope: SearchScope, wanted: Sequence[Lexeme], most: int) -> list[ChunkHit]:
    parts = {part for lexeme in wanted for part in lexeme.parts} - set(wanted)
    rows = await uow.fetch(WORDS, *scope.args, list(wanted), most, list(parts))
    return [
        ChunkHit(ChunkKey(row["file_id"], row["chunk"]), _layer(row), words=row["score"], lexemes=_asked(wanted, row))
        for row in rows
    ]


def _asked(wanted: Sequence[Lexeme], row: Any) -> tuple[str, ...]:
    """Which words of the question a chunk has, the rarest first. A compound whose parts are all there is there, too."""
    said = list(row["lexemes"])
    whole = [lexeme for lexeme in wanted if lexeme.parts and lexeme not in said and set(lexeme.parts) <= set(said)]
    return (*(lexeme for lexeme in said if lexeme in wanted), *whole)


async def by_meaning(
    uow: UnitOfWork, scope: SearchScope, embedder: str, vector: Vector, most: int, *, own: bool = False
) -> list[ChunkHit]:
    """Where a file is getting the vectors of another model, only the old ones count: all of them are there. Of one that is still
    being read, only what was read: behind that lie those of an older version. `own`: not in
    what everybody shares. Exact: an index (`layers.py`) orders by the distance itself, never by a sum with it."""
    where = "v.instance_id = $2 and not r.shared" if own else f"v.instance_id = any({THERE})"
    rows = await uow.fetch(
        f"with {READABLE} select v.file_id, v.chunk, r.shared, (v.vector <#> {ONCE.format('$10')}) + 0 as distance"
        f" from {table(len(vector))} v join readable r on r.file_id = v.file_id"
        f" where v.mandate_id = $1 and {where} and v.embedder = $11 and (r.embedder is null or r.embedder = $11)"
        " and v.chunk < r.chunks"
        " order by distance, v.file_id, v.chunk limit $12",
        *scope.args,
        literal(vector),
        embedder,
        most,
    )
    return [
        ChunkHit(ChunkKey(row["file_id"], row["chunk"]), _layer(row), meaning=-row["distance"], model=embedder)
        for row in rows
    ]


async def likeness(
    uow: UnitOfWork, mandate_id: UUID, keys: Sequence[ChunkKey], embedder: str, vector: Vector
) -> dict[ChunkKey, float]:
    """Of chunks that words have found. Each is looked up by its key: the planner would rather read the table once more."""
    rows = await uow.fetch(
        f"select wanted.file_id, wanted.chunk, -(v.vector <#> {ONCE.format('$4')}) as likeness"
        " from unnest($2::uuid[], $3::int[]) as wanted(file_id, chunk)"
        " join knowledge_files k on k.mandate_id = $1 and k.file_id = wanted.file_id and (k.embedder is null or k.embedder = $5),"
        f" lateral (select from_key.vector from {table(len(vector))} as from_key where from_key.mandate_id = $1"
        " and from_key.instance_id = k.instance_id and from_key.file_id = wanted.file_id and from_key.chunk = wanted.chunk"
        " and from_key.embedder = $5 limit 1) as v",
        mandate_id,
        [key.file_id for key in keys],
        [key.chunk for key in keys],
        literal(vector),
        embedder,
    )
    return {ChunkKey(row["file_id"], row["chunk"]): row["likeness"] for row in rows}


async def named(uow: UnitOfWork, scope: SearchScope, names: Sequence[str], most: int) -> list[UUID]:
    """Searchable files whose name has one of these words, for words that at most so many names have. Lower case, letters only."""
    rows = await uow.fetch(
        f"with {READABLE}, called as (select r.file_id, replace(lower(f.name), '_', ' ') as name from readable r"
        " join files f on f.mandate_id = $1 and f.file_id = r.file_id)"
        " select unnest((array_agg(c.file_id order by c.file_id))[:$11]) as file_id from called c, unnest($10::text[]) as word"
        " where c.name ~ ('\\m' || word || '\\M') group by word having count(*) <= $11",
        *scope.args,
        list(names),
        most,
    )
    return list(dict.fromkeys(row["file_id"] for row in rows))


async def read(uow: UnitOfWork, scope: SearchScope, keys: Sequence[ChunkKey]) -> dict[ChunkKey, Any]:
    """Rows with the names of their files. What may be read is asked once more, in the statement that reads: a file can have
    been taken back since, and say something else by now."""
    rows = await uow.fetch(
        f"with {READABLE} select c.file_id, c.chunk, c.inside, c.text, c.ref, f.name, f.media_type, f.version,"
        " f.visibility, f.owner_id"
        " from chunks c join unnest($10::uuid[], $11::int[]) as wanted(file_id, chunk) using (file_id, chunk)"
        " join readable r on r.file_id = c.file_id join files f on f.mandate_id = c.mandate_id and f.file_id = c.file_id"
        " where c.mandate_id = $1",
        *scope.args,
        [key.file_id for key in keys],
        [key.chunk for key in keys],
    )
    return {ChunkKey(row["file_id"], row["chunk"]): row for row in rows}


def _layer(row: Any) -> KnowledgeLayer:
    return KnowledgeLayer.SHARED if row["shared"] else KnowledgeLayer.INSTANCE
