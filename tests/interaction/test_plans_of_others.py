"""A plan copies what was read for one person into arguments, steps and choices: others who may open the conversation find that
something was read, and not what."""

from __future__ import annotations

import json

import pytest

from tests.agents.making import made
from tests.conversations.readers import shared
from tests.files.sending import make
from tests.interaction.talking import ask, finished, worker
from tests.world import World
from workroom.db import DatabaseAddress
from workroom.identity.sharing import Visibility
from workroom.models.testing import Call, Reply, ScriptedProvider

CANARY = "canary-7731 the salary of Rita is 9000"
READ = {"tool": "readFile", "arguments": {"fileId": "private.md"}}
QUOTED = {"tool": "searchFiles", "arguments": {"query": {"$from": {"call": 0, "pointer": "/message"}}}}
PLAN = {"steps": [{"intent": "do", "toolCalls": [READ, QUOTED]}, {"intent": "do", "toolCalls": [READ]}]}


@pytest.mark.requirement("H6")
async def test_what_was_read_for_one_person_stays_theirs(world: World, address: DatabaseAddress) -> None:
    plans = [Reply(calls=[Call("submitPlan", PLAN)])]
    async with ScriptedProvider(plans) as provider, worker(world, address, provider):
        await make(world, "bob", "private.md", CANARY.encode(), visibility=Visibility.MY)
        agent = await made(world, name="Planner", strategy="plan")
        begun = await ask(world, "look", agentId=agent["id"])
        mine = await finished(world, begun["runId"])
        await shared(world, begun["workflowId"], "alice")
        theirs = await finished(world, begun["runId"], "alice")
        thread = f"/api/workspace/{world.instances['lab'].id}/conversations/{begun['workflowId']}"
        seen = {who: (await world.call(who, "GET", thread)).text for who in ("bob", "alice")}
        trace = (await world.call("alice", "GET", f"/api/runs/{begun['runId']}/trace")).text
    assert "canary" in json.dumps(mine)
    assert "canary" in seen["bob"]
    assert "canary" not in json.dumps(theirs)
    assert "canary" not in seen["alice"]
    assert "canary" not in trace
    assert [event["type"] for event in theirs] == [event["type"] for event in mine]
