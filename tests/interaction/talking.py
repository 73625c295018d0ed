"""Talking to the whole application: a worker beside it, a question over HTTP, and everything the run said."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from tests.world import World
from workroom.bootstrap.worker import open_worker_services
from workroom.db import DatabaseAddress
from workroom.models.testing import ScriptedProvider
from workroom.settings import Settings

SECONDS = 60.0


@asynccontextmanager
async def worker(
    world: World, address: DatabaseAddress, provider: ScriptedProvider | None, **more: Any
) -> AsyncIterator[World]:
    """Works on what waits, in the same loop as the application. Without a provider there is the embedded default."""
    data = world.services.settings.data
    settings = (
        Settings(data=data, model_url=provider.base_url, model="scripted", **more)
        if provider
        else Settings(data=data, **more)
    )
    async with open_worker_services(settings, address.application, world.services.db):
        yield world


async def ask(world: World, prompt: str, who: str = "bob", **more: Any) -> dict[str, str]:
    path = f"/api/workspace/{world.instances['lab'].id}/input"
    answer = await world.call(who, "POST", path, {"prompt": prompt, **more})
    assert answer.status_code == 202, answer.text
    accepted: dict[str, str] = answer.json()
    return accepted


async def finished(world: World, run_id: str, who: str = "bob") -> list[dict[str, Any]]:
    """Everything the run said, once it is over."""
    return await said_until(world, run_id, frozenset(), who)


async def said_until(
    world: World, run_id: str, kinds: frozenset[str], who: str = "bob", after: int = 0
) -> list[dict[str, Any]]:
    """Everything the run said after a number until it is over, or has said something of one of these kinds."""
    said: list[dict[str, Any]] = []

    async def read(since: int) -> Any:
        return await world.services.runs.events(world[who].principal, UUID(run_id), since)

    async with asyncio.timeout(SECONDS):
        async for event in world.services.tail.follow(UUID(run_id), read, after):
            if event is not None:
                said.append({"seq": event.seq, **event.event.model_dump(mode="json")})
                if event.event.type in kinds:
                    break
    return said
