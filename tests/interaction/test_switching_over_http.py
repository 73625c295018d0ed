"""The whole way over HTTP: three agents on three models, each asked in the words of its provider. What arrives there shows who
was told what: the reset once per switch and in the form of the model, the instructions of the house always."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import pytest

from tests.agents.making import agents_path, made
from tests.interaction.talking import ask, finished, said_until
from tests.world import World, some_id
from workroom.agents.instructions import store
from workroom.agents.shipped import ASSISTANT_ID
from workroom.bootstrap.worker import open_worker_services
from workroom.core.clock import now
from workroom.db import DatabaseAddress
from workroom.db.operator_access import as_owner
from workroom.models.testing import Drip, ReceivedRequest, Reply, ScriptedProvider, echo
from workroom.settings import Settings

MODELS = {"Ada": "openai/gpt-4o", "Bea": "anthropic/claude-sonnet-5-5", "Cem": "google/gemini-2.5-pro"}
FORMS = {"Ada": "[P1]", "Bea": "<system_reset>", "Cem": "• "}
HOUSE = ("Platform: be kind.", "Acme: be brief.", "Lab: be exact.", "Bob: be honest.")


@dataclass
class Three:
    """The application, a worker, and three providers."""

    world: World
    providers: dict[str, ScriptedProvider]
    agents: dict[str, dict[str, Any]]

    def asked(self, name: str) -> list[ReceivedRequest]:
        """What this agent's model was asked for answers; summaries are made by whoever is cheapest."""
        model = MODELS[name].split("/")[1]
        found = [asked for asked in self.providers[name].requests if asked.model == model]
        return [asked for asked in found if "You keep the memory of a conversation" not in body(asked)]

    async def says(self, prompt: str, **more: Any) -> dict[str, str]:
        accepted = await ask(self.world, prompt, **more)
        events = await finished(self.world, accepted["runId"])
        assert events[-1]["type"] == "complete", events[-1]
        return accepted

    def conversation(self, workflow_id: str) -> str:
        return f"/api/workspace/{self.world.instances['lab'].id}/conversations/{workflow_id}"

    async def switch(self, workflow_id: str, agent_id: str, who: str = "bob", **more: str) -> Any:
        path = f"{self.conversation(workflow_id)}/switchAgent"
        return await self.world.call(who, "POST", path, {"agentId": agent_id, **more})


def body(asked: ReceivedRequest) -> str:
    return json.dumps(asked.body, ensure_ascii=False)


def form(asked: ReceivedRequest) -> str | None:
    """By which form of a reset this request begins, if by any."""
    said: Any = asked.body.get("system") or asked.body.get("systemInstruction") or asked.messages[0]["content"]
    parts = said.get("parts", ()) if isinstance(said, dict) else said
    text: str = parts if isinstance(parts, str) else parts[0]["text"]
    return next((begin for begin in FORMS.values() if text.startswith(begin)), None)


@pytest.fixture
async def three(world: World, address: DatabaseAddress) -> AsyncIterator[Three]:
    async with AsyncExitStack() as stack:
        providers = {name: await stack.enter_async_context(ScriptedProvider(behaviour=echo)) for name in MODELS}
        settings = Settings(
            data=world.services.settings.data,
            openai_api_key="k" * 40,
            anthropic_api_key="k" * 40,
            google_api_key="k" * 40,
            openai_url=providers["Ada"].base_url,
            anthropic_url=providers["Bea"].root_url,
            google_url=providers["Cem"].root_url,
        )
        await stack.enter_async_context(open_worker_services(settings, address.application, world.services.db))
        agents = {
            name: await made(world, name=name, instructions={"en": f"You are {name}, as ever."}, model=model)
            for name, model in MODELS.items()
        }
        yield Three(world, providers, agents)


async def furnish(world: World, address: DatabaseAddress) -> None:
    """Instructions on all four levels."""
    platform, mandate, lab, user = HOUSE
    assert address.migration is not None
    async with as_owner(address.migration) as uow:
        await store.add_platform(uow, 1, platform, now())
    for name, path, text in (
        ("alice", "/api/instructions/mandate", mandate),
        ("alice", f"/api/instances/{world.instances['lab'].id}/instructions", lab),
        ("bob", "/api/instructions/user", user),
    ):
        assert (await world.call(name, "PUT", path, {"text": text, "version": 0})).status_code == 200


