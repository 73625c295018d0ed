"""Migrations: forward only, each whole or not at all, once, by whoever comes first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from workroom.core.errors import DatabaseUnavailable
from workroom.db import DatabaseAddress, migrator
from workroom.db.connection import connect
from workroom.db.migrator import Migration
from workroom.db.testing import TestPostgres


@pytest.fixture
async def empty(postgres: TestPostgres) -> AsyncIterator[DatabaseAddress]:
    made = await postgres.empty()
    yield made
    await postgres.drop(made)


def dsn(address: DatabaseAddress) -> str:
    assert address.migration is not None
    return address.migration


async def tables(address: DatabaseAddress) -> set[str]:
    connection = await connect(address.application)
    try:
        rows = await connection.fetch("select relname from pg_class where relnamespace = 'workroom'::regnamespace")
        return {row["relname"] for row in rows}
    finally:
        await connection.close()


def test_files_are_numbered_without_gaps() -> None:
    assert [migration.number for migration in migrator.shipped()] == list(range(1, len(migrator.shipped()) + 1))


async def test_many_processes_at_once_apply_each_step_once(empty: DatabaseAddress) -> None:
    results = await asyncio.gather(*(migrator.migrate(dsn(empty)) for _ in range(4)))
    assert sorted(len(applied) for applied in results) == [0, 0, 0, len(migrator.shipped())]
    assert await migrator.pending(empty.application) == []


async def test_a_step_that_fails_half_way_leaves_nothing_and_can_be_repeated(empty: DatabaseAddress) -> None:
    good = Migration(1, "good", "create table kept (id int)")
    broken = Migration(2, "broken", "create table half (id int); select no_such_function();")
    with pytest.raises(DatabaseUnavailable, match=r"0002 .broken. failed and was undone"):
        await migrator.migrate(dsn(empty), [good, broken])
    assert "kept" in await tables(empty)
    assert "half" not in await tables(empty)
    mended = replace(broken, sql="create table half (id int)")
    assert await migrator.migrate(dsn(empty), [good, mended]) == [mended]
    assert "half" in await tables(empty)


async def test_a_database_of_a_newer_version_is_left_alone(address: DatabaseAddress) -> None:
    known = migrator.shipped()
    newer = Migration(len(known) + 1, "tomorrow", "select 1")
    await migrator.migrate(dsn(address), [*known, newer])
    with pytest.raises(DatabaseUnavailable, match=r"newer version.*upgrade\.md"):
        await migrator.migrate(dsn(address))


async def test_a_changed_file_is_noticed(address: DatabaseAddress) -> None:
    first, *rest = migrator.shipped()
    with pytest.raises(DatabaseUnavailable, match="not the one this database was made with"):
        await migrator.migrate(dsn(address), [replace(first, sql=first.sql + " "), *rest])


async def test_everything_belongs_to_the_owner_role(address: DatabaseAddress) -> None:
    connection = await connect(address.application)
    try:
        owners = await connection.fetch(
            "select distinct pg_get_userbyid(relowner) as owner from pg_class where relnamespace = 'workroom'::regnamespace"
        )
    finally:
        await connection.close()
    assert [row["owner"] for row in owners] == ["workroom_owner"]
