"""Changes to a file over the whole application: asked for, proposed, decided over HTTP, told in events, stored as a version."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.conversations.readers import shared
from tests.files.sending import content, lab, upload
from tests.interaction.talking import ask, finished, said_until, worker
from tests.world import World
from workroom.db import DatabaseAddress
from workroom.models.testing import ScriptedProvider, writer

TEXT = b"# Roof\n\nTiles: 1200\nWood: 800\n\nOffer by canary-4711\n"
EDITS = [{"find": "1200", "replace": "1300"}, {"find": "by canary", "replace": "from canary"}]
DIFF = (
    "--- a/offer.md\n+++ b/offer.md\n@@ -1,6 +1,6 @@\n # Roof\n \n-Tiles: 1200\n+Tiles: 1300\n Wood: 800\n \n"
    "-Offer by canary-4711\n+Offer from canary-4711\n"
)


@pytest.fixture
async def working(world: World, address: DatabaseAddress) -> AsyncIterator[World]:
    async with ScriptedProvider(behaviour=writer) as provider, worker(world, address, provider):
        yield world


def the(said: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    [event] = [event for event in said if event["type"] == kind]
    return event


async def proposed(world: World) -> tuple[dict[str, Any], dict[str, str], list[dict[str, Any]]]:
    """Bob's file, his question, and what was said until it waits for him."""
    file = await upload(world, "bob", TEXT, name="offer.md")
    accepted = await ask(world, f"applyFileEdit {json.dumps({'fileId': file['id'], 'edits': EDITS})}")
    return file, accepted, await said_until(world, accepted["runId"], frozenset({"choice"}))


async def answer(world: World, run_id: str, call_id: str, who: str = "bob", **given: Any) -> Any:
    body = {"callId": call_id, "answer": {"kind": "proposal", **given}}
    return await world.call(who, "POST", f"/api/runs/{run_id}/answer", body)


@pytest.mark.requirement("J3", "O3", "A15")
async def test_a_part_of_a_proposal_becomes_a_version_in_the_users_name_and_the_agents(working: World) -> None:
    file, accepted, said = await proposed(working)
    proposal, asked = the(said, "fileEditProposal"), the(said, "choice")
    assert (proposal["callId"], proposal["fileId"], proposal["name"]) == (asked["callId"], file["id"], "offer.md")
    assert (proposal["version"], proposal["diff"]) == (1, DIFF)
    part = asked["pause"]["before"].replace("1200", "1300")
    taken = await answer(working, accepted["runId"], asked["callId"], accepted=True, text=part)
    assert taken.status_code == 200, taken.text
    said = await finished(working, accepted["runId"])
    version = the(said, "fileVersion")
    assert (version["fileId"], version["version"], version["callId"]) == (file["id"], 2, asked["callId"])
    assert not [event for event in said if event["type"] == "fileCreated"]
    assert (await content(working, "bob", file["id"])).text == part
    assert "accepted 1 of 2 changes" in the(said, "toolResult")["result"]["message"]
    stored = (await working.call("bob", "GET", f"/api/files/{file['id']}/versions")).json()["items"]
    assert [(one["version"], one["agentName"], one["madeByName"]) for one in stored] == [
        (2, "Assistant", "Bob"),
        (1, "", "Bob"),
    ]
    assert stored[0]["runId"] == accepted["runId"]
    again = await answer(working, accepted["runId"], asked["callId"], accepted=True)
    assert (again.status_code, again.json()["code"]) == (409, "pauseConsumed")


@pytest.mark.requirement("J3")
async def test_a_rejected_proposal_leaves_the_file_as_it_is(working: World) -> None:
    file, accepted, said = await proposed(working)
    await answer(working, accepted["runId"], the(said, "choice")["callId"], accepted=False)
    said = await finished(working, accepted["runId"])
    assert the(said, "toolResult")["result"]["data"] == {"declined": True}
    assert not [event for event in said if event["type"] == "fileVersion"]
    assert (await content(working, "bob", file["id"])).content == TEXT


BOTH = TEXT.replace(b"1200", b"1300").replace(b"by canary", b"from canary")


@pytest.mark.requirement("J3")
@pytest.mark.parametrize(
    ("change", "kept", "told"),
    [
        ((b"Wood", b"Oak"), BOTH.replace(b"Wood", b"Oak"), "both changes are in it"),
        ((b"# Roof", b"# The roof"), BOTH.replace(b"# Roof", b"# The roof"), "both changes are in it"),
        ((b"1200", b"1250"), TEXT.replace(b"1200", b"1250"), "changed meanwhile in the same lines"),
    ],
)
async def test_what_changed_meanwhile_is_merged_or_in_the_way(
    working: World, change: tuple[bytes, bytes], kept: bytes, told: str
) -> None:
    file, accepted, said = await proposed(working)
    await upload(working, "bob", TEXT.replace(*change), name="offer.md", onConflict="version")
    await answer(working, accepted["runId"], the(said, "choice")["callId"], accepted=True)
    said = await finished(working, accepted["runId"])
    assert told in the(said, "toolResult")["result"]["message"]
    assert [event["version"] for event in said if event["type"] == "fileVersion"] == (
        [3] if kept != TEXT.replace(*change) else []
    )
    assert (await content(working, "bob", file["id"])).content == kept


