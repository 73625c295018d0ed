"""Somebody who stores many files over HTTP and reads all of them, as a busy browser does, and hears how far they are."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx2
from bench.people import Person

T = TypeVar("T")
AT_ONCE = 4
PAGES_AT_MOST = 40  # requests for the content of one file
REFUSED = 422  # what is wrong with a document is said in a sentence; anything else is a mistake of ours


@dataclass
class Storing:
    client: httpx2.AsyncClient
    instance: str
    ids: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    """By code."""
    objects: int = 0

    async def all(self, paths: Sequence[Path]) -> None:
        """First everything is stored, then everything is read: looks have something to catch up with."""

        async def store(numbered: tuple[int, Path]) -> None:
            self.ids.append(await self._store(f"{numbered[0]}-{numbered[1].name}", numbered[1]))

        await _some_at_once(store, list(enumerate(paths)))
        await _some_at_once(self._read, list(self.ids))

    async def count(self, **only: str) -> int:
        """How many files there are of that `status`."""
        path = f"/api/workspace/{self.instance}/files"
        answer = (await self.client.get(path, params={**only, "limit": 1})).raise_for_status()
        return int(answer.json()["total"])

    async def _store(self, name: str, path: Path) -> str:
        size = (await asyncio.to_thread(path.stat)).st_size
        begun = await self._post(f"/api/workspace/{self.instance}/uploads", {"name": name, "size": size})
        upload, offset = f"/api/uploads/{begun['uploadId']}", 0
        with path.open("rb") as file:
            while chunk := await asyncio.to_thread(file.read, begun["chunkSize"]):
                sent = await self.client.patch(upload, content=chunk, headers={"Upload-Offset": str(offset)})
                offset = sent.raise_for_status().json()["offset"]
        return str((await self._post(f"{upload}/finish", {}))["id"])

    async def _read(self, file_id: str) -> None:
        """Everything that is in it, page by page."""
        params: dict[str, Any] = {"limit": 500}
        for _ in range(PAGES_AT_MOST):
            answer = await self.client.get(f"/api/files/{file_id}/objects", params=params)
            if answer.status_code == REFUSED:
                self.refused[answer.json()["code"]] += 1
                return
            found = answer.raise_for_status().json()
            self.objects += len(found["items"])
            if found["nextCursor"] is None:
                return
            params["cursor"] = found["nextCursor"]

    async def _post(self, path: str, body: dict[str, Any]) -> Any:
        return (await self.client.post(path, json=body)).raise_for_status().json()


@dataclass
class Progress:
    """How many files were still being looked into, each time an event said that something changed."""

    storing: Storing
    left: list[int] = field(default_factory=list)
    events: int = 0
    _heard: asyncio.Event = field(default_factory=asyncio.Event)

    async def __aiter__(self) -> AsyncIterator[int]:
        """Without end; while nobody listens, events are gathered."""
        listening = asyncio.create_task(self._listen())
        try:
            while True:
                await self._heard.wait()
                self._heard.clear()
                self.left.append(await self.storing.count(status="processing"))
                yield self.left[-1]
        finally:
            listening.cancel()

    async def _listen(self) -> None:
        async with self.storing.client.stream("GET", "/api/events", timeout=None) as answer:
            async for line in answer.aiter_lines():
                if line in ("event: changed", "event: hello"):
                    self.events += 1
                    self._heard.set()


async def _some_at_once(do: Callable[[T], Awaitable[None]], work: Sequence[T]) -> None:
    waiting = deque(work)

    async def some() -> None:
        while waiting:
            await do(waiting.popleft())

    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(some())


@asynccontextmanager
async def storing(base_url: str, person: Person) -> AsyncIterator[Storing]:
    headers = {"Authorization": f"Bearer {person.token}"}
    async with httpx2.AsyncClient(base_url=base_url, headers=headers, trust_env=False, timeout=300) as client:
        yield Storing(client, person.instance)
