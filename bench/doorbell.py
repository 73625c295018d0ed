"""How workers are woken: a queue (PgQueuer, to be installed beside) or a notification on the listener that every process has.

    python -m bench.doorbell            both ways if PgQueuer is installed, with 1, 2 and 8 worker processes

Pickup is the time from the commit of a transaction that stores a row and wakes, to the first handler that is called in a worker.
Commits are transactions of sixteen connections that each store a row and wake.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib.util
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import asyncpg

from bench.lines import Line, show
from workroom.db.listener import Listener
from workroom.db.testing import TestPostgres

WORKERS = (1, 2, 8)
PICKUPS = 200
PAUSE_SECONDS = 0.01  # between two: workers are idle when the next comes
CLIENTS = 16
COMMIT_SECONDS = 4.0
CHANNEL = "bench_work"
Ring = Callable[["asyncpg.Connection[Any]", bytes], Awaitable[None]]


async def ring_nothing(connection: asyncpg.Connection[Any], payload: bytes) -> None:
    return None


async def ring_queue(connection: asyncpg.Connection[Any], payload: bytes) -> None:
    from pgqueuer.queries import Queries

    await Queries.from_asyncpg_connection(connection).enqueue("work", payload)


async def ring_notify(connection: asyncpg.Connection[Any], payload: bytes) -> None:
    await connection.execute("select pg_notify($1, $2)", CHANNEL, payload.decode())


WAYS: dict[str, Ring] = {"nothing": ring_nothing, "queue": ring_queue, "notify": ring_notify}


async def work(way: str, dsn: str) -> None:
    """A worker process: writes down when each wake-up with a number arrived, until its input ends."""

    def woken(payload: str) -> None:
        if payload != "x":
            print(payload, time.monotonic_ns(), flush=True)

    ended = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    if way == "queue":
        from pgqueuer import PgQueuer

        connection = await asyncpg.connect(dsn)
        manager = PgQueuer.from_asyncpg_connection(connection)

        async def handle(job: Any) -> None:
            woken((job.payload or b"").decode())

        manager.entrypoint("work")(handle)
        running = asyncio.create_task(manager.qm.run(batch_size=10))
        print("ready", flush=True)
        await ended
        manager.shutdown.set()
        await asyncio.wait({running}, timeout=5)
        return
    listener = Listener(dsn)
    listener.on(CHANNEL, woken)
    running = asyncio.create_task(listener.run())
    await listener.connected.wait()
    print("ready", flush=True)
    await ended
    listener.stop()
    await running


@contextlib.asynccontextmanager
async def workers(way: str, dsn: str, count: int) -> AsyncIterator[list[subprocess.Popen[str]]]:
    command = [sys.executable, "-m", "bench.doorbell", "--worker", way, dsn]
    made = [_begin(command) for _ in range(count if way != "nothing" else 0)]
    try:
        for process in made:
            assert process.stdout is not None
            assert await asyncio.to_thread(process.stdout.readline) == "ready\n"
        yield made
    finally:
        for process in made:
            assert process.stdin is not None
            process.stdin.close()
        for process in made:
            await asyncio.to_thread(process.wait)


def _begin(command: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


async def commit(connection: asyncpg.Connection[Any], ring: Ring, payload: bytes) -> None:
    async with connection.transaction():
        await connection.execute("insert into things default values")
        await ring(connection, payload)


async def pickups(way: str, dsn: str, count: int) -> list[float]:
    """In milliseconds, sorted."""
    connection = await asyncpg.connect(dsn)
    committed: dict[str, int] = {}
    async with workers(way, dsn, count) as made:
        for number in range(PICKUPS):
            await commit(connection, WAYS[way], str(number).encode())
            committed[str(number)] = time.monotonic_ns()
            await asyncio.sleep(PAUSE_SECONDS)
        await asyncio.sleep(1)
    await connection.close()
    first: dict[str, int] = {}
    for process in made:
        assert process.stdout is not None
        for line in process.stdout:
            name, at = line.split()
            first[name] = min(int(at), first.get(name, int(at)))
    assert first.keys() == committed.keys(), f"{len(committed) - len(first)} were not heard"
    return sorted((first[name] - committed[name]) / 1e6 for name in committed)


async def commits(way: str, dsn: str, count: int) -> float:
    """Per second, after the workers have caught up with nothing: they handle what they are told meanwhile."""
    connections = [await asyncpg.connect(dsn) for _ in range(CLIENTS)]
    done = 0

    async def send(connection: asyncpg.Connection[Any], until: float) -> None:
        nonlocal done
        while time.monotonic() < until:
            await commit(connection, WAYS[way], b"x")
            done += 1

    async with workers(way, dsn, count):
        began = time.monotonic()
        await asyncio.gather(*(send(connection, began + COMMIT_SECONDS) for connection in connections))
        took = time.monotonic() - began
    for connection in connections:
        await connection.close()
    return done / took


async def measure() -> list[Line]:
    lines: list[Line] = []
    with tempfile.TemporaryDirectory() as folder:
        server = TestPostgres(Path(folder) / "postgres")
        await server.start()
        try:
            for count in WORKERS:  # one way right after the other: a machine is not equally busy all the time
                for way in ("nothing", *(["queue"] if importlib.util.find_spec("pgqueuer") else []), "notify"):
                    lines += await _measure_one(server, way, count)
        finally:
            await server.stop()
    return lines


async def _measure_one(server: TestPostgres, way: str, count: int) -> list[Line]:
    address = await server.fresh()
    assert address.administration is not None
    dsn = address.administration
    admin = await asyncpg.connect(dsn)
    await admin.execute(
        "create table things (id bigint generated always as identity primary key, at timestamptz default now())"
    )
    if way == "queue":
        from pgqueuer.queries import Queries

        await Queries.from_asyncpg_connection(admin).install()
    await admin.close()
    label = f"{count} workers, {way}"
    lines = []
    if way != "nothing":
        took = await pickups(way, dsn, count)
        lines.append(Line(f"{label}: pickup p50", took[len(took) // 2], "ms"))
        lines.append(Line(f"{label}: pickup p99", took[len(took) * 99 // 100], "ms"))
    lines.append(Line(f"{label}: commits", await commits(way, dsn, count), "/s"))
    await server.drop(address)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worker", nargs=2, metavar=("WAY", "DSN"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        asyncio.run(work(*args.worker))
    else:
        show(asyncio.run(measure()))


if __name__ == "__main__":
    main()
