"""What is asked of the Assistant and belongs on the map gets there: by rules without a language model, by its choice with one."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import pytest

from tests.files.sending import make
from tests.interaction.talking import ask, finished, worker
from tests.world import World
from workroom.agents.shipped import ASSISTANT_ID, NAVIGATOR_ID
from workroom.db import DatabaseAddress
from workroom.models.testing import Call, ReceivedRequest, Reply, ScriptedAnswer, ScriptedProvider


async def answered(world: World, prompt: str, **more: Any) -> dict[str, Any]:
    """The conversation, when all of its runs are over."""
    accepted = await ask(world, prompt, **more)
    path = f"/api/workspace/{world.instances['lab'].id}/conversations/{accepted['workflowId']}"
    over: set[str] = set()
    while True:
        seen: dict[str, Any] = (await world.call("bob", "GET", path)).json()
        if not (left := [run["id"] for run in seen["runs"] if run["id"] not in over]):
            return seen
        for run_id in left:
            await finished(world, run_id)
            over.add(run_id)


def actions(seen: dict[str, Any]) -> list[str]:
    steps = [part["step"] for message in seen["messages"] for part in message["parts"] if "step" in part]
    return [action["type"] for step in steps for action in step["actions"]]


def switches(seen: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["fromAgentId"], one["toAgentId"]) for one in seen["agentHistory"]]


HANDED_OVER = [(str(ASSISTANT_ID), str(NAVIGATOR_ID))]


@pytest.mark.requirement("E1", "G1")
@pytest.mark.parametrize(
    "prompt", ["show me Bern on the map", "zeige Zürich auf der Karte", "montre Genève sur la carte", "gehe nach Olten"]
)
async def test_without_a_model_the_rules_hand_over(world: World, address: DatabaseAddress, prompt: str) -> None:
    async with worker(world, address, None):
        seen = await answered(world, prompt)
    assert switches(seen) == HANDED_OVER
    assert seen["agentHistory"][0]["reason"]
    assert "setView" in actions(seen)


async def test_without_a_model_what_is_not_for_the_map_goes_back(world: World, address: DatabaseAddress) -> None:
    async with worker(world, address, None):
        await make_known(world, "spesen.md", "Für das Mittagessen werden 20 Franken vergütet.".encode())
        begun = await answered(world, "gehe nach Olten")
        seen = await answered(world, "Wie viel wird fürs Mittagessen vergütet?", workflowId=begun["conversation"]["id"])
    assert switches(seen) == [*HANDED_OVER, (str(NAVIGATOR_ID), str(ASSISTANT_ID))]
    assert "20 Franken" in str(seen["messages"][-1])


async def test_what_is_for_the_assistant_stays_there(world: World, address: DatabaseAddress) -> None:
    async with worker(world, address, None):
        for prompt in ("What do you know about the contract?", "Bern is nice", "/listNotes Bern"):
            seen = await answered(world, prompt)
            assert switches(seen) == [], prompt


async def test_a_place_that_a_file_speaks_of_is_answered_from_the_file(world: World, address: DatabaseAddress) -> None:
    async with worker(world, address, None):
        await make_known(world, "ausflug.md", b"Am Montag gehe ich nach Olten.")
        seen = await answered(world, "gehe nach Olten")
    assert switches(seen) == []
    assert "ausflug.md" in str(seen["messages"][-1])


async def make_known(world: World, name: str, content: bytes) -> None:
    await indexed(world, (await make(world, "bob", name, content)).id)


async def indexed(world: World, file_id: UUID) -> None:
    while True:
        if (await world.call("bob", "GET", f"/api/files/{file_id}/knowledge")).json()["state"] == "indexed":
            return
        await asyncio.sleep(0.05)


async def test_a_model_hands_over_by_itself(world: World, address: DatabaseAddress) -> None:
    def behaviour(asked: ReceivedRequest) -> ScriptedAnswer:
        if "handOff" in asked.tools:
            return Reply(calls=[Call("handOff", {"agent": "navigator", "reason": "It is about a place"})])
        return Reply('{"steps": [{"intent": "search_place", "toolCalls": [{"tool": "geolocation.geocode", "arguments": '
                     '{"query": "Bern"}}]}]}')  # fmt: skip

    async with ScriptedProvider(behaviour=behaviour) as provider, worker(world, address, provider):
        seen = await answered(world, "I would like to see the capital from above")
    assert switches(seen) == HANDED_OVER
    assert "setView" in actions(seen)
    assert any("navigator" in str(asked.body) for asked in provider.requests), "the assistant is told of the map"
