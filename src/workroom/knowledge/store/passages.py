"""Chunks and the words in them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import md5
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.knowledge.languages import comparable
from workroom.knowledge.types import Chunk

LONGEST_LEXEME = 200
LEXED_AT_ONCE = 2_000

# Answers with how many words there were.
POSTINGS = f"""
with counted as materialized (
    select chunk, lexeme, least(cardinality(positions), 32767)::smallint as tf,
        least(sum(cardinality(positions)) over (partition by chunk), 32767)::smallint as length
    from unnest($4::int[], $5::text[]) as given(chunk, text), unnest(to_tsvector($6::text::regconfig, text))
), put as (
    insert into postings as p (mandate_id, instance_id, lexeme, file_id, chunks, tfs, lengths)
    select $1, $2, lexeme, $3, array_agg(chunk order by chunk), array_agg(tf order by chunk), array_agg(length order by chunk)
    from counted where length(lexeme) <= {LONGEST_LEXEME} group by lexeme
    on conflict (mandate_id, instance_id, lexeme, file_id) do update set
        chunks = p.chunks || excluded.chunks, tfs = p.tfs || excluded.tfs, lengths = p.lengths || excluded.lengths
)
select coalesce(sum(tf), 0)::int from counted where length(lexeme) <= {LONGEST_LEXEME}"""


async def append(
    uow: UnitOfWork,
    mandate_id: UUID,
    instance_id: UUID,
    file_id: UUID,
    start: int,
    chunks: Sequence[Chunk],
    language: str,
) -> None:
    """More passages of a file, numbered from `start`; they can be searched from then on."""
    await uow.executemany(
        "insert into chunks (mandate_id, file_id, chunk, inside, text, ref, tokens) values ($1, $2, $3, $4, $5, $6, $7)",
        (
            (mandate_id, file_id, n, chunk.inside, chunk.text, _ref(chunk), chunk.tokens)
            for n, chunk in enumerate(chunks, start)
        ),
    )
    where, end = (mandate_id, instance_id, file_id), start + len(chunks)
    words = await _say(uow, *where, [(n, chunk.text) for n, chunk in enumerate(chunks, start)], language)
    await uow.execute(
        "update knowledge_files set chunks = $3, language = $4, length = length + $5 where mandate_id = $1 and file_id = $2",
        mandate_id,
        file_id,
        end,
        language,
        words,
    )


async def set_language(uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, file_id: UUID, language: str) -> None:
    """The same passages, with their words as another language has them."""
    await uow.execute("delete from postings where mandate_id = $1 and file_id = $2", mandate_id, file_id)
    rows = await uow.fetch(
        "select chunk, text from chunks where mandate_id = $1 and file_id = $2 order by chunk", mandate_id, file_id
    )
    words = await _say(uow, mandate_id, instance_id, file_id, [(row["chunk"], row["text"]) for row in rows], language)
    await uow.execute(
        "update knowledge_files set language = $3, length = $4 where mandate_id = $1 and file_id = $2",
        mandate_id,
        file_id,
        language,
        words,
    )


async def _say(
    uow: UnitOfWork,
    mandate_id: UUID,
    instance_id: UUID,
    file_id: UUID,
    numbered: Sequence[tuple[int, str]],
    language: str,
) -> int:
    """Stores which words they say, and answers how many."""
    words = 0
    for start in range(0, len(numbered), LEXED_AT_ONCE):
        some = numbered[start : start + LEXED_AT_ONCE]
        numbers, texts = [n for n, _ in some], [comparable(text) for _, text in some]
        words += await uow.fetchval(POSTINGS, mandate_id, instance_id, file_id, numbers, texts, language, writes=True)
    return words


async def digests(uow: UnitOfWork, mandate_id: UUID, file_id: UUID) -> dict[int, str]:
    """What the passages of a file say, each as `digest` has it."""
    rows = await uow.fetch(
        "select chunk, md5(text) as digest from chunks where mandate_id = $1 and file_id = $2", mandate_id, file_id
    )
    return {row["chunk"]: row["digest"] for row in rows}


def digest(chunk: Chunk) -> str:
    return md5(chunk.text.encode(), usedforsecurity=False).hexdigest()


async def copy(
    uow: UnitOfWork, mandate_id: UUID, instance_id: UUID, file_id: UUID, twin: UUID, embedder: str, dimensions: int
) -> bool:
    """What another file of equal content has. False when that has changed meanwhile, or has other vectors."""
    row = await uow.fetchrow(
        "select chunks, length, language, notes, embedder, dimensions, unread, recognised from knowledge_files"
        " where mandate_id = $1 and file_id = $2 and (state = 'indexed' or wanted is not null) for share",
        mandate_id,
        twin,
        writes=True,
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
    await uow.execute(
        "update knowledge_files set chunks = $3, length = $4, language = $5, notes = $6, unread = $7, recognised = $8"
        " where mandate_id = $1 and file_id = $2",
        mandate_id,
        file_id,
        row["chunks"],
        row["length"],
        row["language"],
        row["notes"],
        row["unread"],
        row["recognised"],
    )
    return True


async def clear(uow: UnitOfWork, mandate_id: UUID, file_id: UUID) -> None:
    """Nothing is found in it any more. Its vectors are the caller's to forget."""
    for table in ("chunks", "postings"):
        await uow.execute(f"delete from {table} where mandate_id = $1 and file_id = $2", mandate_id, file_id)
    await uow.execute(
        "update knowledge_files set chunks = 0, length = 0, language = 'simple', notes = '{}'"
        " where mandate_id = $1 and file_id = $2",
        mandate_id,
        file_id,
    )


async def note(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, notes: Sequence[str]) -> None:
    """What of it cannot be searched, and why."""
    sql = "update knowledge_files set notes = $3 where mandate_id = $1 and file_id = $2"
    await uow.execute(sql, mandate_id, file_id, list(notes))


async def texts(uow: UnitOfWork, mandate_id: UUID, file_id: UUID, numbers: Sequence[int]) -> list[str]:
    rows = await uow.fetch(
        "select text from chunks where mandate_id = $1 and file_id = $2 and chunk = any($3) order by chunk",
        mandate_id,
        file_id,
        numbers,
    )
    return [row["text"] for row in rows]


def _ref(chunk: Chunk) -> str:
    return json.dumps(chunk.ref.model_dump(mode="json", by_alias=False, exclude={"container_path"}, exclude_none=True))
