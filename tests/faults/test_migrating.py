"""Migrations that break, are interrupted, or are run by two at once: all of one file or nothing of it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.command import PROGRAM, environment
from workroom.core.errors import DatabaseUnavailable
from workroom.db import DatabaseAddress, migrator
from workroom.db.connection import connect
from workroom.db.migrator import Migration
from workroom.db.testing import TestPostgres

NEXT = max(migration.number for migration in migrator.shipped()) + 1
BROKEN = Migration(NEXT, "next", "create table half (id int); insert into half values (1); select 1 / 0;")
MENDED = Migration(NEXT, "next", "create table half (id int); insert into half values (2);")
SLOW = "import asyncio, sys; from workroom.db import migrator as m;\n" + (
    "asyncio.run(m.migrate(sys.argv[1], [*m.shipped(), "
    f"m.Migration({NEXT}, 'next', 'create table half (id int); notify halfway; select pg_sleep(3)')]))"
)


async def ask(address: DatabaseAddress, sql: str) -> object:
    connection = await connect(address.administration or "")
    try:
        return await connection.fetchval(sql)
    finally:
        await connection.close()


async def test_one_that_fails_in_the_middle_leaves_nothing_and_the_right_one_works(address: DatabaseAddress) -> None:
    assert address.migration
    with pytest.raises(DatabaseUnavailable, match=f"Migration {NEXT:04} .*failed and was undone.*as before"):
        await migrator.migrate(address.migration, [*migrator.shipped(), BROKEN])
    assert await ask(address, "select to_regclass('workroom.half')") is None
    assert await ask(address, f"select count(*) from workroom.migrations where number = {NEXT}") == 0
    assert await migrator.migrate(address.migration, [*migrator.shipped(), MENDED]) == [MENDED]
    assert await ask(address, "select id from workroom.half") == 2


async def test_one_whose_process_is_killed_leaves_nothing(address: DatabaseAddress) -> None:
    assert address.migration
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", SLOW, address.migration, env=environment({}))
    try:
        async with asyncio.timeout(60):
            waiting = (
                "select count(*) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'"
            )
            while await ask(address, waiting) == 0:
                pass
    finally:
        process.kill()
        await process.wait()
    # The server may notice only when the statement is over; until then the advisory lock makes us wait.
    assert await asyncio.wait_for(migrator.migrate(address.migration, [*migrator.shipped(), MENDED]), 90) == [MENDED]
    assert await ask(address, "select id from workroom.half") == 2


async def test_two_at_once(tmp_path: Path, postgres: TestPostgres) -> None:
    empty = await postgres.empty()
    settings = {"DATABASE_URL": empty.application, "MIGRATION_DATABASE_URL": empty.migration, "DATA": tmp_path}
    both = [
        await asyncio.create_subprocess_exec(
            *PROGRAM, "db", "migrate", env=environment(settings), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(2)
    ]
    said = await asyncio.wait_for(asyncio.gather(*(process.communicate() for process in both)), 60)
    assert [process.returncode for process in both] == [0, 0], said
    lines = sorted(out.decode().strip() for out, _ in said)
    assert lines == [f"{len(migrator.shipped())} migration(s) applied.", "The schema is up to date."]