@pytest.mark.requirement("A15")
async def test_what_was_accepted_is_stored_once_by_whichever_worker_is_there(
    world: World, address: DatabaseAddress
) -> None:
    """The worker that asked is gone; the next one finds the answer."""
    async with ScriptedProvider(behaviour=writer) as provider:
        async with worker(world, address, provider):
            file, accepted, said = await proposed(world)
        await answer(world, accepted["runId"], the(said, "choice")["callId"], accepted=True)
        async with worker(world, address, provider):
            said = await finished(world, accepted["runId"])
    assert the(said, "fileVersion")["version"] == 2
    assert (await world.call("bob", "GET", f"/api/files/{file['id']}")).json()["version"] == 2


@pytest.mark.requirement("H6", "J3")
async def test_other_readers_of_the_conversation_see_that_a_file_was_changed_not_what_is_in_it(working: World) -> None:
    file, accepted, said = await proposed(working)
    await answer(working, accepted["runId"], the(said, "choice")["callId"], accepted=True)
    await finished(working, accepted["runId"])
    await shared(working, accepted["workflowId"], "alice")
    run, chat = f"/api/runs/{accepted['runId']}/log", lab(working, "conversations", accepted["workflowId"])
    for who in ("bob", "alice"):
        log, conversation = [await working.call(who, "GET", path) for path in (run, chat)]
        told = {one["event"]["type"]: one["event"] for one in log.json()["items"]}
        assert told.keys() >= {"fileEditProposal", "choice", "fileVersion"}
        assert told["fileVersion"]["name"] == "offer.md"
        assert ("Tiles" in log.text) == (who == "bob")
        [arguments] = [
            part["arguments"]
            for message in conversation.json()["messages"]
            for part in message["parts"]
            if part["type"] == "toolCall"
        ]
        assert (arguments == {}) == (who == "alice")
    assert (await content(working, "alice", file["id"])).status_code == 404


async def test_what_not_everybody_who_reads_the_conversation_may_see_is_not_changed_from_there(working: World) -> None:
    file, accepted, said = await proposed(working)
    await shared(working, accepted["workflowId"], "alice")
    call_id = the(said, "choice")["callId"]
    assert (await answer(working, accepted["runId"], call_id, "alice", accepted=True)).status_code == 403
    await answer(working, accepted["runId"], call_id, accepted=True)
    result = the(await finished(working, accepted["runId"]), "toolResult")["result"]
    assert (result["status"], "who reads this conversation" in result["message"]) == ("error", True)
    assert (await content(working, "bob", file["id"])).content == TEXT


@pytest.mark.requirement("J3", "O3")
async def test_an_agent_that_goes_on_leaves_the_proposal_open(working: World) -> None:
    agents = f"/api/instances/{working.instances['lab'].id}/agents"
    made = {"name": "Busy", "instructions": {"en": "Edit."}, "fileEdits": "continue"}
    agent = (await working.call("bob", "POST", agents, made)).json()
    assert agent["fileEdits"] == "continue"
    file = await upload(working, "bob", TEXT, name="offer.md")
    asked = f"applyFileEdit {json.dumps({'fileId': file['id'], 'edits': EDITS})}"
    accepted = await ask(working, asked, agentId=agent["id"])
    said = await finished(working, accepted["runId"])
    assert not [event for event in said if event["type"] in ("choice", "fileVersion")], "it did not wait"
    assert said[-1]["state"] == "completed"
    proposal, result = the(said, "fileEditProposal"), the(said, "toolResult")["result"]
    assert (proposal["fileId"], proposal["version"], proposal["diff"]) == (file["id"], 1, DIFF)
    assert "until then the file stays as it is" in result["message"]
    shown = result["actions"][0]["payload"]
    at = f"/api/files/{file['id']}/proposals/{shown['proposalId']}"
    kept = (await working.call("bob", "GET", at)).json()
    assert (kept["agentName"], kept["runId"], kept["state"]) == ("Busy", accepted["runId"], "open")
    assert (await content(working, "bob", file["id"])).content == TEXT
    decided = await working.call("bob", "POST", f"{at}/decision", {"accepted": True})
    assert decided.json()["became"] == 2
    assert (await content(working, "bob", file["id"])).content == BOTH
    await shared(working, accepted["workflowId"], "alice")
    for path in (f"/api/runs/{accepted['runId']}/log", lab(working, "conversations", accepted["workflowId"])):
        told = await working.call("alice", "GET", path)
        assert told.status_code == 200
        assert "Tiles" not in told.text
    assert (await working.call("alice", "GET", at)).status_code == 404


@pytest.mark.requirement("B6")
async def test_what_others_would_see_of_an_open_proposal_is_asked_about_first(working: World) -> None:
    """S21: a proposal is text that a model chose; in a shared file others read it before anybody has looked at it."""
    agents = f"/api/instances/{working.instances['lab'].id}/agents"
    made = {"name": "Busy", "instructions": {"en": "Edit."}, "fileEdits": "continue"}
    agent = (await working.call("bob", "POST", agents, made)).json()
    file = await upload(working, "bob", TEXT, name="offer.md")
    for visibility, asks in (("MY", False), ("GROUP", True)):
        shared_file = await working.call("bob", "PATCH", f"/api/files/{file['id']}", {"visibility": visibility})
        assert shared_file.status_code == 200
        calls = [f"readFile {json.dumps({'fileId': file['id']})}"]
        calls.append(f"applyFileEdit {json.dumps({'fileId': file['id'], 'edits': EDITS})}")
        accepted = await ask(working, "\n".join(calls), agentId=agent["id"])
        said = await said_until(working, accepted["runId"], frozenset({"choice"}))
        questions = [event["pause"]["kind"] for event in said if event["type"] == "choice"]
        assert questions == (["confirmation"] if asks else [])
