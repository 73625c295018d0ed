"""A transaction as the owner of the schema, for the few things that belong to the platform and to no mandate. The
application's login cannot do this: only the operator with the migration login, at the command line."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

from workroom.db.connection import connect
from workroom.db.database import UnitOfWork
from workroom.db.roles import OWNER


@contextlib.asynccontextmanager
async def as_owner(dsn: str) -> AsyncIterator[UnitOfWork]:
    connection = await connect(dsn)
    try:
        await connection.execute(f"set role {OWNER}; set search_path = workroom, public")
        async with connection.transaction():
            yield UnitOfWork(connection)
    finally:
        await connection.close(timeout=5)
