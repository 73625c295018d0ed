"""How tests store files: over HTTP as a browser does it, or straight through the service."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import httpx2

from tests.world import World
from workroom.files.types import CHUNK_BYTES, File, NewFile


def lab(world: World, *more: object) -> str:
    return "/".join([f"/api/workspace/{world.instances['lab'].id}", *map(str, more)])


async def pieces(content: bytes, size: int = 64 * 1024) -> AsyncIterator[bytes]:
    for at in range(0, len(content), size):
        yield content[at : at + size]


async def begin(world: World, person: str, **body: Any) -> httpx2.Response:
    return await world.call(person, "POST", lab(world, "uploads"), {"name": "report.pdf", "size": 0, **body})


async def patch(world: World, name: str, upload_id: str, offset: int, content: bytes) -> httpx2.Response:
    async with world.client(name) as client:
        return await client.patch(f"/api/uploads/{upload_id}", content=content, headers={"Upload-Offset": str(offset)})


async def upload(world: World, person: str, content: bytes, **body: Any) -> dict[str, Any]:
    """The whole way in; answers with the file."""
    begun = (await begin(world, person, size=len(content), **body)).json()
    offset = 0
    while offset < len(content):
        part = content[offset : offset + CHUNK_BYTES]
        offset = (await patch(world, person, begun["uploadId"], offset, part)).json()["offset"]
    finished = await world.call(person, "POST", f"/api/uploads/{begun['uploadId']}/finish", {})
    assert finished.status_code == 200, finished.text
    made: dict[str, Any] = finished.json()
    return made


async def store(world: World, name: str, content: bytes, new: NewFile, slug: str = "lab") -> File:
    principal, instance_id = world[name].principal, world.instances[slug].id
    return await world.services.files.store(principal, instance_id, new, pieces(content))


async def make(world: World, name: str, file_name: str, content: bytes = b"content", **more: Any) -> File:
    return await store(world, name, content, NewFile(file_name, **more))


async def names(world: World, name: str, query: str = "") -> list[str]:
    answer = await world.call(name, "GET", lab(world, "files") + query)
    assert answer.status_code == 200, answer.text
    return [item["name"] for item in answer.json()["items"]]


async def content(world: World, name: str, file_id: UUID | str, query: str = "", **headers: str) -> httpx2.Response:
    return await world.call(name, "GET", f"/api/files/{file_id}/content{query}", headers=headers)
