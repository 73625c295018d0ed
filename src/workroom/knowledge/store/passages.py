"""Chunks and the words in them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import md5
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.knowledge.languages import comparable
from workroom.knowledge.types import Chunk

LEXED_AT_ONCE = 500
LONGEST_LEXEME = 200

POSTINGS = f"""
insert into postings as p (mandate_id, instance_id, lexeme, file_id, chunks, tfs, lengths)
select $1, $2, lexeme, $3, array_agg(chunk order by chunk), array_agg(tf order by chunk), array_agg(length order by chunk)
from (
    select chunk, lexeme, least(cardinality(positions), 32767)::smallint as tf,
        least(sum(cardinality(positions)) over (partition by chunk), 32767)::smallint as length
    from unnest($4::int[], $5::text[]) as given(chunk, text), unnest(to_tsvector($6::text::regconfig, text))
) as counted
where length(lexeme) <= {LONGEST_LEXEME}
group by lexeme
on conflict (mandate_id, instance_id, lexeme, file_id) do update set
    chunks = p.chunks || excluded.chunks, tfs = p.tfs || excluded.tfs, lengths = p.lengths || excluded.lengths"""


async def replace(
    uow: UnitOfWork,
    mandate_id: UUID,
    instance_id: UUID,
    file_id: UUID,
    chunks: Sequence[Chunk],
    language: str,
    notes: Sequence[str],
) -> None:
    """All of a file's passages, instead of what was there. Vectors of the old ones are the caller's to forget."""
    await clear(uow, mandate_id, file_id)
    await uow.executemany(
        "insert into chunks (mandate_id, file_id, chunk, inside, text, ref, tokens) values ($1, $2, $3, $4, $5, $6, $7)",
        (
            (mandate_id, file_id, n, chunk.inside, chunk.text, _ref(chunk), chunk.tokens)
            for n, chunk in enumerate(chunks)
        ),
    )
    for start in range(0, len(chunks), LEXED_AT_ONCE):
        some = chunks[start : start + LEXED_AT_ONCE]
        numbers, texts = list(range(start, start + len(some))), [comparable(chunk.text) for chunk in some]
        await uow.execute(POSTINGS, mandate_id, instance_id, file_id, numbers, texts, language)
    await _count(uow, mandate_id, file_id, len(chunks), language, list(notes))


async def unchanged(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, chunks: Sequence[Chunk]) -> list[int]:
    """Which of these say word for word what the file's passages of the same number say now."""
    rows = await uow.fetch(
        "select chunk, md5(text) as digest from chunks where mandate_id = $1 and file_id = $2", mandate_id, file_id
    )
    known = {row["chunk"]: row["digest"] for row in rows}
    digests = (md5(chunk.text.encode(), usedforsecurity=False).hexdigest() for chunk in chunks)
    return [number for number, digest in enumerate(digests) if known.get(number) == digest]


async def copy(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, file_id: UUID, twin: UUID, embedder: str, dimensions: int
) -> bool:
    """What another file of equal content has. False when that has changed meanwhile, or has other vectors."""
    row = await uow.fetchrow(
        "select chunks, language, notes, embedder, dimensions from knowledge_files where mandate_id = $1 and file_id = $2"
        " and (state = 'indexed' or wanted is not null) for share",
        mandate_id,
        twin,
    )
    if row is None or (row["embedder"], row["dimensions"]) != (embedder, dimensions):
        return False
    await clear(uow, mandate_id, file_id)
    await uow.execute(
        "insert into chunks (mandate_id, file_id, chunk, inside, text, ref, tokens)"
        " select mandate_id, $3, chunk, inside, text, ref, tokens from chunks where mandate_id = $1 and file_id = $2",
        mandate_id,
        twin,
        file_id,
    )
    await uow.execute(
        "insert into postings (mandate_id, instance_id, lexeme, file_id, chunks, tfs, lengths)"
        " select mandate_id, $4, lexeme, $3, chunks, tfs, lengths from postings where mandate_id = $1 and file_id = $2",
        mandate_id,
        twin,
        file_id,
        instance_id,
    )
    await _count(uow, mandate_id, file_id, row["chunks"], row["language"], row["notes"])
    return True


async def clear(uow: UnitOfWork, mandate_id: UUID, file_id: UUID) -> None:
    for table in ("chunks", "postings"):
        await uow.execute(f"delete from {table} where mandate_id = $1 and file_id = $2", mandate_id, file_id)


async def texts(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, numbers: Sequence[int]) -> list[str]:
    rows = await uow.fetch(
        "select text from chunks where mandate_id = $1 and file_id = $2 and chunk = any($3) order by chunk",
        mandate_id,
        file_id,
        numbers,
    )
    return [row["text"] for row in rows]


async def _count(
    uow: UnitOfWork, mandate_id: UUID, file_id: UUID, chunks: int, language: str, notes: Sequence[str]
) -> None:
    await uow.execute(
        "update knowledge_files set chunks = $3, language = $4, notes = $5, length = coalesce((select sum(t) from postings p,"
        " unnest(p.tfs) as t where p.mandate_id = $1 and p.file_id = $2), 0) where mandate_id = $1 and file_id = $2",
        mandate_id,
        file_id,
        chunks,
        language,
        list(notes),
    )


def _ref(chunk: Chunk) -> str:
    return json.dumps(chunk.ref.model_dump(mode="json", by_alias=False, exclude={"container_path"}, exclude_none=True))
