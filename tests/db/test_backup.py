"""Backup and restore at their lowest layer: bounded memory, all or nothing, while others are connected, nothing left behind."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import tracemalloc
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
import psutil
import pytest

from workroom.core.errors import DatabaseUnavailable, InvalidInput
from workroom.db import DatabaseAddress, migrator
from workroom.db.backup import DUMP, MANIFEST, backup, read_manifest
from workroom.db.connection import connect
from workroom.db.programs import PART
from workroom.db.restore import replace_content, require_room
from workroom.db.testing import TestPostgres

ROWS = 16_000  # of a kilobyte each


@pytest.fixture
async def admin(address: DatabaseAddress) -> AsyncIterator[asyncpg.Connection[Any]]:
    connection = await connect(address.administration or "")
    yield connection
    await connection.close()


@pytest.fixture(scope="module")
async def made(postgres: TestPostgres, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of another database, whose content does not compress well."""
    file = tmp_path_factory.mktemp("backup") / "made.zip"
    address = await postgres.fresh()
    connection = await connect(address.administration or "")
    await connection.execute(
        "insert into workroom.mandates select gen_random_uuid(),"
        " (select string_agg(md5(n::text || m), '') from generate_series(1, 32) m), now()"
        f" from generate_series(1, {ROWS}) n"
    )
    await connection.close()
    await backup(address.administration or "", file)
    await postgres.drop(address)
    return file


async def count(admin: asyncpg.Connection[Any]) -> int:
    rows: int = await admin.fetchval("select count(*) from workroom.mandates")
    return rows


async def test_memory_does_not_grow_with_the_database(
    address: DatabaseAddress, admin: asyncpg.Connection[Any], made: Path, tmp_path: Path
) -> None:
    tracemalloc.start()
    try:
        assert read_manifest(made)["databaseBytes"] > ROWS * 1024
        await replace_content(address.migration or "", made)
        await backup(address.administration or "", tmp_path / "again.zip")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert await count(admin) == ROWS
    assert peak < 16 * PART, "a few parts at a time"
    assert names(tmp_path) == ["again.zip"]


async def test_a_dump_that_breaks_off_changes_nothing(
    address: DatabaseAddress, admin: asyncpg.Connection[Any], made: Path, tmp_path: Path
) -> None:
    """The SQL that was made of it until then would run without an error."""
    await admin.execute("insert into workroom.mandates values (gen_random_uuid(), 'stays', now())")
    with pytest.raises(DatabaseUnavailable, match="pg_restore failed, nothing was changed"):
        await replace_content(address.migration or "", shortened(made, tmp_path / "short.zip"))
    assert await count(admin) == 1
    assert await admin.fetchval("select to_regnamespace('workroom_before')") is None
    with pytest.raises((InvalidInput, DatabaseUnavailable), match="othing was changed"):
        await replace_content(address.migration or "", damaged(made, tmp_path / "damaged.zip"))
    assert await count(admin) == 1
    assert not programs()


async def test_it_completes_although_a_session_never_ends_its_transaction(
    address: DatabaseAddress, admin: asyncpg.Connection[Any], made: Path
) -> None:
    idle = await connect(address.application)
    busy = await asyncpg.create_pool(address.application, min_size=4, max_size=4)
    await idle.execute("begin; select count(*) from workroom.mandates")
    done = asyncio.Event()

    async def work() -> int:
        """What a server does all the time; it connects again when it must."""
        answered = 0
        while not done.is_set():
            with contextlib.suppress(
                asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError
            ):
                async with busy.acquire() as connection, connection.transaction():
                    await connection.execute("select count(*) from workroom.users; select count(*) from workroom.runs")
                    answered += 1
        return answered

    working = [asyncio.create_task(work()) for _ in range(4)]
    await replace_content(address.migration or "", made)
    done.set()
    assert all(await asyncio.gather(*working)), "they worked meanwhile"
    assert await count(admin) == ROWS
    assert idle.is_closed()
    assert await busy.fetchval("select count(*) from workroom.mandates") == 0, "and their rights are what they were"
    await busy.close()


async def test_ended_by_ctrl_c_it_leaves_nothing(
    address: DatabaseAddress, admin: asyncpg.Connection[Any], made: Path, tmp_path: Path
) -> None:
    """Each is cancelled while its program waits for a lock."""
    holder = await connect(address.administration or "")
    await holder.execute("begin; lock table workroom.users in access exclusive mode")
    await holder.fetchval("select pg_advisory_xact_lock($1)", migrator.LOCK_KEY)
    for work in (
        backup(address.administration or "", tmp_path / "never.zip"),
        replace_content(address.migration or "", made),
    ):
        task = asyncio.ensure_future(work)
        while not await admin.fetchval("select exists (select from pg_locks where not granted)"):
            await asyncio.wait([task], timeout=0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not programs()
    await holder.close()
    assert await count(admin) == 0
    assert names(tmp_path) == []


async def test_what_a_killed_backup_left_is_removed_by_the_next(address: DatabaseAddress, tmp_path: Path) -> None:
    left, running = tmp_path / ".workroom-backup-1.part", tmp_path / ".workroom-backup-2.part"
    left.touch()
    with running.open("wb") as used:
        fcntl.flock(used, fcntl.LOCK_EX)
        await backup(address.administration or "", tmp_path / "next.zip")
    assert names(tmp_path) == [running.name, "next.zip"]


def test_room_for_both_is_wanted_before_anything_begins(tmp_path: Path) -> None:
    require_room(tmp_path, 1)
    with pytest.raises(InvalidInput, match="make room"):
        require_room(tmp_path, 10**18)


def shortened(source: Path, target: Path) -> Path:
    """A whole ZIP of half a dump."""
    with zipfile.ZipFile(source) as whole, zipfile.ZipFile(target, "w") as half:
        half.writestr(MANIFEST, whole.read(MANIFEST))
        dump = whole.read(DUMP)
        half.writestr(DUMP, dump[: len(dump) // 2])
    return target


def damaged(source: Path, target: Path) -> Path:
    content = bytearray(source.read_bytes())
    content[len(content) * 3 // 4] ^= 1
    target.write_bytes(content)
    return target


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def programs() -> list[str]:
    """PostgreSQL's programs below this process; a backend of the server may end while they are listed."""
    below = {child.pid for child in psutil.Process().children(recursive=True)}
    listed = psutil.process_iter(["name"])  # leaves out what has ended meanwhile
    names = [process.info["name"] for process in listed if process.pid in below]
    return [name for name in names if name in ("psql", "pg_restore", "pg_dump")]
