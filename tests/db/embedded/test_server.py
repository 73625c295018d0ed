"""Starting, stopping, losing and explaining: the life of a server that this process started."""

# ruff: noqa: ASYNC240 - a test may look at a file
from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import asyncpg
import psutil
import pytest

from workroom.core.errors import DatabaseUnavailable
from workroom.db.embedded import EmbeddedPostgres, binary
from workroom.db.embedded import server as supervisor
from workroom.db.embedded.binaries import Binaries

Pretending = Callable[[str], Binaries]
Noted = Callable[[Path], Awaitable[None]]


JOINS = """
import sys
from pathlib import Path
from workroom.db.embedded import EmbeddedPostgres
print(EmbeddedPostgres.find_running(Path(sys.argv[1])))
"""


def postmaster(folder: Path) -> int:
    return int((folder / "18" / "postmaster.pid").read_text().splitlines()[0])


async def test_a_fresh_folder_becomes_a_server(make_server: Any, query: Any, empty_folder: Path) -> None:
    endpoint = await make_server(empty_folder, durable=True).start()
    assert await query(endpoint, "select 1") == 1
    assert str(await query(endpoint, "show server_version")).startswith("18.")
    locale = "select datlocprovider::text || datlocale || datcollate from pg_database where datname = 'template1'"
    assert await query(endpoint, locale) == "bC.UTF-8C"
    assert await query(endpoint, "show data_checksums") == "on"


async def test_the_second_start_finds_what_the_first_stored(make_server: Any, query: Any, folder: Path) -> None:
    first = make_server()
    endpoint = await first.start()
    await query(endpoint, "create table kept as select 42 as value")
    await first.stop()
    assert not Path(endpoint.host).exists(), "the socket directory is tidied away"
    assert await query(await make_server().start(), "select value from kept") == 42


async def test_starting_twice_is_one_server(make_server: Any, folder: Path) -> None:
    server = make_server()
    endpoint = await server.start()
    before = postmaster(folder)
    assert await server.start() == endpoint == server.endpoint
    assert postmaster(folder) == before


async def test_the_server_is_our_child_in_a_session_of_its_own(make_server: Any, folder: Path) -> None:
    await make_server().start()
    process = psutil.Process(postmaster(folder))
    assert process.ppid() == os.getpid()
    assert os.getsid(process.pid) == process.pid != os.getsid(0)


async def test_it_listens_on_no_network_address(make_server: Any, query: Any, folder: Path) -> None:
    endpoint = await make_server().start()
    assert await query(endpoint, "show listen_addresses") == ""
    assert psutil.Process(postmaster(folder)).net_connections("inet") == []
    assert (Path(endpoint.host) / ".s.PGSQL.5432").stat().st_mode & 0o077 == 0


async def test_it_works_in_a_path_with_spaces_and_umlauts(make_server: Any, query: Any, tmp_path: Path) -> None:
    endpoint = await make_server(tmp_path / "Büro Zürich, 'neu'" / "postgres").start()
    assert await query(endpoint, "select 1") == 1


async def test_it_works_below_a_closed_parent_and_changes_no_mode_there(
    make_server: Any, query: Any, tmp_path: Path
) -> None:
    parent = tmp_path / "closed"
    parent.mkdir(mode=0o700)
    assert await query(await make_server(parent / "data" / "postgres").start(), "select 1") == 1
    assert parent.stat().st_mode & 0o777 == 0o700


async def test_durability_is_given_up_only_on_request(make_server: Any, query: Any, folder: Path) -> None:
    careless = make_server()
    assert await query(await careless.start(), "show fsync") == "off"
    await careless.stop()
    endpoint = await make_server(durable=True).start()
    for setting in ("fsync", "synchronous_commit", "full_page_writes", "autovacuum"):
        assert await query(endpoint, f"show {setting}") == "on"


