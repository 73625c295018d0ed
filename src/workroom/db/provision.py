"""Roles, database and extension for a PostgreSQL we administer ourselves, which is the embedded one."""

from __future__ import annotations

from workroom.db.address import DATABASE, DatabaseAddress
from workroom.db.connection import connect
from workroom.db.embedded import Endpoint
from workroom.db.roles import OWNER, database_sql, roles_sql
from workroom.secrets import Secrets


async def provision(endpoint: Endpoint, secrets: Secrets, database: str = DATABASE) -> DatabaseAddress:
    """Create what is missing; safe and quick to repeat at every start."""
    system = DatabaseAddress.embedded(endpoint, secrets, "postgres")
    assert system.administration is not None
    connection = await connect(system.administration)
    try:
        await connection.execute(roles_sql(secrets.application_password, secrets.migration_password))
        if not await connection.fetchval("select exists (select from pg_database where datname = $1)", database):
            await connection.execute(f'create database "{database}" owner {OWNER}')
    finally:
        await connection.close(timeout=5)
    address = DatabaseAddress.embedded(endpoint, secrets, database)
    assert address.administration is not None
    connection = await connect(address.administration)
    try:
        await connection.execute(database_sql(database))
    finally:
        await connection.close(timeout=5)
    return address
