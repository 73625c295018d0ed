"""HNSW indexes over vectors: built and dropped without keeping anybody from writing."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from workroom.db.connection import connect
from workroom.db.roles import OWNER

MEMORY = "512MB"  # at most: a graph that does not fit into it takes many times as long


@dataclass(frozen=True)
class VectorIndex:
    """Over the vectors of one model in one mandate."""

    name: str
    table: str
    mandate_id: UUID
    embedder: str


async def built(dsn: str) -> set[str]:
    """The names of all there are, also of those whose building was interrupted."""
    connection = await connect(dsn)
    try:
        rows = await connection.fetch(
            "select i.relname from pg_class i join pg_am a on a.oid = i.relam"
            " where a.amname = 'hnsw' and i.relkind = 'i' and i.relnamespace = 'workroom'::regnamespace"
        )
        return {row["relname"] for row in rows}
    finally:
        await connection.close(timeout=5)


async def usable(dsn: str) -> set[str]:
    """The names of those that were built to their end."""
    connection = await connect(dsn)
    try:
        rows = await connection.fetch(
            "select i.relname from pg_class i join pg_am a on a.oid = i.relam join pg_index x on x.indexrelid = i.oid"
            " where a.amname = 'hnsw' and i.relnamespace = 'workroom'::regnamespace and x.indisvalid"
        )
        return {row["relname"] for row in rows}
    finally:
        await connection.close(timeout=5)


async def build(migration_dsn: str, target: VectorIndex) -> None:
    """A half-built index of an interrupted try is replaced."""
    connection = await connect(migration_dsn)
    try:
        await connection.execute(f"set role {OWNER}")
        await connection.execute(f"set maintenance_work_mem = '{MEMORY}'")
        await connection.execute(f'drop index concurrently if exists workroom."{target.name}"')
        embedder = await connection.fetchval("select quote_literal($1::text)", target.embedder)
        await connection.execute(
            f'create index concurrently "{target.name}" on workroom."{target.table}"'
            f" using hnsw (vector public.halfvec_ip_ops) where mandate_id = '{target.mandate_id}' and embedder = {embedder}",
            timeout=None,
        )
    finally:
        await connection.close(timeout=5)


async def drop(migration_dsn: str, name: str) -> None:
    connection = await connect(migration_dsn)
    try:
        await connection.execute(f"set role {OWNER}")
        await connection.execute(f'drop index concurrently if exists workroom."{name}"')
    finally:
        await connection.close(timeout=5)