async def test_the_users_environment_is_ignored(
    make_server: Any, query: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = {
        "PGDATA": "/nowhere",
        "PGHOST": "192.0.2.1",
        "PGPORT": "1",
        "PGUSER": "x",
        "PGPASSWORD": "x",
        "PGDATABASE": "x",
    }
    wrong |= {
        "PGSSLMODE": "verify-full",
        "PGTARGETSESSIONATTRS": "standby",
        "PGOPTIONS": "-c nonsense=1",
        "LC_ALL": "xx",
    }
    for name, value in wrong.items():
        monkeypatch.setenv(name, value)
    server = make_server()
    await server.start()
    seen = psutil.Process(postmaster(folder)).environ()
    assert seen["LC_ALL"] == "C"
    assert not [name for name in seen if name in wrong and name != "LC_ALL"]


async def test_the_password_is_on_no_command_line(make_server: Any, empty_folder: Path, open_folder: Path) -> None:
    real = Binaries.bundled()
    spying = Binaries(open_folder / "spying")
    (spying.root / "bin").mkdir(parents=True)
    notes = open_folder / "notes"
    for name in ("initdb", "postgres"):
        script = spying.root / "bin" / name
        script.write_text(f'#!/bin/sh\n{{ printf "%s\\n" "$@"; env; }} >> "{notes}"\nexec "{real.path(name)}" "$@"\n')
        script.chmod(0o755)
    notes.touch(mode=0o666)
    secret = "Kx9-secret-Kx9"
    server = make_server(empty_folder, binaries=spying, superuser_password=secret)
    await server.start()
    text = notes.read_text()
    assert "--auth=scram-sha-256" in text, "the spy saw initdb"
    assert "unix_socket_directories" in text, "the spy saw postgres"
    visible = [word for process in psutil.process_iter(["cmdline"]) for word in process.info["cmdline"] or []]
    assert str(empty_folder / "18") in visible, "the server is among them"
    assert secret not in text + "\n".join(visible)
    assert not list(empty_folder.glob("*password*")), "the file with it is gone"


async def test_the_password_is_needed(make_server: Any, folder: Path) -> None:
    with pytest.raises(DatabaseUnavailable, match=r"does not accept the password in secrets\.json"):
        await make_server(superuser_password="another").start()
    assert not (folder / "18" / "postmaster.pid").exists(), "a failed start leaves no server"


async def test_a_killed_server_is_noticed_and_started_again(make_server: Any, query: Any, folder: Path) -> None:
    server = make_server()
    endpoint = await server.start()
    await query(endpoint, "create table kept as select 7 as value")
    await query(endpoint, "select pg_switch_wal()")  # it is on the disk now, although this server is careless
    lost = asyncio.create_task(server.wait_lost())
    await asyncio.sleep(0)
    assert not lost.done()
    os.kill(postmaster(folder), signal.SIGKILL)
    await asyncio.wait_for(lost, 60)
    assert await query(await server.start(), "select value from kept") == 7
    again = asyncio.create_task(server.wait_lost())
    await asyncio.sleep(0)
    assert not again.done(), "the loss is over once it has started again"
    again.cancel()


async def test_a_stop_on_purpose_is_no_loss(make_server: Any) -> None:
    server = make_server()
    await server.start()
    lost = asyncio.create_task(server.wait_lost())
    await server.stop()
    await asyncio.sleep(0)
    assert not lost.done()
    lost.cancel()


async def test_stop_without_start_and_twice(make_server: Any) -> None:
    server = make_server()
    await server.stop()
    await server.start()
    await server.stop()
    await server.stop()
    with pytest.raises(DatabaseUnavailable):
        _ = server.endpoint


async def test_stop_ends_a_server_with_open_transactions(make_server: Any, folder: Path) -> None:
    server = make_server()
    endpoint = await server.start()
    connection = await asyncpg.connect(
        host=endpoint.host, port=endpoint.port, user="postgres", password="a pass'word with \\ signs", ssl=False
    )
    await connection.execute("begin; create table unfinished ()")
    pid = postmaster(folder)
    await server.stop()
    assert not psutil.pid_exists(pid)
    connection.terminate()


async def test_a_slow_start_is_waited_for(make_server: Any, query: Any, pretending: Pretending, noted: Noted) -> None:
    slow = pretending('mkfifo "$HERE/gate"; touch "$HERE/began"; read line < "$HERE/gate"; exec "$REAL" "$@"')
    starting = asyncio.create_task(make_server(binaries=slow).start())
    await noted(slow.root / "began")
    assert not starting.done()
    await asyncio.to_thread((slow.root / "gate").write_text, "go\n")
    assert await query(await starting, "select 1") == 1


async def test_shared_memory_still_in_use_is_tried_again(make_server: Any, query: Any, pretending: Pretending) -> None:
    first_fails = pretending(
        'if [ ! -e "$HERE/tried" ]; then touch "$HERE/tried"\n'
        'echo "FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use"; exit 1; fi; exec "$REAL" "$@"'
    )
    assert await query(await make_server(binaries=first_fails).start(), "select 1") == 1
    assert (first_fails.root / "tried").exists()


async def begun(server: Any) -> Any:
    """The process of a server that starts: it runs a moment before the server knows of it."""
    async with asyncio.timeout(60):
        while server._process is None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    return server._process


async def test_a_server_that_does_not_listen_is_ended_by_force(
    make_server: Any, pretending: Pretending, noted: Noted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "_FAREWELL", ((signal.SIGINT, 2.0), (signal.SIGQUIT, 60.0)))
    deaf = pretending("trap '' INT; touch \"$HERE/began\"; exec sleep 1000")
    server = make_server(binaries=deaf)
    starting = asyncio.create_task(server.start())
    await noted(deaf.root / "began")
    process = await begun(server)
    await server.stop()
    assert process.returncode == -signal.SIGQUIT
    with pytest.raises(DatabaseUnavailable, match="stopped while it was starting"):
        await starting


async def test_a_cancelled_start_leaves_nothing(make_server: Any, pretending: Pretending, noted: Noted) -> None:
    never = pretending('touch "$HERE/began"; exec sleep 1000')
    server = make_server(binaries=never)
    starting = asyncio.create_task(server.start())
    await noted(never.root / "began")
    pid = (await begun(server)).pid
    starting.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await starting
    assert not psutil.pid_exists(pid)


async def test_a_damaged_cluster_is_explained(make_server: Any, folder: Path) -> None:
    (folder / "18" / "global" / "pg_control").write_bytes(b"")
    with pytest.raises(DatabaseUnavailable, match="pg_control") as caught:
        await make_server().start()
    assert str(folder / "log" / "postgres.log") in caught.value.message
    assert "\n" not in caught.value.message


async def test_no_thread_and_no_task_stay_behind(make_server: Any) -> None:
    before = set(threading.enumerate())  # other tests of this process may have left theirs
    server = make_server()
    await server.start()
    tasks = {task for task in asyncio.all_tasks() if task is not asyncio.current_task()}
    assert not [task for task in tasks if "watch" in task.get_name()]
    await server.stop()
    # to_thread's own pool may stay: it is the loop's and ends with it
    assert not [t for t in set(threading.enumerate()) - before if not t.name.startswith("asyncio_")]


async def test_programs_are_named_for_use(make_server: Any) -> None:
    assert make_server().command("pg_dump", "--version") == [str(binary("pg_dump")), "--version"]


async def test_whoever_joins_finds_it_without_touching_it(make_server: Any, folder: Path, program: Any) -> None:
    assert EmbeddedPostgres.find_running(folder) is None
    server = make_server()
    endpoint = await server.start()
    told, _ = await asyncio.to_thread(program(JOINS, folder).communicate)
    assert told.strip() == repr(endpoint)
    assert EmbeddedPostgres.find_running(folder) == endpoint
    await server.stop()
    assert EmbeddedPostgres.find_running(folder) is None
