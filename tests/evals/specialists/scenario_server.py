"""A world with a scripted model behind real HTTP, in this process: one for all scenarios."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import httpx2
import uvicorn

from tests.world import BASE, World
from workroom.bootstrap.worker import open_worker_services
from workroom.models.testing import ScriptedProvider

MODEL = "local/scripted"


@dataclass(frozen=True)
class ScenarioServer:
    """`client` is the browser of an administrator."""

    client: httpx2.AsyncClient
    provider: ScriptedProvider


@asynccontextmanager
async def scenario_server(world: World, dsn: str) -> AsyncIterator[ScenarioServer]:
    async with ScriptedProvider() as provider:
        own_model = {"model_url": provider.base_url, "model": "scripted", "titles_by_model": False}
        settings = world.services.settings.model_copy(update=own_model)
        async with (
            open_worker_services(settings, dsn, world.services.db),
            _listening(world) as port,
            httpx2.AsyncClient(
                base_url=f"http://127.0.0.1:{port}",
                cookies={world.services.site.cookie_name: world["alice"].cookie},
                headers={"Host": httpx2.URL(BASE).netloc.decode()},
                trust_env=False,
                timeout=60,
            ) as client,
        ):
            yield ScenarioServer(client, provider)


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are for the test run."""
        yield


@asynccontextmanager
async def _listening(world: World) -> AsyncIterator[int]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = _Server(uvicorn.Config(world.app, log_config=None, access_log=False, lifespan="off"))
        serving = asyncio.create_task(server.serve([listening]))
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            world.services.tail.close()
            await serving
