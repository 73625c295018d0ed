"""What a client is told about who is signed in."""

from __future__ import annotations

from tests.world import World


async def test_one_arrives_in_the_oldest_workspace_one_belongs_to(world: World) -> None:
    """Wherever it stands in the list: making another one takes nobody out of theirs."""
    before = (await world.call("alice", "GET", "/api/session")).json()["defaultInstanceId"]
    made = (await world.call("alice", "POST", "/api/instances", {"name": "! first by name"})).json()
    after = (await world.call("alice", "GET", "/api/session")).json()
    assert after["instances"][0]["id"] == made["id"]
    assert after["defaultInstanceId"] == before
