"""Agents over HTTP, for whoever acts."""

from __future__ import annotations

from typing import Any

from tests.world import World
from workroom.agents.types import AgentContent, AgentDefinition, AgentInstructions
from workroom.identity.sharing import Visibility

CHEF: dict[str, Any] = {"name": "Ada the chef", "instructions": {"en": "You are a chef.", "de": "Du kochst."}}


def agents_path(world: World, slug: str = "lab") -> str:
    return f"/api/instances/{world.instances[slug].id}/agents"


async def made(world: World, who: str = "bob", **more: Any) -> dict[str, Any]:
    answer = await world.call(who, "POST", agents_path(world), CHEF | more)
    assert answer.status_code == 201, answer.text
    agent: dict[str, Any] = answer.json()
    return agent


async def agent_of(world: World, owner: str, name: str, text: str = "", **more: Any) -> AgentDefinition:
    """Made by the service, for tests about something else."""
    visibility = more.pop("visibility", Visibility.GROUP)
    content = AgentContent(name=name, instructions=AgentInstructions(en=text or f"You are {name}."), **more)
    lab = world.instances["lab"].id
    return await world.services.agents.create(world[owner].principal, lab, content, visibility)
