"""The database roles: who owns, who migrates, who runs, and the system actors.

    workroom_owner    no login; owns every table; row-level security is forced for it too
    workroom_migrate  login; may become the owner; used while the schema changes
    workroom_app      login; reads and writes rows, filtered; must not be a superuser nor pass row-level security
    workroom_login, _stream, _sweep, _metrics   no login; what parts of the product become to look across mandates

The application role is NOINHERIT: it has a system role's rights only inside a transaction that takes that role.
"""

from __future__ import annotations

from typing import Any

import asyncpg

from workroom.core.actors import SystemActor
from workroom.core.errors import ConfigurationError, DatabaseUnavailable
from workroom.db.address import APPLICATION_LOGIN, MIGRATION_LOGIN

OWNER = "workroom_owner"
PGVECTOR_AT_LEAST = (0, 8)


def roles_sql(application_password: str, migration_password: str) -> str:
    """Create what is missing and set the passwords; safe to run again. For a superuser, on any database."""
    lines = [_create(OWNER, "nologin")]
    lines += [_create(role.value, "nologin") for role in SystemActor]
    lines += [_create(MIGRATION_LOGIN, "login"), _create(APPLICATION_LOGIN, "login noinherit")]
    lines += [
        f"alter role {MIGRATION_LOGIN} password {_literal(migration_password)};",
        f"alter role {APPLICATION_LOGIN} password {_literal(application_password)};",
        f"grant {OWNER} to {MIGRATION_LOGIN};",
        f"grant {APPLICATION_LOGIN} to {OWNER};",  # to end sessions that use tables a restore replaces
    ]
    lines += [f"grant {role.value} to {APPLICATION_LOGIN};" for role in SystemActor]
    return "\n".join(lines)


def database_sql(database: str) -> str:
    """What must exist inside the database before the first migration. For a superuser, connected to it."""
    return "\n".join(
        [
            "create extension if not exists vector;",
            f"create schema if not exists workroom authorization {OWNER};",
            f"grant usage on schema workroom to {APPLICATION_LOGIN}, {', '.join(role.value for role in SystemActor)};",
            f"grant connect, create on database {database} to {OWNER};",
            f"grant connect on database {database} to {APPLICATION_LOGIN}, {MIGRATION_LOGIN};",
            "revoke create on schema public from public;",
        ]
    )


async def require_plain_login(connection: asyncpg.Connection[Any]) -> None:
    """Refuse to run with a login that bypasses row-level security."""
    row = await connection.fetchrow(
        "select current_user as name, rolsuper, rolbypassrls,"
        " exists (select from pg_roles o where o.rolname = $1 and pg_has_role(current_user, o.oid, 'member')) as owns"
        " from pg_roles where rolname = current_user",
        OWNER,
    )
    assert row is not None
    if row["rolsuper"] or row["rolbypassrls"] or row["owns"]:
        what = (
            "a superuser"
            if row["rolsuper"]
            else "exempt from row-level security"
            if row["rolbypassrls"]
            else "the owner"
        )
        raise ConfigurationError(
            f"The database login {row['name']} is {what}, so one tenant could read another's rows. "
            "Use the role made by `workroom db init --print`."
        )


async def require_pgvector(connection: asyncpg.Connection[Any]) -> None:
    version = await connection.fetchval("select extversion from pg_extension where extname = 'vector'")
    if version is None:
        raise DatabaseUnavailable(
            "This database lacks the extension pgvector. Install it on the server, then run as superuser: "
            "create extension vector;"
        )
    if tuple(int(part) for part in version.split(".")[:2]) < PGVECTOR_AT_LEAST:
        raise DatabaseUnavailable(
            f"pgvector {version} is too old; 0.8 or newer is needed. Upgrade it, then: alter extension vector update;"
        )


def _create(role: str, options: str) -> str:
    return (
        f"do $$ begin if not exists (select from pg_roles where rolname = '{role}') "
        f"then create role {role} {options}; end if; end $$;"
    )


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
