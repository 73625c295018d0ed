"""Memory over HTTP: what a tool found is in the next request to the provider, for one person, until it is forgotten."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.conversations.readers import shared
from tests.interaction.talking import ask, finished, worker
from tests.world import World
from workroom.agent.entities.prompt_section import TITLE
from workroom.db import DatabaseAddress
from workroom.models.testing import ScriptedProvider, writer

NOTE = 'writeNote {"title": "Bill", "text": "Muster AG owes CHF 1\'250.00"}\nlistNotes {}'


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    async with ScriptedProvider(behaviour=writer) as scripted:
        yield scripted


@pytest.fixture
async def working(world: World, address: DatabaseAddress, provider: ScriptedProvider) -> AsyncIterator[World]:
    async with worker(world, address, provider) as working:
        yield working


def known(provider: ScriptedProvider) -> str:
    """The section of the last request of a run; titles are asked for without tools."""
    last = next(request for request in reversed(provider.requests) if request.body.get("tools"))
    told = "".join(str(message["content"]) for message in last.messages if message["role"] == "user")
    return told.partition(TITLE)[2]


async def talk(world: World, prompt: str, who: str = "bob", **more: Any) -> dict[str, str]:
    accepted = await ask(world, prompt, who, **more)
    await finished(world, accepted["runId"], who)
    return accepted


def memory(world: World, workflow_id: str, *more: str) -> str:
    return "/".join([f"/api/workspace/{world.instances['lab'].id}/conversations/{workflow_id}/memory", *more])


@pytest.mark.requirement("D5")
@pytest.mark.requirement("D4")
async def test_found_told_seen_and_forgotten(working: World, provider: ScriptedProvider) -> None:
    config = f"/api/workspace/{working.instances['lab'].id}/agentConfig"
    assert (await working.call("alice", "PUT", config, {"entityCacheEnabled": True})).status_code == 200
    accepted = await talk(working, NOTE)
    here = {"workflowId": accepted["workflowId"]}
    assert "- company: Muster AG" in known(provider)
    assert "- amount: CHF 1'250.00" in known(provider)

    seen = (await working.call("bob", "GET", memory(working, accepted["workflowId"]))).json()
    assert seen["enabled"] is True
    assert {(e["key"], e["value"]) for e in seen["entities"]} >= {
        ("entity:company", "Muster AG"),
        ("entity:amount", "CHF 1'250.00"),
    }
    assert [result["tool"] for result in seen["results"]] == ["listNotes", "writeNote"]

    await shared(working, accepted["workflowId"], "alice")
    await talk(working, "And now?", "alice", **here)
    assert known(provider) == "", "they were found for bob"
    assert (await working.call("alice", "GET", memory(working, accepted["workflowId"]))).json()["entities"] == []

    await shared(working, accepted["workflowId"])  # taken back: alone, bob goes on from what was found for him

    (muster,) = [e for e in seen["entities"] if e["value"] == "Muster AG"]
    gone = await working.call("bob", "DELETE", memory(working, accepted["workflowId"], muster["id"]))
    assert gone.status_code == 204
    await talk(working, "And now?", **here)
    assert "CHF 1'250.00" in known(provider)
    assert "Muster AG" not in known(provider)
    assert (await working.call("bob", "DELETE", memory(working, accepted["workflowId"]))).json()["entities"] > 0
    await talk(working, "And now?", **here)
    assert known(provider) == ""


@pytest.mark.requirement("D5")
async def test_without_the_opt_in_nothing_is_kept(working: World, provider: ScriptedProvider) -> None:
    accepted = await talk(working, NOTE)
    assert known(provider) == ""
    seen = (await working.call("bob", "GET", memory(working, accepted["workflowId"]))).json()
    assert (seen["entities"], seen["enabled"], seen["byModel"]) == ([], False, False)
    assert seen["results"], "results are there anyway"