@pytest.mark.requirement("G1")
@pytest.mark.requirement("G2")
@pytest.mark.requirement("G3")
@pytest.mark.requirement("G4")
@pytest.mark.requirement("G6")
async def test_three_agents_on_three_models(three: Three, address: DatabaseAddress) -> None:
    await furnish(three.world, address)
    ids = {name: agent["id"] for name, agent in three.agents.items()}
    begun = await three.says("one", agentId=ids["Ada"])
    workflow = begun["workflowId"]
    for name in ("Bea", "Cem", "Ada"):
        switched = await three.switch(workflow, ids[name], reason="because")
        assert switched.json()["takesEffect"] == "now"
        await three.says(f"first to {name}", workflowId=workflow)
        await three.says(f"second to {name}", workflowId=workflow)
    expected = {"Ada": [None, FORMS["Ada"], None], "Bea": [FORMS["Bea"], None], "Cem": [FORMS["Cem"], None]}
    for name, forms in expected.items():
        assert [form(asked) for asked in three.asked(name)] == forms, name
        for asked in three.asked(name):
            assert f"You are {name}, as ever." in body(asked)
            assert all(text in body(asked) for text in HOUSE), "kept through every switch"
    roles = [[said.get("role") for said in asked.messages] for asked in three.asked("Bea")]
    assert roles == [["user"], ["user", "assistant", "user"]], "little memory: others' answers are not its own"
    assert "between the user and Ada]" in body(three.asked("Bea")[0])
    thread = (await three.world.call("bob", "GET", three.conversation(workflow))).json()
    assert (thread["conversation"]["activeAgentId"], thread["conversation"]["aiAgentId"]) == (ids["Ada"], ids["Ada"])
    history = thread["agentHistory"]
    assert [(e["seq"], e["fromName"], e["toName"], e["reason"]) for e in history] == [
        (1, "Ada", "Bea", "because"),
        (2, "Bea", "Cem", "because"),
        (3, "Cem", "Ada", "because"),
    ]
    answers = {m["id"] for m in thread["messages"] if m["role"] == "assistant"}
    assert {e["answeredBy"] for e in history} < answers
    assert [run["agentName"] for run in thread["runs"]] == ["Ada", "Bea", "Bea", "Cem", "Cem", "Ada", "Ada"]


@pytest.mark.requirement("G3")
async def test_a_model_that_stands_in_is_told_in_its_own_form(three: Three) -> None:
    """Bea's provider is down: whoever is next in the chain answers as Bea, reset as that model needs it."""
    begun = await three.says("one", agentId=three.agents["Ada"]["id"])
    three.providers["Bea"].behaviour = None  # every request is refused
    await three.says("two", workflowId=begun["workflowId"], agentId=three.agents["Bea"]["id"])
    tried = [asked for asked in three.providers["Bea"].requests if asked.model == "claude-sonnet-5-5"]
    assert form(tried[0]) == FORMS["Bea"]
    everything = [*three.providers["Ada"].requests, *three.providers["Cem"].requests]
    answered = [asked for asked in everything if "You are Bea, as ever." in body(asked)]
    assert answered
    assert "<system_reset>" not in body(answered[-1])
    assert "Ada" in body(answered[-1])


async def test_a_model_that_vanished_is_stood_in_for_and_that_is_said(three: Three) -> None:
    agent = await made(three.world, name="Old", model="openai/gpt-2-deluxe")
    accepted = await ask(three.world, "hello", agentId=agent["id"])
    events = await finished(three.world, accepted["runId"])
    assert events[-1]["type"] == "complete"
    assert any("gpt-2-deluxe" in event.get("text", "") for event in events if event["type"] == "status")
    accepted = await ask(three.world, "hello", agentId=agent["id"], model="openai/gpt-2-deluxe")
    events = await finished(three.world, accepted["runId"])
    assert events[-1]["code"] == "modelUnknown", "what somebody wants for this answer is not exchanged in silence"


async def test_switching_while_an_answer_streams(three: Three) -> None:
    gate = asyncio.Event()
    three.providers["Ada"].script.append(Drip(Reply("a long answer of Ada"), gate, after=3))
    accepted = await ask(three.world, "one", agentId=three.agents["Ada"]["id"])
    await said_until(three.world, accepted["runId"], frozenset({"chunk"}))
    switched = await three.switch(accepted["workflowId"], three.agents["Bea"]["id"])
    assert switched.json()["takesEffect"] == "nextAnswer"
    gate.set()
    events = await finished(three.world, accepted["runId"])
    assert next(e for e in events if e["type"] == "message")["text"] == "a long answer of Ada"
    await three.says("two", workflowId=accepted["workflowId"])
    assert [form(asked) for asked in three.asked("Bea")] == [FORMS["Bea"]]


async def test_bad_choices_are_refused_in_words(three: Three) -> None:
    begun = await three.says("one")
    workflow = begun["workflowId"]
    private = await made(three.world, "alice", name="Private")
    for unknown in (private["id"], str(some_id())):
        refused = await three.switch(workflow, unknown)
        assert (refused.status_code, refused.json()["code"]) == (404, "notFound")
    gone = three.agents["Cem"]["id"]
    await three.world.call("bob", "DELETE", f"{agents_path(three.world)}/{gone}")
    refused = await three.switch(workflow, gone)
    assert (refused.status_code, refused.json()["code"], refused.json()["details"]["agentId"]) == (
        409,
        "agentGone",
        gone,
    )
    assert (await three.switch(workflow, "nonsense")).status_code == 422
    assert (await three.switch(workflow, three.agents["Bea"]["id"], reason="x" * 501)).status_code == 422
    undo = await three.world.call("bob", "POST", f"{three.conversation(workflow)}/undoSwitch")
    assert undo.status_code == 409
    thread = (await three.world.call("bob", "GET", three.conversation(workflow))).json()
    assert (thread["agentHistory"], thread["conversation"]["activeAgentId"]) == ([], str(ASSISTANT_ID))
