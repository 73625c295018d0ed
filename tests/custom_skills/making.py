"""Skills made over HTTP, and folders of them."""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Mapping
from typing import Any

import httpx2

from tests.world import World

CONTENT = {
    "name": "weekly-report",
    "description": "Writes the weekly report. Use it when a report on the week is asked for.",
    "instructions": "Write a report about {{topic}} in three sections.",
    "parameters": [{"name": "topic", "required": True}, {"name": "audience", "default": "the board"}],
}


def path(world: World, *more: object, slug: str = "lab") -> str:
    return "/".join([f"/api/workspace/{world.instances[slug].id}/skills", *map(str, more)])


async def create(world: World, by: str = "bob", **fields: Any) -> dict[str, Any]:
    answer = await world.call(by, "POST", path(world), {**CONTENT, **fields})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def take(world: World, data: bytes, by: str = "bob", on_conflict: str = "fail") -> httpx2.Response:
    body = {"content": base64.b64encode(data).decode()}
    return await world.call(by, "POST", path(world, "import") + f"?onConflict={on_conflict}", body)


def packed(members: Mapping[str, str | bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def skill_md(name: str = "weekly-report", body: str = "Write it.", head: str = "") -> str:
    return f"---\nname: {name}\ndescription: For the week.\n{head}---\n\n{body}\n"
