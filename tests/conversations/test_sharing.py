"""Who reads and writes in a conversation, and that what they said carries their name."""

from __future__ import annotations

import asyncio
from uuid import UUID

import pytest

from tests.agents.making import made
from tests.conversations.readers import share, shared
from tests.interleaving import somebody_waits
from tests.world import World
from workroom.conversations import store
from workroom.identity.sharing import Visibility
from workroom.runs.service import Input


def lab(world: World, *more: object) -> str:
    return "/".join([f"/api/workspace/{world.instances['lab'].id}", *map(str, more)])


async def begun(world: World, prompt: str = "hello") -> str:
    accepted = await world.services.runs.input(world["bob"].principal, world.instances["lab"].id, Input(prompt))
    return str(accepted.conversation_id)


async def write(world: World, name: str, conversation_id: str, prompt: str = "and mine", **more: str) -> int:
    body = {"prompt": prompt, "workflowId": conversation_id, **more}
    return (await world.call(name, "POST", lab(world, "input"), body)).status_code


async def listed(world: World, name: str) -> list[str]:
    return [item["id"] for item in (await world.call(name, "GET", lab(world, "conversations"))).json()["items"]]


@pytest.mark.requirement("N1")
async def test_nobody_reads_what_was_not_shared(world: World) -> None:
    thread = await begun(world)
    for name in ("alice", "rita"):
        assert await listed(world, name) == []
        assert (await world.call(name, "GET", lab(world, "conversations", thread))).status_code == 404
        assert await write(world, name, thread) in (403, 404), "a reader may not write anywhere"


@pytest.mark.requirement("N1")
async def test_to_read_is_not_to_write(world: World) -> None:
    thread = await begun(world)
    await shared(world, thread, "alice", write=False)
    assert await listed(world, "alice") == [thread]
    seen = (await world.call("alice", "GET", lab(world, "conversations", thread))).json()
    assert (seen["conversation"]["mayWrite"], seen["conversation"]["ownerName"]) == (False, "Bob")
    assert await write(world, "alice", thread) == 403
    for method, path, body in (
        ("PATCH", "", {"title": "x"}),
        ("DELETE", "", None),
        ("POST", "/retry", {}),
        ("PUT", "/branch", {"messageId": seen["messages"][0]["id"]}),
    ):
        answer = await world.call("alice", method, lab(world, "conversations", thread) + path, body)
        assert answer.status_code == 403, f"{method} {path}"
    assert (await world.call("alice", "POST", f"/api/runs/{seen['runs'][0]['id']}/stop", {})).status_code == 403
    assert await listed(world, "rita") == [], "only who was named"


@pytest.mark.requirement("N1")
async def test_what_two_wrote_carries_two_names(world: World) -> None:
    thread = await begun(world, "from bob")
    await shared(world, thread, "alice")
    assert await write(world, "alice", thread, "from alice") == 202
    for name in ("bob", "alice"):
        seen = (await world.call(name, "GET", lab(world, "conversations", thread))).json()["messages"]
        assert [(m["parts"][0]["text"], m["authorName"]) for m in seen] == [
            ("from bob", "Bob"),
            ("from alice", "Alice"),
        ]
    first = seen[0]["id"]
    assert await write(world, "alice", thread, "put into his mouth", replaces=first) == 422
    assert (await world.call("alice", "DELETE", lab(world, "conversations", thread))).status_code == 403, "the owner's"


async def test_the_workspace_reads_and_writes_as_it_was_told(world: World) -> None:
    thread = await begun(world)
    await shared(world, thread, workspace=True)
    assert [await listed(world, name) for name in ("alice", "rita")] == [[thread], [thread]]
    assert (await world.call("olaf", "GET", lab(world, "conversations", thread))).status_code == 404
    assert await write(world, "alice", thread) == 403
    await shared(world, thread, workspace=True, group_writes=True)
    assert await write(world, "alice", thread) == 202
    assert await write(world, "rita", thread) == 403, "a reader's role writes nowhere"
    await shared(world, thread)
    assert [await listed(world, name) for name in ("alice", "rita")] == [[], []], "taken back at once"


async def test_only_the_owner_shares_and_only_with_members(world: World) -> None:
    thread = await begun(world)
    await shared(world, thread, "alice")
    assert (await share(world, thread, "alice", "rita", by="alice")).json()["code"] == "sharingRefused"
    assert (await share(world, thread, "olaf")).status_code == 422, "belongs to no workspace"
    assert (await share(world, thread, "zoe")).status_code == 422, "another mandate"
    assert (await share(world, thread, by="rita")).status_code == 404


async def test_who_leaves_the_workspace_reads_nothing_more(world: World) -> None:
    thread = await begun(world)
    await shared(world, thread, "rita", write=False)
    member = f"/api/instances/{world.instances['lab'].id}/members/{world['rita'].user.id}"
    assert (await world.call("alice", "DELETE", member)).status_code == 204
    assert (await world.call("rita", "GET", lab(world, "conversations", thread))).status_code == 404


async def test_a_grant_taken_back_at_the_same_moment_counts(world: World) -> None:
    """Her words wait for the lock of the one who takes her right to write away; then they see that it is gone."""
    thread = await begun(world)
    await shared(world, thread, "alice")
    bob = world["bob"].principal
    async with world.services.db.unit_of_work(bob.actor) as uow:
        conversation = await store.get(uow, bob.mandate_id, UUID(thread), lock=True)
        assert conversation is not None
        late = asyncio.create_task(write(world, "alice", thread, "late words"))
        async with asyncio.timeout(60):
            while not await somebody_waits(world.services.db):
                pass
        await store.set_sharing(uow, bob.mandate_id, conversation.shared(Visibility.MY, False, {}))
    assert await late == 404


async def test_nobody_gives_the_owner_an_agent_that_only_they_can_use(world: World) -> None:
    thread = await begun(world)
    await shared(world, thread, "alice")
    private = await made(world, "alice", name="Mine alone")
    switch = lab(world, "conversations", thread, "switchAgent")
    refused = await world.call("alice", "POST", switch, {"agentId": private["id"]})
    assert (refused.status_code, refused.json()["details"]["field"]) == (422, "agentId")
