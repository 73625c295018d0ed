"""Migrations: numbered SQL files, forward only, each in one transaction, all under one advisory lock.

A file that fails leaves nothing behind; any number of processes may start at once and one of them migrates. A file
that was changed after it ran, or a database newer than this program, stops the start with one sentence.

Row-level security is forced for the owner too: a migration that must touch rows of all mandates says
`alter table … no force row level security` first and forces it again at its end.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import asyncpg

from workroom.core.errors import DatabaseUnavailable
from workroom.db import roles
from workroom.db.address import APPLICATION_LOGIN
from workroom.db.connection import connect

LOCK_KEY = 8_420_001
NAME = re.compile(r"(\d{4})_([a-z0-9_]+)\.sql")


@dataclass(frozen=True)
class Migration:
    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()


def shipped() -> list[Migration]:
    """The files of db/migrations, in order."""
    folder = resources.files("workroom.db").joinpath("migrations")
    named = [(NAME.fullmatch(entry.name), entry) for entry in folder.iterdir()]
    found = [Migration(int(m[1]), m[2], entry.read_text(encoding="utf-8")) for m, entry in named if m]
    return sorted(found, key=lambda migration: migration.number)


async def migrate(dsn: str, migrations: Sequence[Migration] | None = None) -> list[Migration]:
    """Bring the database up to date; answers what was applied."""
    connection = await connect(dsn)
    try:
        await roles.require_pgvector(connection)
        await connection.execute("select pg_advisory_lock($1)", LOCK_KEY)
        await connection.execute(f"set role {roles.OWNER}; set search_path = workroom, public")
        await connection.execute(
            "create table if not exists workroom.migrations (number int primary key, name text not null,"
            " checksum text not null, applied_at timestamptz not null default now())"
        )
        await connection.execute(f"grant select on workroom.migrations to {APPLICATION_LOGIN}")
        target = shipped() if migrations is None else list(migrations)
        pending = await _pending(connection, target)
        for migration in pending:
            await _apply(connection, migration)
        return pending
    except asyncpg.InsufficientPrivilegeError as error:
        raise DatabaseUnavailable(
            f"The migration login lacks a right: {error}. `workroom db init --print` shows what a DBA must grant."
        ) from None
    finally:
        await connection.close(timeout=5)


async def pending(dsn: str) -> list[Migration]:
    """What `migrate` would do, seen through any login."""
    connection = await connect(dsn)
    try:
        if await connection.fetchval("select to_regclass('workroom.migrations')") is None:
            return shipped()
        return await _pending(connection, shipped())
    finally:
        await connection.close(timeout=5)


async def _pending(connection: asyncpg.Connection[Any], target: Sequence[Migration]) -> list[Migration]:
    applied = {
        row["number"]: row for row in await connection.fetch("select number, name, checksum from workroom.migrations")
    }
    newest = max((migration.number for migration in target), default=0)
    if unknown := [number for number in applied if number > newest]:
        raise DatabaseUnavailable(
            f"This database was used by a newer version of Workroom (schema {max(unknown)}, this version knows {newest}). "
            "Upgrade the program, or go back with an empty database and a backup from before: docs/how-to/upgrade.md."
        )
    for migration in target:
        row = applied.get(migration.number)
        if row is not None and row["checksum"] != migration.checksum:
            raise DatabaseUnavailable(
                f"Migration {migration.number:04} ({migration.name}) is not the one this database was made with. "
                "Reinstall the released version of Workroom."
            )
    return [migration for migration in target if migration.number not in applied]


async def _apply(connection: asyncpg.Connection[Any], migration: Migration) -> None:
    try:
        async with connection.transaction():
            await connection.execute(migration.sql)
            await connection.execute(
                "insert into workroom.migrations (number, name, checksum) values ($1, $2, $3)",
                migration.number,
                migration.name,
                migration.checksum,
            )
    except asyncpg.InsufficientPrivilegeError:
        raise
    except asyncpg.PostgresError as error:
        raise DatabaseUnavailable(
            f"Migration {migration.number:04} ({migration.name}) failed and was undone: {error}. The data is as before."
        ) from error
