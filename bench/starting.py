"""How long the program takes to be ready, what it keeps in memory, and what its parts alone would take."""

from __future__ import annotations

import asyncio
import contextlib
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.faults.process import Workroom

from workroom.db.embedded.binaries import Binaries
from workroom.db.embedded.cluster import cluster_path
from workroom.db.embedded.options import environment, server_arguments
from workroom.db.embedded.pidfile import PidFile
from workroom.db.embedded.runas import RunAs
from workroom.db.embedded.socketdir import make_socket_directory

TIMES = 3
SETTLE_SECONDS = 5.0
BARE = "import fastapi, uvicorn, asyncpg"


@dataclass(frozen=True)
class Memory:
    serve: int
    worker: int
    postgres: int

    @property
    def total(self) -> int:
        return self.serve + self.worker + self.postgres


@contextlib.contextmanager
def compiled(folder: Path) -> Iterator[None]:
    """Bytecode is kept, as after an installation; the environment of a developer often says otherwise."""
    before = dict(os.environ)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(folder)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def start(data: Path) -> float:
    """Seconds from the command to the first positive answer of /ready; stopped again."""
    began = time.perf_counter()
    with Workroom(data):
        return time.perf_counter() - began


def typical(measure: Callable[[], float]) -> float:
    return statistics.median(measure() for _ in range(TIMES))


def idle_memory(data: Path) -> Memory:
    """Proportional set size of all processes, some seconds after the start: shared pages count once."""
    with Workroom(data) as workroom:
        with contextlib.suppress(subprocess.TimeoutExpired):
            workroom.process.wait(SETTLE_SECONDS)
        worker = workroom.worker_pid
        sizes = {process.pid: int(process.memory_full_info().pss) for process in workroom.processes}
    serve, background = sizes.pop(workroom.pid), sizes.pop(worker or 0, 0)
    return Memory(serve, background, sum(sizes.values()))


def bare_imports() -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", BARE], check=True)
    return time.perf_counter() - began


def bare_postgres(data: Path) -> float:
    """The same server on the same cluster, until it says it is ready: what pg_ctl would do."""
    cluster = cluster_path(data / "postgres")
    run_as = asyncio.run(RunAs.choose())
    sockets = asyncio.run(make_socket_directory(cluster, run_as))
    command = [str(Binaries.bundled().path("postgres")), *server_arguments(cluster, sockets, durable=True)]
    began = time.perf_counter()
    server = run_as.popen(command, env=environment(), output=subprocess.DEVNULL)
    try:
        while (found := PidFile.read(cluster)) is None or found.status != "ready":
            with contextlib.suppress(subprocess.TimeoutExpired):
                raise RuntimeError(f"PostgreSQL ended with {server.wait(0.01)}")
        return time.perf_counter() - began
    finally:
        server.terminate()
        server.wait()
