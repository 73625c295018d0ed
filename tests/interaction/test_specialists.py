"""Specialists over HTTP: on the model they prefer or the workspace's, handing over, and without any model at all."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.agents.making import agents_path
from tests.interaction.talking import ask, finished, worker
from tests.world import World
from workroom.agents.shipped import shipped, shipped_id
from workroom.bootstrap.worker import open_worker_services
from workroom.db import DatabaseAddress
from workroom.models.embedded.language import LANGUAGES
from workroom.models.testing import Call, ReceivedRequest, Reply, ScriptedAnswer, ScriptedProvider, echo
from workroom.settings import Settings

LEAD, BRIEFING, SWOT = (str(shipped_id(slug)) for slug in ("orchestrator", "briefing_specialist", "swot_specialist"))
GEMINI = "gemini-2.5-flash"


@asynccontextmanager
async def google(world: World, address: DatabaseAddress, provider: ScriptedProvider) -> AsyncIterator[None]:
    settings = Settings(data=world.services.settings.data, google_api_key="k" * 40, google_url=provider.root_url)
    async with open_worker_services(settings, address.application, world.services.db):
        yield


def leads(request: ReceivedRequest) -> bool:
    return "You are an experienced strategy consultant" in json.dumps(request.body)


def handing_over(request: ReceivedRequest) -> ScriptedAnswer:
    """The lead hands over; whoever comes next answers in words."""
    if leads(request):
        return Reply(calls=[Call("handOff", {"agent": "briefing_specialist", "reason": "The briefing comes first."})])
    return Reply("What do you do, for whom, and since when?")


@pytest.mark.requirement("A9")
async def test_specialists_are_asked_on_the_model_they_prefer_and_must_call_a_tool_first(
    world: World, address: DatabaseAddress
) -> None:
    async with ScriptedProvider(behaviour=handing_over) as provider, google(world, address, provider):
        accepted = await ask(world, "Build our DNA", agentId=LEAD)
        events = await finished(world, accepted["runId"])
        assert events[-1]["type"] == "complete", events[-1]
        (asked,) = [each for each in provider.requests if leads(each)]
        assert asked.model == GEMINI
        assert asked.body["generationConfig"]["temperature"] == 0.7
        assert asked.body["toolConfig"]["functionCallingConfig"]["mode"] == "ANY"
        path = f"/api/workspace/{world.instances['lab'].id}/conversations/{accepted['workflowId']}"
        thread = (await world.call("bob", "GET", path)).json()
        assert thread["conversation"]["activeAgentId"] == BRIEFING
        assert [entry["toName"] for entry in thread["agentHistory"]] == ["Briefing"]


@pytest.mark.requirement("A9")
async def test_where_that_model_is_not_there_the_one_of_the_workspace_answers(
    world: World, address: DatabaseAddress
) -> None:
    async with ScriptedProvider(behaviour=echo) as provider, worker(world, address, provider):
        accepted = await ask(world, "Weigh us up", agentId=SWOT)
        events = await finished(world, accepted["runId"])
        assert events[-1]["type"] == "complete", events[-1]
        assert {asked.model for asked in provider.requests} == {"scripted"}
        assert any("prefers google/gemini-2.5-flash" in (event.get("text") or "") for event in events)


@pytest.mark.requirement("D6")
async def test_the_language_of_the_request_is_that_of_what_a_specialist_is_told(
    world: World, address: DatabaseAddress
) -> None:
    async with ScriptedProvider(behaviour=echo) as provider, worker(world, address, provider):
        for language in ("de", "zh"):
            accepted = await ask(world, "SWOT", agentId=SWOT, userLanguage=language)
            await finished(world, accepted["runId"])
            own = shipped(language)[shipped_id("swot_specialist")].instructions.in_language(language)
            sent = json.dumps(provider.requests[-1].body, ensure_ascii=False)
            assert json.dumps(own, ensure_ascii=False)[1:-1] in sent


@pytest.mark.requirement("C5")
async def test_without_a_model_a_specialist_says_so_and_shows_how_a_briefing_begins(
    world: World, address: DatabaseAddress
) -> None:
    async with worker(world, address, None):
        accepted = await ask(world, "Wir brauchen bitte eine neue Website", agentId=LEAD)
        events = await finished(world, accepted["runId"])
        assert events[-1]["type"] == "complete", events[-1]
        path = f"/api/workspace/{world.instances['lab'].id}/conversations/{accepted['workflowId']}"
        thread = (await world.call("bob", "GET", path)).json()
        said = json.dumps(thread["messages"][-1], ensure_ascii=False)
        for key in ("team.specialists.needs", "setup", "team.specialists.example"):
            assert json.dumps(LANGUAGES["de"].say(key), ensure_ascii=False)[1:-1] in said


async def test_the_list_says_who_is_of_the_team_and_has_them_last(world: World) -> None:
    agents = (await world.call("bob", "GET", f"{agents_path(world)}?limit=200&language=fr")).json()["items"]
    teams = [agent["team"] for agent in agents]
    assert teams[-8:] == ["specialists"] * 8
    assert sorted(filter(None, teams[:-8])) == ["studio"], "one agent alone stands among the others"
    names = [agent["name"].lower() for agent in agents[-8:]]
    assert names == sorted(names)
    shown = {language for agent in agents[-8:] for language, text in agent["instructions"].items() if text}
    assert shown == {"fr"}, "a list is fetched often"


async def test_a_copy_holds_the_whole_text_and_is_of_no_team(world: World) -> None:
    answer = await world.call("bob", "POST", f"{agents_path(world)}/{SWOT}/duplicate", {"name": "Our SWOT"})
    assert answer.status_code == 201, answer.text
    copy, original = answer.json(), shipped()[shipped_id("swot_specialist")]
    assert (copy["team"], copy["builtin"], copy["toolNames"]) == (None, False, original.tool_names)
    assert copy["instructions"] == original.instructions.model_dump()
    taken = await world.call("bob", "GET", f"{agents_path(world)}/{copy['id']}/export")
    assert taken.json()["agent"]["instructions"] == copy["instructions"]
