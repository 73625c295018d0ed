"""S23: an answer uses only what every reader of its conversation may see."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from uuid import UUID

import pytest

from tests.conversations.readers import shared
from tests.files.sending import make
from tests.interaction.talking import ask, finished, said_until, worker
from tests.world import World
from workroom.conversations import store as conversations
from workroom.conversations.access import audience_with_rights
from workroom.db import DatabaseAddress
from workroom.identity.sharing import Visibility
from workroom.models.testing import Call, Drip, Reply, ScriptedAnswer, ScriptedProvider
from workroom.runs import rights

CANARY = "canary-4711"


async def read_it(world: World, **more: str) -> tuple[str, dict[str, str]]:
    """Everything a run says that reads the file by command."""
    accepted = await ask(world, '/readFile {"fileId": "private.md"}', **more)
    return json.dumps(await finished(world, accepted["runId"])), accepted


@pytest.mark.requirement("H6")
async def test_a_private_file_is_read_in_private_and_not_before_others(world: World, address: DatabaseAddress) -> None:
    async with ScriptedProvider() as provider, worker(world, address, provider):
        file = await make(world, "bob", "private.md", CANARY.encode())
        said, begun = await read_it(world)
        assert CANARY in said
        thread = begun["workflowId"]
        await shared(world, thread, "alice")
        assert CANARY not in (await read_it(world, workflowId=thread))[0], "Alice would read it"
        attached = {"prompt": "sum it up", "workflowId": thread, "fileIds": [str(file.id)]}
        path = f"/api/workspace/{world.instances['lab'].id}/input"
        refused = await world.call("bob", "POST", path, attached)
        assert (refused.status_code, refused.json()["code"]) == (409, "notForAllReaders")
        await world.services.files.share(world["bob"].principal, [file.id], Visibility.MY, [world["alice"].user.id])
        assert CANARY in (await read_it(world, workflowId=thread))[0], "she may read it now"
        await shared(world, thread, "alice", workspace=True)
        assert CANARY not in (await read_it(world, workflowId=thread))[0], "Rita would read it, too"
        await world.services.files.share(world["bob"].principal, [file.id], Visibility.GROUP)
        assert CANARY in (await read_it(world, workflowId=thread))[0]


def tool_messages(provider: ScriptedProvider) -> list[Any]:
    return [message for message in provider.requests[-1].messages if message["role"] == "tool"]


@pytest.mark.requirement("H6")
async def test_what_was_read_before_others_joined_is_not_read_to_them(world: World, address: DatabaseAddress) -> None:
    """The model's next request has the answers that were given, and not what tools had read for one person."""
    async with ScriptedProvider([Reply("fine"), Reply("fine")]) as provider, worker(world, address, provider):
        await make(world, "bob", "private.md", CANARY.encode())
        _, begun = await read_it(world)
        thread = begun["workflowId"]
        await finished(world, (await ask(world, "and now?", workflowId=thread))["runId"])
        assert CANARY in json.dumps(tool_messages(provider)), "alone, it goes on from what was read"
        await shared(world, thread, "alice")
        await finished(world, (await ask(world, "and now?", workflowId=thread))["runId"])
        assert CANARY not in json.dumps(tool_messages(provider))


@pytest.mark.requirement("H6")
async def test_what_the_model_thought_is_for_the_one_who_asked(world: World, address: DatabaseAddress) -> None:
    """Streamed, there after a reload, and not for other readers, who did not read what it quotes."""
    async with ScriptedProvider([Reply("fine", reasoning=CANARY)]) as provider, worker(world, address, provider):
        begun = await ask(world, "think")
        told = await finished(world, begun["runId"])
    assert "".join(event["text"] for event in told if event["type"] == "thought") == CANARY
    assert [event["text"] for event in told if event["type"] == "message"] == ["fine"]
    await shared(world, begun["workflowId"], "alice")
    path = f"/api/workspace/{world.instances['lab'].id}/conversations/{begun['workflowId']}"
    own = (await world.call("bob", "GET", path)).json()["messages"][-1]
    assert [(part["type"], part["text"]) for part in own["parts"]] == [("thought", CANARY), ("text", "fine")]
    for seen in (path, f"/api/runs/{begun['runId']}/log?after=0"):
        answer = await world.call("alice", "GET", seen)
        assert answer.status_code == 200
        assert CANARY not in answer.text


@pytest.mark.requirement("H6")
async def test_who_joins_during_an_answer_is_not_told_what_it_read_before(
    world: World, address: DatabaseAddress
) -> None:
    """The run is loaded anew before its next round."""
    gate = asyncio.Event()
    listing = Drip(Reply("let me think about it", calls=[Call("listFiles", {})]), gate, after=3)
    script: list[ScriptedAnswer] = [Reply(calls=[Call("readFile", {"fileId": "private.md"})]), listing, Reply("final")]
    async with ScriptedProvider(script) as provider, worker(world, address, provider):
        await make(world, "bob", "private.md", CANARY.encode())
        begun = await ask(world, "please look around")
        await said_until(world, begun["runId"], frozenset({"chunk"}))
        assert CANARY in json.dumps(provider.requests[-1].body)
        await shared(world, begun["workflowId"], "alice")
        gate.set()
        said = await finished(world, begun["runId"])
    assert said[-1]["type"] == "complete"
    assert CANARY not in json.dumps(provider.requests[-1].body)
    assert len(provider.requests) == 3, "what was paid for is not asked again"


