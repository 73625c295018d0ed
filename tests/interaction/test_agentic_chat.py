"""A client is led through a briefing by request and response, and handed over to the next specialist, who reads the DNA."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from tests.interaction.briefing import TEXT, specialists
from tests.interaction.talking import worker
from tests.world import World, some_id
from workroom.api.agentic_chat import SpecialistType
from workroom.db import DatabaseAddress
from workroom.models.testing import ScriptedProvider
from workroom.specialists.service import SPECIALISTS


async def company(world: World, name: str = "Muster & Söhne <b>AG</b>") -> str:
    made = await world.call("bob", "POST", f"/api/workspace/{world.instances['lab'].id}/companies", {"name": name})
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


async def chat(world: World, company_id: str, *said: str, who: str = "bob", **more: Any) -> Any:
    """`said` alternates between the client and the specialists."""
    roles = ["user", "model"] * len(said)
    messages = [{"role": role, "content": text} for role, text in zip(roles, said, strict=False)]
    body = {
        "specialistType": "briefing_specialist",
        "companyId": company_id,
        "companyName": "Muster",
        "messages": messages,
    }
    headers = {"X-Workroom-Instance": str(world.instances["lab"].id)}
    return await world.call(who, "POST", "/api/agentic-chat", body | more, headers=headers)


def test_the_types_are_the_team() -> None:
    assert sorted(get_args(SpecialistType)) == list(SPECIALISTS)


@pytest.mark.requirement("F8", "A9", "A11", "B7", "D6")
async def test_a_briefing_is_led_confirmed_written_and_handed_over(world: World, address: DatabaseAddress) -> None:
    async with ScriptedProvider(behaviour=specialists) as provider, worker(world, address, provider):
        company_id = await company(world)
        first = (await chat(world, company_id, "Guten Tag")).json()
        assert first["response"] == "Was macht ihr, für wen und seit wann?"
        assert [(call["name"], call["status"]) for call in first["toolCalls"]] == [
            ("skill_roadmap", "ok"),
            ("skill_todos", "ok"),
            ("skill_suggestions", "ok"),
        ]
        assert [action["type"] for call in first["toolCalls"] for action in call["actions"]] == [
            "roadmap",
            "checklist",
            "suggestions",
        ]
        assert first["nextAgent"] is None
        assert [request.body.get("tool_choice") for request in provider.requests] == ["required", "auto"]
        system = str(provider.requests[0].messages[0]["content"])
        assert "This conversation is about the company “Muster & Söhne <b>AG</b>”." in system
        assert "Du bist eine erfahrene Markenstrategin" in system, "German, unless something else is asked for"

        place = {"workflowId": first["workflowId"]}
        asked = (await chat(world, company_id, "Das ist alles", **place)).json()
        assert asked["response"] == "Stimmt das Briefing?"
        assert [(call["name"], call["status"]) for call in asked["toolCalls"]] == [("skill_confirm", None)]

        last = (await chat(world, company_id, "es stimmt", **place)).json()
        assert [call["name"] for call in last["toolCalls"]] == [
            "skill_confirm",
            "skill_sidebar",
            "handOff",
            "skill_dna_lookup",
        ]
        assert {call["status"] for call in last["toolCalls"]} == {"ok"}
        assert (last["response"], last["nextAgent"]) == ("Ich habe das Briefing gelesen.", "swot_specialist")
        read = last["toolCalls"][-1]["data"]["documents"][0]
        assert (read["kind"], read["status"], read["text"], read["writtenBy"]) == (
            "briefing",
            "final",
            TEXT,
            "Briefing",
        )


async def test_what_was_said_elsewhere_before_is_what_the_model_sees(world: World, address: DatabaseAddress) -> None:
    async with ScriptedProvider(behaviour=specialists) as provider, worker(world, address, provider):
        company_id = await company(world)
        answer = await chat(
            world, company_id, "Hallo", "Worum geht es?", "Um Velos.", language="en", toolForcing="none"
        )
        assert answer.status_code == 200, answer.text
    roles = [(message["role"], message["content"]) for message in provider.requests[0].messages[1:]]
    assert roles[:2] == [("user", "Hallo"), ("assistant", "Worum geht es?")]
    assert "Um Velos." in roles[2][1]


async def test_turns_are_bounded_and_requests_are_returned(world: World, address: DatabaseAddress) -> None:
    async with ScriptedProvider(behaviour=specialists) as provider, worker(world, address, provider):
        company_id = await company(world)
        returned = (await chat(world, company_id, "Guten Tag", returnToolRequests=True)).json()
        assert [call["status"] for call in returned["toolCalls"]] == [None] * 3
        bounded = (await chat(world, company_id, "Guten Tag", maxTurns=1)).json()
        assert [call["name"] for call in bounded["toolCalls"]] == ["skill_roadmap", "skill_todos", "skill_suggestions"]
    assert len(provider.requests) == 3, "one, then one and the words about the limit"


async def test_the_same_question_sent_twice_begins_one_conversation(world: World, address: DatabaseAddress) -> None:
    async with ScriptedProvider(behaviour=specialists) as provider, worker(world, address, provider):
        company_id = await company(world)
        said = ("Hallo", "Worum geht es?", "Guten Tag")
        first, again = [(await chat(world, company_id, *said, clientId="one")).json() for _ in range(2)]
    assert first == again
    conversations = await world.call("bob", "GET", f"/api/workspace/{world.instances['lab'].id}/conversations")
    assert conversations.json()["total"] == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"specialistType": "poet"},
        {"companyId": "Muster"},
        {"messages": []},
        {"messages": [{"role": "model", "content": "x"}]},
        {"messages": [{"role": "system", "content": "x"}]},
        {"language": "tlh"},
        {"maxTurns": 0},
    ],
)
async def test_what_does_not_fit_is_refused(world: World, wrong: dict[str, Any]) -> None:
    answer = await chat(world, await company(world), "Guten Tag", **wrong)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalidInput")


async def test_companies_and_conversations_of_others_do_not_exist(world: World) -> None:
    company_id, other_id = await company(world), await company(world, "Andere AG")
    assert (await chat(world, str(some_id()), "Guten Tag")).status_code == 404
    assert (await chat(world, company_id, "Guten Tag", who="zoe")).status_code == 404
    path = f"/api/workspace/{world.instances['lab'].id}/input"
    begun = (await world.call("bob", "POST", path, {"prompt": "Hallo"})).json()
    for about in (company_id, other_id):
        assert (await chat(world, about, "Guten Tag", workflowId=begun["workflowId"])).status_code == 404
