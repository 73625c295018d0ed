"""Companies made over HTTP."""

from __future__ import annotations

from typing import Any

from tests.world import World
from workroom.companies.document_kinds import KINDS
from workroom.core.languages import Language


def path(world: World, *more: object, slug: str = "lab") -> str:
    return "/".join([f"/api/workspace/{world.instances[slug].id}/companies", *map(str, more)])


async def create(world: World, by: str = "bob", **fields: Any) -> dict[str, Any]:
    answer = await world.call(by, "POST", path(world), {"name": "Alpenblick AG", **fields})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def write(
    world: World, company: dict[str, Any], kind: str, version: int, text: str, status: str = "draft", by: str = "bob"
) -> dict[str, Any]:
    body = {"version": version, "text": text, "status": status}
    answer = await world.call(by, "PUT", path(world, company["id"], "documents", kind), body)
    assert answer.status_code == 200, answer.text
    written: dict[str, Any] = answer.json()
    return written


def complete(kind: str, language: Language = "de") -> str:
    """A document of that kind with a sentence under every heading."""
    return "\n\n".join(f"## {heading.title[language]}\n\n{heading.about[language]}" for heading in KINDS[kind].headings)
