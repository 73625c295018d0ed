"""S16: words that only one person has said appear in nobody else's lists, traces, costs, streams or numbers.

Bob says them in a prompt, in a tool's arguments, in a title and in an error; then everybody else reads everything they can.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.files.sending import store
from tests.interaction.talking import ask, finished, worker
from tests.security.routes import Route, private_routes
from tests.world import World, some_id
from workroom.agents.types import AgentContent, AgentInstructions
from workroom.db import DatabaseAddress
from workroom.files.types import NewFile
from workroom.models.testing import ScriptedProvider, writer

CANARY = "zugvogel7731"
# Notes are for the members of a workspace: Bob's canaries there are for rita to see, and only there.
SHARED = ("/notes", "/todos")
READERS = [("bob", "lab"), ("alice", "lab"), ("rita", "lab"), ("olaf", "lab"), ("zoe", "den"), ("yann", "den")]
ENDLESS = ("/api/events",)  # its own test reads it: nobody hears of others' runs


@pytest.fixture
async def sung(world: World, address: DatabaseAddress) -> AsyncIterator[World]:
    """Bob has talked: one run that went well, one that asked for nonsense."""
    async with ScriptedProvider(behaviour=writer) as provider, worker(world, address, provider):
        for prompt in (f"hello {CANARY}", f'listNotes {{"query": "{CANARY}"}}', f'{CANARY} {{"x": "{CANARY}"}}'):
            accepted = await ask(world, prompt)
            said = await finished(world, accepted["runId"])
            assert CANARY in str(said)
        await keep_private_things(world)
        yield world


async def keep_private_things(world: World) -> None:
    """One of each kind that is private at first, named so and saying so."""
    bob, lab = world["bob"].principal, world.instances["lab"].id
    folder = await world.services.folders.create(bob, lab, f"Folder {CANARY}", auto_rule=f"tag:{CANARY}")
    await store(world, "bob", f"It says {CANARY}.".encode(), NewFile(f"{CANARY}.txt", tags=(CANARY,)))
    deleted = await store(world, "bob", b"gone", NewFile(f"gone {CANARY}.txt", folder_id=folder.id))
    await world.services.files.delete(bob, deleted.id)
    content = AgentContent(name=f"Agent {CANARY}", instructions=AgentInstructions(en=f"Say {CANARY}."))
    await world.services.agents.create(bob, lab, content)
    await world.services.uploads.begin(bob, lab, NewFile(f"upload {CANARY}.bin"), 5)


def listings() -> list[Route]:
    readable = [route for route in private_routes() if route.method == "get" and route.path not in ENDLESS]
    return [route for route in readable if set(route.parameters) <= {"instanceId"}]


@pytest.mark.requirement("N2")
async def test_no_list_of_anybody_else_knows_a_word_of_it(sung: World) -> None:
    owned = 0
    for route in listings():
        for name, place in READERS:
            path = route.at(instanceId=sung.instances[place].id)
            answer = await sung.call(name, "GET", f"{path}?q={CANARY}" if "{" in route.path else path)
            assert answer.status_code < 500
            if name == "bob":
                owned += CANARY in answer.text
            else:
                told = answer.text.replace(f"q={CANARY}", "")
                assert CANARY not in told, f"{name} reads it under {path}"
    assert owned > 0, "the canary can be heard at all: its owner hears it"


@pytest.mark.requirement("N2")
async def test_costs_of_others_are_not_counted_among_ones_own(sung: World) -> None:
    """Amounts and ids are as telling as words."""
    for name in ("rita", "olaf", "zoe", "yann"):
        assert (await sung.call(name, "GET", "/api/costs")).json()["total"] == 0, name
    assert (await sung.call("bob", "GET", "/api/costs")).json()["total"] > 0
    bob = str(sung["bob"].user.id)
    answer = await sung.call("zoe", "GET", f"/api/costs?userId={bob}")
    assert bob not in answer.text


async def test_traces_and_logs_of_others_do_not_exist(sung: World) -> None:
    lab = sung.instances["lab"].id
    listed = (await sung.call("bob", "GET", f"/api/workspace/{lab}/conversations")).json()["items"]
    assert listed
    for conversation in listed:
        thread = f"/api/workspace/{lab}/conversations/{conversation['id']}"
        run = (await sung.call("bob", "GET", thread)).json()["runs"][0]["id"]
        paths = [f"/api/runs/{run}", f"/api/runs/{run}/log", f"/api/runs/{run}/trace", thread, f"{thread}/traces"]
        for path in paths:
            assert (await sung.call("bob", "GET", path)).status_code == 200, path
            for name in ("alice", "rita", "olaf", "zoe", "yann"):
                answer = await sung.call(name, "GET", path)
                unknown = await sung.call(
                    name, "GET", path.replace(run, str(some_id())).replace(conversation["id"], str(some_id()))
                )
                assert (answer.status_code, answer.json()["code"]) == (404, "notFound"), f"{name} {path}"
                assert answer.json()["message"] == unknown.json()["message"], "nothing tells that it exists elsewhere"


async def test_numbers_for_operators_name_nobody(sung: World) -> None:
    told = sung.services.metrics.render().decode()
    assert "workroom_http_requests" in told
    for secret in (CANARY, str(sung["bob"].user.id), str(sung.instances["lab"].id), "bob@example.org"):
        assert secret not in told
