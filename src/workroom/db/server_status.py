"""What a database says of itself, for the operator: version, extension, size, connections, live workers."""

from __future__ import annotations

from dataclasses import dataclass

from workroom.db.connection import connect
from workroom.db.leases import COUNT_WORKERS


@dataclass(frozen=True)
class ServerStatus:
    version: str
    pgvector: str | None
    size: str
    connections: int
    workers: int | None  # None: there is no such table before the migrations have run


async def server_status(dsn: str, *, migrated: bool) -> ServerStatus:
    connection = await connect(dsn)
    try:
        row = await connection.fetchrow(
            "select current_setting('server_version') as version,"
            " pg_size_pretty(pg_database_size(current_database())) as size,"
            " (select extversion from pg_extension where extname = 'vector') as pgvector,"
            " (select count(*) from pg_stat_activity where datname = current_database()) as connections"
        )
        workers = await connection.fetchval(COUNT_WORKERS) if migrated else None
    finally:
        await connection.close()
    assert row is not None
    return ServerStatus(**row, workers=workers)
