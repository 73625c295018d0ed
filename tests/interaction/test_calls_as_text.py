"""A small model writes its calls as text: they are carried out all the same, and the trace says so."""

from __future__ import annotations

import json

import pytest

from tests.interaction.talking import ask, finished, worker
from tests.world import World
from workroom.db import DatabaseAddress
from workroom.models.testing import ReceivedRequest, Reply, ScriptedAnswer, ScriptedProvider

CALL = json.dumps({"name": "writeNote", "arguments": {"title": "Milk", "text": "Two litres."}})


def small_model(asked: ReceivedRequest) -> ScriptedAnswer:
    if asked.results:
        return Reply("It is noted.")
    return Reply(f"I write it down.\n\n```json\n{CALL}\n```", chunk=7)


@pytest.mark.requirement("A1", "M1")
async def test_a_call_written_as_text_is_carried_out(world: World, address: DatabaseAddress) -> None:
    async with ScriptedProvider(behaviour=small_model) as provider, worker(world, address, provider):
        accepted = await ask(world, "Note that we need two litres of milk")
        said = await finished(world, accepted["runId"])
    shown = "".join(event["text"] for event in said if event["type"] == "chunk")
    assert "```" not in shown, "what becomes a call is never shown as text"
    assert [event["tool"] for event in said if event["type"] == "toolCall"] == ["writeNote"]
    notes = (await world.call("bob", "GET", f"/api/workspace/{world.instances['lab'].id}/notes")).json()["items"]
    assert [note["title"] for note in notes] == ["Milk"]
    trace = (await world.call("bob", "GET", f"/api/runs/{accepted['runId']}/trace")).json()
    calls = [call for round in trace["rounds"] for call in round["toolCalls"]]
    assert [(call["toolName"], call["asText"]) for call in calls] == [("writeNote", True)]


async def test_a_call_that_a_person_wrote_is_only_quoted(world: World, address: DatabaseAddress) -> None:
    async with ScriptedProvider(behaviour=small_model) as provider, worker(world, address, provider):
        accepted = await ask(world, f"Explain this to me: {CALL}")
        said = await finished(world, accepted["runId"])
    assert [event["type"] for event in said if event["type"] == "toolCall"] == []
    assert CALL in next(event["text"] for event in said if event["type"] == "message")
