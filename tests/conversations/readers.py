"""Conversations that several people read, for tests."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import httpx2

from tests.world import World


async def share(
    world: World,
    conversation_id: str | UUID,
    *persons: str,
    write: bool = True,
    workspace: bool = False,
    group_writes: bool = False,
    by: str = "bob",
) -> httpx2.Response:
    """As its owner does it in the dialog."""
    body: dict[str, Any] = {
        "visibility": "GROUP" if workspace else "MY",
        "groupWrites": group_writes,
        "sharedWith": [{"userId": str(world[name].user.id), "mayWrite": write} for name in persons],
    }
    path = f"/api/workspace/{world.instances['lab'].id}/conversations/{conversation_id}/sharing"
    return await world.call(by, "PUT", path, body)


async def shared(world: World, conversation_id: str | UUID, *persons: str, **how: Any) -> None:
    answer = await share(world, conversation_id, *persons, **how)
    assert answer.status_code == 200, answer.text
