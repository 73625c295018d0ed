"""The folder that initdb makes: all of it or none, and only for our version."""

# ruff: noqa: ASYNC240 - a test may look at a file
from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from workroom.core.errors import ConfigurationError
from workroom.db.embedded.binaries import Binaries

PREPARES_ON_A_SMALL_DISK = """
import asyncio, sys
from pathlib import Path
from workroom.core.errors import WorkroomError
from workroom.db.embedded import EmbeddedPostgres

folder = Path(sys.argv[1])
try:
    asyncio.run(EmbeddedPostgres(folder, superuser_password="x", durable=False).start())
except WorkroomError as error:
    print(type(error).__name__, error.message)
print(sorted(path.name for path in folder.iterdir()))
"""


async def test_leftovers_of_an_interrupted_initdb_are_removed(make_server: Any, query: Any, empty_folder: Path) -> None:
    unfinished = empty_folder / "18.new-4711-abc"
    unfinished.mkdir(parents=True)
    (unfinished / "PG_VERSION").write_text("18\n")
    (empty_folder / "18.new-4711-abc.password").write_text("secret")
    assert await query(await make_server(empty_folder).start(), "select 1") == 1
    assert sorted(path.name for path in empty_folder.iterdir()) == ["18", "log"]


async def test_an_interrupted_initdb_looks_like_nothing(
    make_server: Any, query: Any, empty_folder: Path, open_folder: Path, noted: Any
) -> None:
    """initdb is stopped half-way with everything on the disk; the next start begins from scratch."""
    real = Binaries.bundled()
    halting = Binaries(open_folder / "halting")
    (halting.root / "bin").mkdir(parents=True)
    for name, script in (
        ("initdb", f'"{real.path("initdb")}" "$@"; touch "{open_folder}/done"; exec sleep 1000'),
        ("postgres", f'exec "{real.path("postgres")}" "$@"'),
    ):
        (halting.root / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
        (halting.root / "bin" / name).chmod(0o755)
    starting = asyncio.create_task(make_server(empty_folder, binaries=halting).start())
    await noted(open_folder / "done")
    assert not (empty_folder / "18").exists()
    assert len(list(empty_folder.glob("18.new-*"))) == 2, "the cluster and its password file"
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    assert sorted(path.name for path in empty_folder.iterdir()) == ["log"]
    assert await query(await make_server(empty_folder).start(), "select 1") == 1


async def test_another_major_version_is_refused_and_left_alone(make_server: Any, empty_folder: Path) -> None:
    (empty_folder / "18").mkdir(parents=True)
    (empty_folder / "18" / "PG_VERSION").write_text("17\n")
    with pytest.raises(ConfigurationError, match="made by PostgreSQL 17, and this Workroom brings 18"):
        await make_server(empty_folder).start()
    assert [path.name for path in (empty_folder / "18").iterdir()] == ["PG_VERSION"]


async def test_an_older_cluster_beside_ours_is_not_forgotten(make_server: Any, empty_folder: Path) -> None:
    (empty_folder / "17").mkdir(parents=True)
    (empty_folder / "17" / "PG_VERSION").write_text("17\n")
    with pytest.raises(ConfigurationError, match="made by PostgreSQL 17"):
        await make_server(empty_folder).start()
    assert not (empty_folder / "18").exists()


async def test_a_folder_with_something_else_in_it_is_left_alone(make_server: Any, empty_folder: Path) -> None:
    (empty_folder / "18").mkdir(parents=True)
    (empty_folder / "18" / "letters.txt").write_text("mine")
    with pytest.raises(ConfigurationError, match="not a PostgreSQL database"):
        await make_server(empty_folder).start()
    assert (empty_folder / "18" / "letters.txt").read_text() == "mine"


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("unshare"), reason="only root can mount a small disk")
async def test_a_full_disk_is_explained_and_leaves_nothing_half_done(program: Any, tmp_path: Path) -> None:
    mount = ("unshare", "-m", "sh", "-c", 'mount -t tmpfs -o size=8m none "$0" && exec "$@"', str(tmp_path))
    app = program(PREPARES_ON_A_SMALL_DISK, tmp_path / "postgres", before=mount)
    said, _ = await asyncio.to_thread(app.communicate)
    error, names = said.splitlines()
    assert error.startswith("DatabaseUnavailable PostgreSQL could not set up its database")
    assert "No space left on device" in error
    assert names == "['log']"
