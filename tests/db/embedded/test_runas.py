"""As whom the server runs: each way is forced, and the choice between them is made for the right reasons."""

# ruff: noqa: ASYNC240 - a test may look at a file
from __future__ import annotations

import asyncio
import os
import pwd
import shutil
from pathlib import Path
from typing import Any

import psutil
import pytest

from workroom.core.errors import ConfigurationError
from workroom.db.embedded import EmbeddedPostgres
from workroom.db.embedded.binaries import Binaries
from workroom.db.embedded.runas import RunAs

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has to become someone else")


@pytest.fixture
async def namespace() -> RunAs:
    run_as = RunAs.user_namespace()
    if run_as is None or not await run_as.can_run(["/bin/sh", "-c", ":"]):
        pytest.skip("user namespaces are not available here")
    return run_as


def owner(path: Path) -> int:
    return path.stat().st_uid


def runs_as(folder: Path) -> int:
    pid = int((folder / "18" / "postmaster.pid").read_text().splitlines()[0])
    return psutil.Process(pid).uids().effective


async def test_a_namespace_keeps_the_files_ours(make_server: Any, query: Any, folder: Path, namespace: RunAs) -> None:
    endpoint = await make_server(run_as=namespace).start()
    assert await query(endpoint, "select 1") == 1
    assert owner(folder / "18") == os.geteuid()
    assert runs_as(folder) == os.geteuid()


@as_root
async def test_root_prefers_the_namespace(namespace: RunAs) -> None:
    assert await RunAs.choose() == namespace


@as_root
async def test_root_without_namespaces_becomes_nobody() -> None:
    assert await RunAs.choose(unshare="/bin/false") == RunAs.nobody()
    assert await RunAs.choose(unshare="/no/such/program") == RunAs.nobody()


async def test_a_normal_user_runs_it_directly(namespace: RunAs, serving: Any, folder: Path) -> None:
    """The whole process is an ordinary user here, so PostgreSQL is started without any way around."""
    app, said = await asyncio.to_thread(serving, folder, *namespace.prefix)
    host, pid = said.split()
    assert f"-{namespace.prefix[2].split('=')[1]}-" in host, "named by the user it runs as"
    assert psutil.Process(int(pid)).ppid() == app.pid
    await asyncio.to_thread(app.communicate)
    assert app.returncode == 0
    assert not psutil.pid_exists(int(pid))


@pytest.fixture
def nameless() -> int:
    return next(uid for uid in range(54_321, 60_000) if uid not in {entry.pw_uid for entry in pwd.getpwall()})


async def test_a_user_without_a_name_borrows_one(namespace: RunAs, serving: Any, folder: Path, nameless: int) -> None:
    """As in a container that is run with just a number; initdb insists on a name."""
    inside = (namespace.prefix[0], "-U", f"--map-user={nameless}", f"--map-group={nameless}")
    app, said = await asyncio.to_thread(serving, folder, *inside)
    assert f"-{nameless}-" in said, said + app.stdout.read()
    await asyncio.to_thread(app.communicate)
    assert app.returncode == 0


async def test_a_user_without_a_name_is_told_when_there_is_none_to_borrow(
    namespace: RunAs, serving: Any, folder: Path, nameless: int
) -> None:
    # Without a group of its own it may not make another namespace.
    app, said = await asyncio.to_thread(serving, folder, namespace.prefix[0], "-U", f"--map-user={nameless}")
    said += await asyncio.to_thread(app.stdout.read)
    assert f"user id {nameless} has none in /etc/passwd" in said


@as_root
async def test_nobody_gets_the_cluster_and_nothing_more(make_server: Any, query: Any, open_folder: Path) -> None:
    folder = open_folder / "data ü" / "postgres"
    (open_folder / "data ü").mkdir(mode=0o755)
    nobody = RunAs.nobody()
    server = make_server(folder, run_as=nobody)
    endpoint = await server.start()
    assert await query(endpoint, "select 1") == 1
    assert runs_as(folder) == nobody.uid
    assert owner(folder / "18") == nobody.uid
    assert owner(folder) == owner(folder / "log") == 0
    assert EmbeddedPostgres.find_running(folder) == endpoint
    await server.stop()
    assert not Path(endpoint.host).exists()


@as_root
async def test_the_files_follow_when_the_way_changes(
    make_server: Any, query: Any, open_folder: Path, namespace: RunAs
) -> None:
    folder = open_folder / "postgres"
    for run_as in (namespace, RunAs.nobody(), namespace):
        server = make_server(folder, run_as=run_as)
        assert await query(await server.start(), "select 1") == 1
        assert {owner(path) for path in (folder / "18").rglob("*")} == {run_as.uid}
        await server.stop()


@as_root
async def test_programs_out_of_reach_are_copied_once(make_server: Any, query: Any, open_folder: Path) -> None:
    hidden = open_folder / "hidden"
    hidden.mkdir(mode=0o700)
    (hidden / "install").symlink_to(Binaries.bundled().root)
    folder = open_folder / "postgres"
    copies = []
    for _ in range(2):
        server = make_server(folder, run_as=RunAs.nobody(), binaries=Binaries(hidden / "install"))
        assert await query(await server.start(), "select 1") == 1
        await server.stop()
        copies.append([(path.name, path.stat().st_ino) for path in folder.glob("bin-18*")])
    assert [name for name, _ in copies[0]] == ["bin-18"]
    assert copies[0] == copies[1], "the second start used the first copy"
    assert "vector" in {path.stem for path in (folder / "bin-18").rglob("*.control")}


@as_root
async def test_a_data_folder_out_of_reach_is_one_clear_sentence(make_server: Any, folder: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with pytest.raises(ConfigurationError, match=r"normal user, or set WORKROOM_DATA=/var/lib/workroom"):
        await make_server(run_as=RunAs.nobody()).start()
    assert tmp_path.stat().st_mode & 0o777 == 0o700


@as_root
async def test_a_cluster_of_a_third_user_is_not_taken(make_server: Any, folder: Path) -> None:
    os.chown(folder / "18", 12_345, 12_345)
    with pytest.raises(ConfigurationError, match="12345"):
        await make_server().start()
    assert owner(folder / "18") == 12_345


def test_a_copy_of_another_version_is_made_again(tmp_path: Path) -> None:
    install = tmp_path / "install"
    (install / "bin").mkdir(parents=True)
    (install / "bin" / "postgres").write_text("one")
    (install / "bin" / "postgres").chmod(0o700)
    copy = Binaries(install).copied_to(tmp_path / "bin-18")
    assert copy.path("postgres").stat().st_mode & 0o777 == 0o755, "everyone may run it"
    shutil.copystat(install / "bin" / "postgres", copy.path("postgres"))
    (install / "bin" / "postgres").write_text("another")
    assert Binaries(install).copied_to(tmp_path / "bin-18").path("postgres").read_text() == "another"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bin-18", "install"]
