"""HNSW indexes for large vector tables. Small ones are scanned exactly, which is faster to keep and always right."""

from __future__ import annotations

from dataclasses import dataclass

from workroom.db.connecting import connect
from workroom.db.roles import OWNER

LARGE = 100_000


@dataclass(frozen=True)
class VectorTable:
    table: str
    column: str
    rows: int
    index: str | None


async def survey(dsn: str) -> list[VectorTable]:
    """Every halfvec column of ours, its (estimated) size, and its HNSW index if there is one."""
    connection = await connect(dsn)
    try:
        rows = await connection.fetch(
            """select c.relname as "table", a.attname as "column", greatest(c.reltuples, 0)::bigint as rows,
                (select ic.relname from pg_index i join pg_class ic on ic.oid = i.indexrelid join pg_am am on am.oid = ic.relam
                 where i.indrelid = c.oid and am.amname = 'hnsw' and a.attnum = any(i.indkey) and i.indisvalid limit 1) as index
            from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
            where c.relnamespace = 'workroom'::regnamespace and c.relkind = 'r' and t.typname = 'halfvec' and not a.attisdropped
            order by 1, 2"""
        )
        return [VectorTable(**row) for row in rows]
    finally:
        await connection.close(timeout=5)


async def build(migration_dsn: str, target: VectorTable) -> None:
    """Without locking the table for writers; a half-built index of an interrupted try is replaced."""
    name = f"{target.table}_{target.column}_hnsw"
    connection = await connect(migration_dsn)
    try:
        await connection.execute(f"set role {OWNER}")
        await connection.execute(f'drop index concurrently if exists workroom."{name}"')
        await connection.execute(
            f'create index concurrently "{name}" on workroom."{target.table}"'
            f' using hnsw ("{target.column}" public.halfvec_cosine_ops)',
            timeout=None,
        )
    finally:
        await connection.close(timeout=5)
