"""Forced and forbidden calls, asked for over HTTP and seen in what the provider received."""

from __future__ import annotations

import pytest

from tests.interaction.talking import ask, finished, worker
from tests.world import World
from workroom.db import DatabaseAddress
from workroom.models.testing import Call, ReceivedRequest, Reply, ScriptedAnswer, ScriptedProvider

CLOCK = Call("currentTime", {})


def obedient(asked: ReceivedRequest) -> ScriptedAnswer:
    if asked.results or asked.body.get("tool_choice") != "required":
        return Reply("It is noon.")
    return Reply(calls=[CLOCK])


@pytest.mark.requirement("A9")
async def test_a_call_is_forced_and_the_answer_after_it_is_free(world: World, address: DatabaseAddress) -> None:
    async with ScriptedProvider(behaviour=obedient) as provider, worker(world, address, provider):
        accepted = await ask(world, "What time is it?", toolForcing="any")
        said = await finished(world, accepted["runId"])
    assert [request.body.get("tool_choice") for request in provider.requests] == ["required", "auto"]
    assert [event["tool"] for event in said if event["type"] == "toolCall"] == ["currentTime"]
    assert next(event["text"] for event in said if event["type"] == "message" and event["text"]) == "It is noon."


@pytest.mark.requirement("A9")
async def test_a_model_that_ignores_it_is_told_in_words_and_its_first_words_are_dropped(
    world: World, address: DatabaseAddress
) -> None:
    answers = iter([Reply("Noon, I think."), Reply(calls=[CLOCK]), Reply("It is noon.")])
    async with (
        ScriptedProvider(behaviour=lambda _: next(answers)) as provider,
        worker(world, address, provider),
    ):
        accepted = await ask(world, "What time is it?", toolForcing="any")
        await finished(world, accepted["runId"])
    assert "have to call at least one of your tools" in provider.requests[1].messages[0]["content"]
    path = f"/api/workspace/{world.instances['lab'].id}/conversations/{accepted['workflowId']}"
    messages = (await world.call("bob", "GET", path)).json()["messages"]
    texts = [part["text"] for message in messages for part in message["parts"] if part["type"] == "text"]
    assert texts == ["What time is it?", "It is noon."]


@pytest.mark.requirement("A9")
async def test_requests_for_tools_are_returned_and_not_carried_out(world: World, address: DatabaseAddress) -> None:
    note = Call("writeNote", {"title": "Milk", "text": "Two litres."})
    async with ScriptedProvider(behaviour=lambda _: Reply(calls=[note])) as provider, worker(world, address, provider):
        accepted = await ask(world, "Note the milk.", returnToolRequests=True)
        said = await finished(world, accepted["runId"])
    assert [event["type"] for event in said if event["type"] in ("toolCall", "toolResult")] == ["toolCall"]
    assert len(provider.requests) == 1
    notes = (await world.call("bob", "GET", f"/api/workspace/{world.instances['lab'].id}/notes")).json()["items"]
    assert notes == []


@pytest.mark.requirement("A9")
async def test_forbidden_tools_are_not_offered(world: World, address: DatabaseAddress) -> None:
    async with ScriptedProvider(behaviour=obedient) as provider, worker(world, address, provider):
        await finished(world, (await ask(world, "What time is it?", toolForcing="none"))["runId"])
    assert "tools" not in provider.requests[0].body
