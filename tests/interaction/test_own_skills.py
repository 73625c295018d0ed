"""Skills of people at work: called by `/name`, read by agents, written by `manage_skill`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conversations.readers import shared
from tests.custom_skills.making import create, path
from tests.interaction.talking import ask, finished, said_until, worker
from tests.world import World
from workroom.db import DatabaseAddress
from workroom.models.testing import Call, ReceivedRequest, Reply, ScriptedAnswer, ScriptedProvider

CANARY = "canary-4711"
SECRET = f"Say {CANARY} about {{{{topic}}}}."


def offered(request: ReceivedRequest) -> set[str]:
    return {tool["function"]["name"] for tool in request.body.get("tools", [])}


def prompt(request: ReceivedRequest) -> str:
    return json.dumps(request.messages, ensure_ascii=False)


async def parts_of(world: World, thread: str, who: str = "bob") -> list[dict[str, Any]]:
    """Of the first message."""
    answer = await world.call(who, "GET", f"/api/workspace/{world.instances['lab'].id}/conversations/{thread}")
    parts: list[dict[str, Any]] = answer.json()["messages"][0]["parts"]
    return parts


@pytest.mark.requirement("B8")
async def test_a_skill_is_called_by_its_name_with_values_and_its_tools_alone(
    world: World, address: DatabaseAddress
) -> None:
    async with ScriptedProvider(behaviour=lambda _: Reply("Done.")) as provider, worker(world, address, provider):
        skill = await create(world, instructions=SECRET, tools=["calculate", "webSearch"])
        begun = await ask(world, "/Weekly-Report audience=team the third quarter")
        await finished(world, begun["runId"])
        (asked,) = provider.requests
        assert f"Say {CANARY} about the third quarter." in prompt(asked)
        assert "- audience: team" in prompt(asked)
        assert offered(asked) == {"calculate"}, "less than the agent has, never more"
        await finished(world, (await ask(world, "Thanks.", workflowId=begun["workflowId"]))["runId"])
        assert len(offered(provider.requests[-1])) > 1, "the next message has all of them again"
    chip, words = await parts_of(world, begun["workflowId"])
    assert (chip["type"], chip["skillId"], chip["name"], chip["version"]) == ("skill", skill["id"], "weekly-report", 1)
    assert chip["text"] == "", "people see that it was called"
    assert words["text"] == "/Weekly-Report audience=team the third quarter"


@pytest.mark.requirement("B8")
async def test_an_answer_that_is_made_again_has_the_skill_as_it_was_called(
    world: World, address: DatabaseAddress
) -> None:
    async with ScriptedProvider(behaviour=lambda _: Reply("Done.")) as provider, worker(world, address, provider):
        skill = await create(world, instructions=SECRET)
        begun = await ask(world, "/weekly-report this")
        await finished(world, begun["runId"])
        await world.call("bob", "PATCH", path(world, skill["id"]), {"version": 1, "instructions": "Be silent."})
        await world.call("bob", "DELETE", path(world, skill["id"]))
        thread = f"/api/workspace/{world.instances['lab'].id}/conversations/{begun['workflowId']}"
        again = await world.call("bob", "POST", f"{thread}/retry", {})
        assert again.status_code == 202, again.text
        await finished(world, again.json()["runId"])
        assert CANARY in prompt(provider.requests[-1])
        await finished(world, (await ask(world, "/weekly-report this"))["runId"])
        assert CANARY not in prompt(provider.requests[-1]), "what is in the trash is not called"


@pytest.mark.requirement("B8", "N2")
async def test_a_private_skill_is_for_its_owner_alone(world: World, address: DatabaseAddress) -> None:
    async with ScriptedProvider(behaviour=lambda _: Reply("Done.")) as provider, worker(world, address, provider):
        skill = await create(world, instructions=SECRET)
        begun = await ask(world, "/weekly-report this")
        await finished(world, begun["runId"])
        thread = begun["workflowId"]
        await finished(world, (await ask(world, "/weekly-report this", who="alice"))["runId"], "alice")
        assert CANARY not in prompt(provider.requests[-1]), "hers is another name space"
        await shared(world, thread, "alice")
        assert CANARY not in json.dumps(await parts_of(world, thread, "alice"))
        for name in ("alice", "bob"):
            await finished(world, (await ask(world, "and?", who=name, workflowId=thread))["runId"], name)
            assert CANARY not in prompt(provider.requests[-1]), "Alice reads the answer"
            assert "calls the skill /weekly-report" in prompt(provider.requests[-1])
        where = f"/api/workspace/{world.instances['lab'].id}/input"
        refused = await world.call("bob", "POST", where, {"prompt": "/weekly-report x", "workflowId": thread})
        assert (refused.status_code, refused.json()["code"]) == (409, "skillPrivate")
        await world.call("bob", "PUT", path(world, skill["id"], "visibility"), {"visibility": "GROUP"})
        for name in ("alice", "bob"):
            called = await ask(world, f"/weekly-report {name}", who=name, workflowId=thread)
            await finished(world, called["runId"], name)
            assert f"Say {CANARY} about {name}." in prompt(provider.requests[-1])


async def test_without_a_model_it_is_said_that_a_skill_needs_one(world: World, address: DatabaseAddress) -> None:
    async with worker(world, address, None):
        await create(world)
        said = await finished(world, (await ask(world, "/weekly-report the year"))["runId"])
    answer = next(event["text"] for event in reversed(said) if event["type"] == "message")
    assert "/weekly-report" in answer
    assert "model" in answer


def reading(asked: ReceivedRequest) -> ScriptedAnswer:
    return Reply("Done.") if asked.results else Reply(calls=[Call("useSkill", {"name": "weekly-report"})])


@pytest.mark.requirement("B8")
async def test_an_agent_reads_a_skill_that_fits_and_asks_before_it_follows_another_persons(
    world: World, address: DatabaseAddress
) -> None:
    async with ScriptedProvider(behaviour=reading) as provider, worker(world, address, provider):
        await create(world, instructions=SECRET, visibility="GROUP")
        await create(world, name="by-hand", description="Only by hand.", automatic=False)
        await finished(world, (await ask(world, "A report on the week, please."))["runId"])
        first, second = provider.requests
        assert "- weekly-report: Writes the weekly report." in prompt(first)
        assert "Only by hand." not in prompt(first)
        assert CANARY not in prompt(first)
        assert CANARY in prompt(second)
        begun = await ask(world, "A report on the week, please.", who="alice")
        waiting = (await said_until(world, begun["runId"], frozenset({"choice"}), "alice"))[-1]
        assert (waiting["tool"], waiting["pause"]["name"]) == ("useSkill", "/weekly-report")
        assert CANARY not in prompt(provider.requests[-1])


async def names(world: World) -> list[str]:
    return [skill["name"] for skill in (await world.call("bob", "GET", path(world))).json()["items"]]


@pytest.mark.requirement("B8")
async def test_an_agent_writes_a_skill_once_the_user_has_seen_it(world: World, address: DatabaseAddress) -> None:
    data = {"name": "minutes", "description": "Writes minutes.", "instructions": "Who, what, until when."}
    calls = [
        Call("manage_skill", {"action": action, "skill_data": data}) for action in ("list", "create", "read", "delete")
    ]

    def script(asked: ReceivedRequest) -> ScriptedAnswer:
        return Reply("Done.") if len(asked.results) == len(calls) else Reply(calls=[calls[len(asked.results)]])

    async with ScriptedProvider(behaviour=script) as provider, worker(world, address, provider):
        begun = await ask(world, "Keep this as a skill.")
        seq = 0
        for yes in (True, False):
            waiting = (await said_until(world, begun["runId"], frozenset({"choice"}), after=seq))[-1]
            assert await names(world) == ([] if yes else ["minutes"]), (
                "nothing is written before, and listing is not asked about"
            )
            body = {"callId": waiting["callId"], "answer": {"kind": "confirmation", "accepted": yes}}
            answered = await world.call("bob", "POST", f"/api/runs/{begun['runId']}/answer", body)
            assert answered.status_code == 200, answered.text
            seq = (await said_until(world, begun["runId"], frozenset({"choice"}), after=waiting["seq"]))[-1]["seq"]
        await finished(world, begun["runId"])
    assert await names(world) == ["minutes"]
