"""What a killed process leaves: a running server is adopted, a stale note about one is not believed."""

# ruff: noqa: ASYNC240 - a test may look at a file
from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from workroom.core.errors import DatabaseUnavailable
from workroom.db.embedded import EmbeddedPostgres, process

Orphan = Callable[[], tuple[Path, int]]


@pytest.fixture
def stranger() -> Iterator[subprocess.Popen[bytes]]:
    """A process that has nothing to do with us."""
    sleeper = subprocess.Popen(["sleep", "1000"])
    yield sleeper
    sleeper.kill()
    sleeper.wait()


def servers_in(cluster: Path) -> list[int]:
    found = []
    for running in psutil.process_iter(["name", "cwd", "cmdline"]):
        about = running.info
        if about["name"] == "postgres" and about["cwd"] == str(cluster) and "-D" in (about["cmdline"] or []):
            found.append(running.pid)
    return found


async def test_an_orphan_is_adopted_and_stopped(make_server: Any, query: Any, folder: Path, orphan: Orphan) -> None:
    host, pid = await asyncio.to_thread(orphan)
    assert servers_in(folder / "18") == [pid], "it outlived its app"
    server = make_server()
    endpoint = await server.start()
    assert endpoint.host == str(host)
    assert await query(endpoint, "select 1") == 1
    assert servers_in(folder / "18") == [pid], "no second server"
    await server.stop()
    assert servers_in(folder / "18") == []
    assert not host.exists()


@pytest.mark.parametrize("kernel_tells", [True, False], ids=["pidfd", "polling"])
async def test_the_loss_of_an_adopted_server_is_noticed(
    make_server: Any, query: Any, orphan: Orphan, kernel_tells: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not kernel_tells:
        monkeypatch.delattr(os, "pidfd_open", raising=False)
        monkeypatch.setattr(process, "_LOOK_AGAIN", 0.02)
    _, pid = await asyncio.to_thread(orphan)
    server = make_server()
    await server.start()
    os.kill(pid, signal.SIGKILL)
    await asyncio.wait_for(server.wait_lost(), 60)
    assert await query(await server.start(), "select 1") == 1


async def test_without_pidfd_the_life_of_a_server_is_the_same(
    make_server: Any, query: Any, folder: Path, orphan: Orphan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "pidfd_open", raising=False)
    monkeypatch.setattr(process, "_LOOK_AGAIN", 0.02)
    await asyncio.to_thread(orphan)
    for _ in range(2):  # adopted, then started
        server = make_server()
        assert await query(await server.start(), "select 1") == 1
        await server.stop()
        assert servers_in(folder / "18") == []


async def test_an_orphan_whose_socket_is_lost_is_replaced(
    make_server: Any, query: Any, folder: Path, orphan: Orphan
) -> None:
    host, pid = await asyncio.to_thread(orphan)
    shutil.rmtree(host)
    assert await query(await make_server().start(), "select 1") == 1
    [now_running] = servers_in(folder / "18")
    assert now_running != pid


async def test_a_stale_file_naming_a_stranger_is_not_believed(
    make_server: Any, query: Any, folder: Path, orphan: Orphan, stranger: subprocess.Popen[bytes]
) -> None:
    _, pid = await asyncio.to_thread(orphan)
    file = folder / "18" / "postmaster.pid"
    psutil.Process(pid).send_signal(signal.SIGKILL)
    _, _, rest = file.read_text().partition("\n")
    file.write_text(f"{stranger.pid}\n{rest}")

    assert EmbeddedPostgres.find_running(folder) is None
    server = make_server()
    assert await query(await server.start(), "select 1") == 1
    await server.stop()
    assert stranger.poll() is None, "the stranger was left alone"


async def test_helpers_that_outlived_their_server_are_noticed_behind_a_stale_file(
    make_server: Any, query: Any, folder: Path, stranger: subprocess.Popen[bytes]
) -> None:
    """Why the stale file is rewritten and not removed: with it goes the only note of the shared memory in use."""
    server = make_server()
    endpoint = await server.start()
    helper = int(await query(endpoint, "select pid from pg_stat_activity where backend_type = 'checkpointer'"))
    os.kill(helper, signal.SIGSTOP)
    try:
        os.kill(psutil.Process(helper).ppid(), signal.SIGKILL)
        await asyncio.wait_for(server.wait_lost(), 60)
        file = folder / "18" / "postmaster.pid"
        _, _, rest = file.read_text().partition("\n")
        file.write_text(f"{stranger.pid}\n{rest}")
        starting = asyncio.create_task(server.start())
        log = folder / "log" / "postgres.log"
        async with asyncio.timeout(60):
            while "pre-existing shared memory block" not in log.read_text():  # noqa: ASYNC110 - PostgreSQL writes it
                await asyncio.sleep(0.01)
        assert not starting.done()
    finally:
        os.kill(helper, signal.SIGCONT)
    assert await query(await starting, "select 1") == 1


@pytest.mark.parametrize("content", ["", "nonsense\n", "0\n"])
async def test_a_damaged_file_does_not_keep_the_server_from_starting(
    make_server: Any, query: Any, folder: Path, content: str
) -> None:
    (folder / "18" / "postmaster.pid").write_text(content)
    assert EmbeddedPostgres.find_running(folder) is None
    assert await query(await make_server().start(), "select 1") == 1


async def test_a_damaged_file_of_a_living_server_is_refused(make_server: Any, folder: Path, orphan: Orphan) -> None:
    _, pid = await asyncio.to_thread(orphan)
    file = folder / "18" / "postmaster.pid"
    content = file.read_text()
    file.write_text("")
    with pytest.raises(DatabaseUnavailable, match=f"process {pid}"):
        await make_server().start()
    file.write_text(content)
    await make_server().start()  # adopted, so that the fixture stops it


async def test_a_leftover_socket_lock_naming_a_stranger_is_cleared(
    make_server: Any, query: Any, stranger: subprocess.Popen[bytes]
) -> None:
    server = make_server()
    host = Path((await server.start()).host)
    await server.stop()
    host.mkdir(mode=0o700)
    (host / ".s.PGSQL.5432.lock").write_text(f"{stranger.pid}\n/elsewhere\n0\n5432\n{host}\n")
    (host / ".s.PGSQL.5432").touch()
    endpoint = await make_server().start()
    assert endpoint.host == str(host)
    assert await query(endpoint, "select 1") == 1
    assert stranger.poll() is None
