"""Real servers in temporary folders. After every test nothing of it may still run."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import asyncpg
import psutil
import pytest

import workroom
from workroom.db.embedded import EmbeddedPostgres, Endpoint
from workroom.db.embedded.binaries import Binaries

PASSWORD = "a pass'word with \\ signs"


class MakeServer(Protocol):
    def __call__(self, folder: Path | None = None, *, superuser_password: str = ..., **kw: Any) -> EmbeddedPostgres: ...


class Query(Protocol):
    async def __call__(self, endpoint: Endpoint, sql: str) -> Any: ...


class Program(Protocol):
    def __call__(self, code: str, *args: object, before: tuple[str, ...] = ()) -> subprocess.Popen[str]: ...


@pytest.fixture
def tmp_path(quick_disk: Path) -> Path:
    """As pytest's own, closed to other users, but quick: a cluster has a thousand files and 40 MB, and every test wants one."""
    return Path(tempfile.mkdtemp(dir=quick_disk))


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A short path that every user may pass through, unlike tmp_path, which is closed to others."""
    path = Path(tempfile.mkdtemp(prefix="wr-")).resolve()
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


@pytest.fixture(autouse=True)
def nothing_left_running(tmp_path: Path, open_folder: Path) -> Iterator[None]:
    yield
    left = [process for process in psutil.process_iter() if _works_in(process, tmp_path, open_folder)]
    # Helpers of a postmaster that a test killed end by themselves, a moment later.
    _, alive = psutil.wait_procs(left, timeout=30)
    alive = [process for process in alive if _works_in(process, tmp_path, open_folder)]
    told = [f"{process.pid} {process.cmdline()}" for process in alive]
    for process in alive:
        process.kill()
    shutil.rmtree(tmp_path)
    assert not told, "processes left behind"


def _works_in(process: psutil.Process, *folders: Path) -> bool:
    try:
        if process.pid == os.getpid() or process.status() == psutil.STATUS_ZOMBIE:
            return False
        words = [process.cwd(), *process.cmdline()]
    except psutil.Error:
        return False
    return any(str(folder) in word for folder in folders for word in words)


@pytest.fixture(scope="session")
async def template(quick_disk: Path) -> Path:
    """A cluster made once: copying it takes a fifth of the time that making it does."""
    folder = quick_disk / "template"
    server = EmbeddedPostgres(folder, superuser_password=PASSWORD, durable=False)
    try:
        await server.start()
    finally:
        await server.stop()
    return folder / "18"


@pytest.fixture
def empty_folder(tmp_path: Path) -> Path:
    """A folder that is not there yet."""
    return tmp_path / "empty" / "postgres"


@pytest.fixture
def folder(tmp_path: Path, template: Path) -> Path:
    """A folder with a cluster in it that was stopped properly."""
    folder = tmp_path / "data" / "postgres"
    shutil.copytree(template, folder / "18")
    return folder


@pytest.fixture
async def make_server(folder: Path) -> AsyncIterator[MakeServer]:
    """Servers that are stopped at the end, however the test ends; of `folder` unless told otherwise."""
    made: list[EmbeddedPostgres] = []
    usual = folder

    def make(
        folder: Path | None = None, *, superuser_password: str = PASSWORD, durable: bool = False, **kw: Any
    ) -> EmbeddedPostgres:
        server = EmbeddedPostgres(folder or usual, superuser_password=superuser_password, durable=durable, **kw)
        made.append(server)
        return server

    yield make
    for server in made:
        await server.stop()


@pytest.fixture
def query() -> Query:
    async def run(endpoint: Endpoint, sql: str) -> Any:
        connection = await asyncpg.connect(
            host=endpoint.host, port=endpoint.port, user="postgres", password=PASSWORD, database="postgres", ssl=False
        )
        try:
            return await connection.fetchval(sql)
        finally:
            await connection.close()

    return run


@pytest.fixture
def program() -> Iterator[Program]:
    """Python in another process, for what only another process can show; killed at the end if it still runs."""
    started: list[subprocess.Popen[str]] = []

    def run(code: str, *args: object, before: tuple[str, ...] = ()) -> subprocess.Popen[str]:
        source = str(Path(workroom.__file__).parents[1])
        process = subprocess.Popen(
            [*before, sys.executable, "-c", code, *map(str, args)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONPATH": source},
        )
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.communicate()


SERVES = f"""
import asyncio, sys
from pathlib import Path
from workroom.db.embedded import EmbeddedPostgres

async def main():
    server = EmbeddedPostgres(Path(sys.argv[1]), superuser_password={PASSWORD!r}, durable=False)
    endpoint = await server.start()
    print(endpoint.host, server._process.pid, flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await server.stop()

asyncio.run(main())
"""


@pytest.fixture
def serving(program: Program) -> Callable[..., tuple[subprocess.Popen[str], str]]:
    """Another process that runs the server of a folder until its input ends; and the first line it said."""

    def serve(folder: Path, *before: str) -> tuple[subprocess.Popen[str], str]:
        app = program(SERVES, folder, before=before)
        assert app.stdout is not None
        return app, app.stdout.readline()

    return serve


@pytest.fixture
def orphan(serving: Callable[..., tuple[subprocess.Popen[str], str]], folder: Path) -> Callable[[], tuple[Path, int]]:
    """Start the server from another process and kill that process: its socket directory and process stay."""

    def leave() -> tuple[Path, int]:
        app, said = serving(folder)
        host, pid = said.split()
        app.send_signal(signal.SIGKILL)
        app.wait()
        return Path(host), int(pid)

    return leave


@pytest.fixture
def pretending(open_folder: Path) -> Callable[[str], Binaries]:
    """An installation whose `postgres` is a shell script; `$REAL` is the real program, `$HERE` a folder for notes."""

    def make(script: str) -> Binaries:
        root = open_folder / "pretending"
        (root / "bin").mkdir(parents=True)
        path = root / "bin" / "postgres"
        real = Binaries.bundled().path("postgres")
        path.write_text(f'#!/bin/sh\n[ "$1" = --version ] && exit 0\nREAL="{real}"\nHERE="{root}"\n{script}\n')
        path.chmod(0o755)
        return Binaries(root)

    return make


@pytest.fixture
def noted() -> Callable[[Path], Any]:
    """Wait until a program has left its note."""

    async def wait(path: Path) -> None:
        async with asyncio.timeout(60):
            while not path.exists():  # noqa: ASYNC110, ASYNC240 - the other side is a shell script
                await asyncio.sleep(0.01)

    return wait
