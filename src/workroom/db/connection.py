"""Opening a connection, and saying in one sentence why it did not work."""

from __future__ import annotations

from typing import Any

import asyncpg

from workroom.core.errors import DatabaseUnavailable

# What a lost, refused or dying server raises, whatever was being done at that moment.
UNREACHABLE = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # a connection that was told to end and has not closed yet
)
CONNECT_SECONDS = 10.0
REFUSED = (*UNREACHABLE, asyncpg.PostgresError, ValueError)


async def connect(dsn: str) -> asyncpg.Connection[Any]:
    """A single connection outside the pool, for the migrator, the listener, the heartbeat and the checks."""
    try:
        return await asyncpg.connect(dsn, timeout=CONNECT_SECONDS)
    except REFUSED as error:
        raise explain(error) from None


def explain(error: BaseException) -> DatabaseUnavailable:
    if isinstance(error, asyncpg.InvalidPasswordError | asyncpg.InvalidAuthorizationSpecificationError):
        return DatabaseUnavailable(f"The database refused the login: {error}. Check user and password.")
    if isinstance(error, asyncpg.InvalidCatalogNameError):
        return DatabaseUnavailable(
            f"The database server answers, but: {error}. `workroom db init --print` shows what a DBA must create."
        )
    reason = str(error) or type(error).__name__
    return DatabaseUnavailable(f"The database cannot be reached: {reason}. Check the address in WORKROOM_DATABASE_URL.")
