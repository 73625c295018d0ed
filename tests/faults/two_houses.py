"""Two servers on one database, each with a worker, and one scripted provider for both: what runs behind a balancer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from tests.faults.process import Workroom, free_port
from tests.faults.sender import OVER, Said
from workroom.db import DatabaseAddress
from workroom.db.connection import connect
from workroom.models.testing import ScriptedProvider

METRICS = "a token that reads numbers"
SECONDS = 60.0
LOOK_AGAIN = 0.05  # there is no event across processes


@dataclass
class TwoHouses:
    workrooms: list[Workroom]
    clients: list[httpx2.AsyncClient]
    provider: ScriptedProvider
    address: DatabaseAddress
    instance: str

    async def ask(self, prompt: str, place: int = 0, **more: Any) -> str:
        """The id of the run that answers."""
        path = f"/api/workspace/{self.instance}/input"
        answer = await self.clients[place % len(self.clients)].post(path, json={"prompt": prompt, **more})
        assert answer.status_code == 202, answer.text
        run_id: str = answer.json()["runId"]
        return run_id

    async def put(self, path: str, body: dict[str, Any]) -> None:
        (await self.clients[0].put(path, json=body)).raise_for_status()

    async def log(self, run_id: str, after: int = 0) -> list[Said]:
        said: list[Said] = []
        while True:
            answer = await self.clients[0].get(f"/api/runs/{run_id}/log", params={"after": after})
            answer.raise_for_status()
            if not (items := answer.json()["items"]):
                return said
            said += items
            after = items[-1]["seq"]

    async def ended(self, runs: list[str]) -> dict[str, str]:
        """The state of each, once all have one that lasts."""
        async with asyncio.timeout(SECONDS):
            while True:
                rows = await self.rows("select run_id::text, state from runs where run_id = any($1::uuid[])", runs)
                states = {row[0]: row[1] for row in rows}
                if set(states.values()) <= OVER:
                    return states
                await asyncio.sleep(LOOK_AGAIN)

    async def rows(self, sql: str, *args: Any) -> list[Any]:
        """As the database's administrator: over everything that is stored."""
        assert self.address.administration is not None
        connection = await connect(self.address.administration)
        try:
            await connection.execute("set search_path to workroom, public")
            return list(await connection.fetch(sql, *args))
        finally:
            await connection.close()


@asynccontextmanager
async def two_houses(folder: Path, address: DatabaseAddress) -> AsyncIterator[TwoHouses]:
    async with AsyncExitStack() as stack:
        provider = await stack.enter_async_context(ScriptedProvider())
        settings = {
            "DATABASE_URL": address.application,
            "MIGRATION_DATABASE_URL": address.migration,
            "MODEL_URL": provider.base_url,
            "MODEL": "test",
            "METRICS_TOKEN": METRICS,
            "LOG_LEVEL": "debug",
            "ANSWERS_PER_PERSON": "1000",  # drills ask everything as one person
        }
        workrooms = [Workroom(folder / name, PORT=free_port(), **settings) for name in ("one", "two")]
        for workroom in workrooms:
            stack.callback(workroom.clean_up)
        # One after the other: the first makes the administrator, and both would want to.
        for workroom in workrooms:
            workroom.start()
            await asyncio.to_thread(workroom.wait_ready)
        token = (await asyncio.to_thread(workrooms[0].command, "tokens", "create", "admin", "--name", "drill")).fine()
        headers = {"Authorization": f"Bearer {token.strip()}"}
        clients = [
            await stack.enter_async_context(
                httpx2.AsyncClient(base_url=workroom.base_url, headers=headers, trust_env=False, timeout=30)
            )
            for workroom in workrooms
        ]
        session = (await clients[0].get("/api/session")).json()
        yield TwoHouses(workrooms, clients, provider, address, session["defaultInstanceId"])
        for workroom in workrooms:
            await asyncio.to_thread(workroom.stop)
