"""`/api/chat` as a client calls it, answered by the embedded default."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from tests.world import World
from workroom.bootstrap.worker import open_worker_services
from workroom.db import DatabaseAddress
from workroom.settings import Settings

EXTRACT = "Lade den ÖREB-Auszug an der Koordinate 2600513, 1215519"


class Chat:
    def __init__(self, world: World) -> None:
        self.world = world

    async def post(self, body: Mapping[str, Any], who: str | None = "bob", session: str = "s-1") -> Any:
        lab = str(self.world.instances["lab"].id)
        headers = {"X-Workroom-Instance": lab}
        return await self.world.call(who, "POST", "/api/chat", {"sessionId": session, **body}, headers=headers)

    async def says(self, text: str, **more: Any) -> dict[str, Any]:
        answer = await self.post({"userMessage": text}, **more)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told

    async def chooses(self, choice_id: str, **more: Any) -> dict[str, Any]:
        answer = await self.post({"choiceId": choice_id}, **more)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told


@asynccontextmanager
async def by_rules(world: World, address: DatabaseAddress) -> AsyncIterator[Chat]:
    """With nothing but the embedded default."""
    settings = Settings(data=world.services.settings.data)
    async with open_worker_services(settings, address.application, world.services.db):
        yield Chat(world)
