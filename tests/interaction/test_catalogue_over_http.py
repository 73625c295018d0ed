"""The whole way over HTTP: what an administrator changes in the catalogue is what the next answer costs, and how its model is
told of a switch; and it is as before once that is undone."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from decimal import Decimal
from typing import Any

import pytest

from tests.agents.making import made
from tests.interaction.talking import ask, finished
from tests.models.catalogue_files import NEW, shipped_files
from tests.world import World
from workroom.bootstrap.worker import open_worker_services
from workroom.db import DatabaseAddress
from workroom.models.testing import ScriptedProvider, echo
from workroom.settings import Settings

CATALOGUE = "/api/model-catalogue"


@pytest.fixture
async def openai(world: World, address: DatabaseAddress) -> AsyncIterator[ScriptedProvider]:
    """A worker, with a provider that is OpenAI to it."""
    async with ScriptedProvider(behaviour=echo) as provider:
        settings = Settings(data=world.services.settings.data, openai_api_key="k" * 40, openai_url=provider.base_url)
        async with open_worker_services(settings, address.application, world.services.db):
            yield provider


async def switched(world: World, provider: ScriptedProvider, model: str) -> tuple[str, Decimal]:
    """What the second of two agents is told first, and the price of a million tokens of its answer, in francs; a token of the
    question costs a quarter of it, or a tenth for the new model."""
    ada, bea = [
        await made(world, name=name, instructions={"en": f"You are {name}, as ever."}, model=model)
        for name in ("Ada", "Bea")
    ]
    begun = await ask(world, "one", agentId=ada["id"])
    await finished(world, begun["runId"])
    path = f"/api/workspace/{world.instances['lab'].id}/conversations/{begun['workflowId']}/switchAgent"
    assert (await world.call("bob", "POST", path, {"agentId": bea["id"]})).status_code == 200
    accepted = await ask(world, "two", workflowId=begun["workflowId"])
    events = await finished(world, accepted["runId"])
    assert events[-1]["type"] == "complete", events[-1]
    asked = [one for one in provider.requests if "You are Bea, as ever." in json.dumps(one.body)][-1]
    told: str = asked.messages[0]["content"]
    trace: dict[str, Any] = (await world.call("bob", "GET", f"/api/runs/{accepted['runId']}/trace")).json()
    call = next(one for round in trace["rounds"] for one in round["attempts"])
    assert call["outputTokens"] > 0
    share = Decimal(10 if model.endswith(NEW) else 4)
    tokens = call["outputTokens"] + call["inputTokens"] / share
    return told, Decimal(call["costCHF"]) * 1_000_000 / tokens


@pytest.mark.requirement("C2", "G4")
async def test_a_change_of_the_catalogue_counts_for_the_next_answer(world: World, openai: ScriptedProvider) -> None:
    files = shipped_files()
    files.add(NEW)
    files.strategy("gpt-4o")["agentSwitchTemplate"] = "xml-tags"
    files.entry("gpt-4o")["prices"] = [{"input": "12.5", "output": "50"}]
    told, price = await switched(world, openai, "openai/gpt-4o")
    assert (told[:4], price) == ("[P1]", Decimal(8))
    answer = await world.call("alice", "POST", CATALOGUE, files.body() | {"revision": 0})
    assert answer.status_code == 201, answer.text
    told, price = await switched(world, openai, "openai/gpt-4o")
    assert told.startswith("<system_reset>")
    assert price == Decimal(40)
    told, price = await switched(world, openai, f"openai/{NEW}")
    assert (told[:4], price) == ("[P1]", Decimal(56))
    assert (await world.call("alice", "POST", f"{CATALOGUE}/revisions/1/undo")).status_code == 201
    told, price = await switched(world, openai, "openai/gpt-4o")
    assert (told[:4], price) == ("[P1]", Decimal(8))