@pytest.mark.requirement("H6")
async def test_what_a_readers_role_keeps_from_them_is_kept_from_the_answer(
    world: World, address: DatabaseAddress
) -> None:
    """Rita reads conversations, and neither files nor notes."""
    await make(world, "bob", "private.md", CANARY.encode(), visibility=Visibility.GROUP)
    rules = [
        {"objectKey": "data.instance", "action": "read", "level": "GROUP"},
        {"objectKey": "data.conversation", "action": "read", "level": "MY"},
    ]
    role = await world.call("alice", "POST", "/api/roles", {"name": "Guest", "rules": rules})
    guest = {"roleId": role.json()["id"]}
    assert (await world.call("alice", "PATCH", f"/api/users/{world['rita'].user.id}", guest)).status_code == 200
    async with ScriptedProvider() as provider, worker(world, address, provider):
        said, begun = await read_it(world)
        assert CANARY in said
        noted = await ask(world, f'/writeNote {{"title": "t", "text": "{CANARY}"}}', workflowId=begun["workflowId"])
        await finished(world, noted["runId"])
        await shared(world, begun["workflowId"], "rita", write=False)
        assert CANARY not in (await read_it(world, workflowId=begun["workflowId"]))[0]
        listed = await ask(world, '/listNotes {"query": "canary"}', workflowId=begun["workflowId"])
        result = [e for e in await finished(world, listed["runId"]) if e["type"] == "toolResult"]
        assert result
        assert CANARY not in json.dumps(result)
        principal = world["bob"].principal
        async with world.services.db.unit_of_work(principal.actor) as uow:
            conversation = await conversations.get(uow, principal.mandate_id, UUID(begun["workflowId"]))
            assert conversation is not None
            audience = await audience_with_rights(uow, principal, conversation)
    assert audience.blind_to >= {"data.file", "data.note"}
    assert "data.conversation" not in audience.blind_to, "what is said there is for all of them"


async def test_an_answer_ends_when_the_right_to_write_is_taken_back(
    world: World, address: DatabaseAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within seconds, in the middle of its words."""
    monkeypatch.setattr(rights, "ASK_SECONDS", 0.2)
    drip = Drip(Reply("one two three four"), asyncio.Event(), after=3)
    async with ScriptedProvider([Reply("fine"), drip]) as provider, worker(world, address, provider):
        begun = await ask(world, "from bob")
        await finished(world, begun["runId"])
        await shared(world, begun["workflowId"], "alice")
        theirs = await ask(world, "from alice", "alice", workflowId=begun["workflowId"])
        await said_until(world, theirs["runId"], frozenset({"chunk"}), "alice")
        await shared(world, begun["workflowId"])
        said = await finished(world, theirs["runId"])
    assert said[-1]["type"] == "error"


async def test_the_model_reads_who_said_what(world: World, address: DatabaseAddress) -> None:
    async with ScriptedProvider([Reply("fine"), Reply("fine")]) as provider, worker(world, address, provider):
        begun = await ask(world, "from bob")
        await finished(world, begun["runId"])
        await shared(world, begun["workflowId"], "alice")
        second = await ask(world, "from alice", "alice", workflowId=begun["workflowId"])
        await finished(world, second["runId"], "alice")
    said = json.dumps(provider.requests[-1].body)
    assert "[Bob wrote:]" in said
    assert "[Alice wrote:]" not in said, "she is the one who is answered"


async def test_words_of_a_colleague_are_content_of_others(world: World, address: DatabaseAddress) -> None:
    """What Bob wrote may be what the model obeys: before it writes for Alice what others read, she is asked."""
    note = Call("writeNote", {"title": "t", "text": "x"})
    async with ScriptedProvider([Reply("fine"), Reply(calls=[note])]) as provider, worker(world, address, provider):
        begun = await ask(world, "from bob")
        await finished(world, begun["runId"])
        await shared(world, begun["workflowId"], "alice")
        second = await ask(world, "go on", "alice", workflowId=begun["workflowId"])
        said = await said_until(world, second["runId"], frozenset({"choice"}), "alice")
    assert said[-1]["pause"]["untrusted"]


async def test_a_run_ends_when_its_asker_may_not_write_there_any_more(world: World, address: DatabaseAddress) -> None:
    async with ScriptedProvider() as provider:
        begun = await ask(world, "from bob")
        await shared(world, begun["workflowId"], "alice")
        await world.call("bob", "POST", f"/api/runs/{begun['runId']}/stop", {})
        waiting = await ask(world, "from alice", "alice", workflowId=begun["workflowId"])
        await shared(world, begun["workflowId"], "alice", write=False)
        async with worker(world, address, provider):
            said = await finished(world, waiting["runId"])
    assert said[-1]["type"] == "error"
    assert provider.requests == []
