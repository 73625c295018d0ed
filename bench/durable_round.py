"""What a round costs us: the loop with a real, durable PostgreSQL, in CPU of this process and of all of the server's.

The model is scripted and in the process, as it is for the peers: what is measured is everything around the model.
A round asks for one reading and one writing call; the last one answers. Nothing is summed up, as the peers sum up nothing.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import uvloop
from tests.runs.bench import RunBench
from tests.world import make_world

from bench import cpu
from bench.peers.script import ROUNDS, RUNS, WARM, diary_of, title_of
from workroom.agent.testing import SCRIPTED, Said, ScriptedModel, call, say
from workroom.bootstrap.server import open_services
from workroom.db import DatabaseAddress, migrator
from workroom.db.embedded import EmbeddedPostgres
from workroom.db.provision import provision
from workroom.secrets import Secrets
from workroom.settings import Settings

PORT = 8420
QUIET = replace(SCRIPTED, embedded=True)  # such a model is not asked for summaries


def measure() -> dict[str, float]:
    """CPU seconds per round: of this process, of PostgreSQL."""
    with tempfile.TemporaryDirectory(prefix="wr-bench-") as name:
        folder = Path(name).resolve()
        folder.chmod(0o755)
        return uvloop.run(_measure(folder))  # as the worker does


async def _measure(folder: Path) -> dict[str, float]:
    async with _database(folder / "postgres") as address:
        settings = Settings(data=folder / "data", login="password", port=PORT)
        async with open_services(settings, address, PORT) as services:
            bench = RunBench(await make_world(services), max_rounds=ROUNDS)
            for number in range(WARM):
                await _run(bench, number)
            server = [child for child in psutil.Process().children(recursive=True) if child.name() == "postgres"]
            before, began = cpu.seconds(server), time.process_time()
            for number in range(WARM, WARM + RUNS):
                await _run(bench, number)
            rounds = RUNS * ROUNDS
            return {
                "process": (time.process_time() - began) / rounds,
                "postgres": (cpu.seconds(server) - before) / rounds,
            }


async def _run(bench: RunBench, run: int) -> None:
    accepted = await bench.ask(diary_of(run))
    model = ScriptedModel(*_script(diary_of(run)), info=QUIET)
    async with bench.worker(model) as runner:
        await runner.advance(bench.key(accepted))
    ended = await bench.runs.get(bench.principal, accepted.run_id)
    if ended.rounds != ROUNDS or ended.tool_calls != 2 * (ROUNDS - 1):
        raise RuntimeError(f"the run ended as {ended.state} after {ended.rounds} rounds: {ended.error}")


def _script(diary: str) -> list[Said]:
    asked: list[Said] = [
        [
            call("listNotes", query=title_of(diary, number), limit=5),
            call("writeNote", title=title_of(diary, number), text="Something happened."),
        ]
        for number in range(ROUNDS - 1)
    ]
    return [*asked, say("The diary is written.")]


@asynccontextmanager
async def _database(folder: Path) -> AsyncIterator[DatabaseAddress]:
    """As `workroom serve` runs it, fsync included."""
    secrets = Secrets()
    server = EmbeddedPostgres(folder, superuser_password=secrets.superuser_password, durable=True)
    await server.start()
    try:
        address = await provision(server.endpoint, secrets, "workroom")
        assert address.migration is not None
        await migrator.migrate(address.migration)
        yield address
    finally:
        await server.stop()


if __name__ == "__main__":
    print(measure())
