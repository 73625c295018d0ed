"""What must be true of a database before the application uses it; each failure is one sentence with a way out."""

from __future__ import annotations

from workroom.core.errors import DatabaseUnavailable
from workroom.db import migrator, roles
from workroom.db.address import DatabaseAddress
from workroom.db.connection import connect


async def require_usable(address: DatabaseAddress) -> None:
    """The right login, the extension, and a schema this program knows."""
    connection = await connect(address.application)
    try:
        await roles.require_plain_login(connection)
        await roles.require_pgvector(connection)
    finally:
        await connection.close(timeout=5)
    if pending := await migrator.pending(address.application):
        raise DatabaseUnavailable(
            f"The database schema is {len(pending)} step(s) behind this version of Workroom. Set "
            "WORKROOM_MIGRATION_DATABASE_URL and start again, or run `workroom db migrate`."
        )
