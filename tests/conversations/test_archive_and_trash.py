"""Where conversations are found: on top, in the list, in the archive, in the trash."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from tests.agents.making import agent_of
from tests.conversations.readers import shared
from tests.runs.bench import RunBench, Waiting
from tests.world import World
from workroom.agent.testing import say
from workroom.conversations import store
from workroom.core.clock import now
from workroom.core.run_events import RunState
from workroom.db.trash import KEPT, empty_trash
from workroom.runs.service import Input


class Desk:
    """Bob's conversations in the lab, over HTTP."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.lab = world.instances["lab"].id

    async def begin(self, prompt: str, **more: Any) -> str:
        accepted = await self.world.services.runs.input(self.world["bob"].principal, self.lab, Input(prompt, **more))
        return str(accepted.conversation_id)

    async def titles(self, query: str = "", by: str = "bob") -> list[str]:
        answer = await self.world.call(by, "GET", f"/api/workspace/{self.lab}/conversations?{query}")
        assert answer.status_code == 200, answer.text
        return [item["title"] for item in answer.json()["items"]]

    async def call(self, method: str, conversation_id: str, more: str = "", body: Any = None, by: str = "bob") -> int:
        path = f"/api/workspace/{self.lab}/conversations/{conversation_id}{more}"
        return (await self.world.call(by, method, path, body)).status_code


@pytest.fixture
def desk(world: World) -> Desk:
    return Desk(world)


async def test_what_is_deleted_waits_in_the_trash_and_comes_back_whole(desk: Desk) -> None:
    thread = await desk.begin("the budget")
    assert await desk.call("DELETE", thread) == 204
    assert (await desk.titles(), await desk.titles("status=trash")) == ([], ["the budget"])
    for method, more, body in (
        ("GET", "", None),
        ("PATCH", "", {"title": "x"}),
        ("DELETE", "", None),
        ("PUT", "/pin", {"pinned": True}),
        ("PUT", "/archive", {"archived": True}),
        ("POST", "/retry", {}),
        ("GET", "/memory", None),
    ):
        assert await desk.call(method, thread, more, body) == 404, (method, more)
    said = {"prompt": "and now?", "workflowId": thread}
    assert (await desk.world.call("bob", "POST", f"/api/workspace/{desk.lab}/input", said)).status_code == 404
    assert await desk.call("POST", thread, "/restore") == 200
    assert await desk.call("POST", thread, "/restore") == 200, "once more changes nothing"
    assert (await desk.titles(), await desk.titles("status=trash")) == (["the budget"], [])
    seen = await desk.world.call("bob", "GET", f"/api/workspace/{desk.lab}/conversations/{thread}")
    assert [part["text"] for part in seen.json()["messages"][0]["parts"]] == ["the budget"]


async def test_only_what_is_in_the_trash_is_deleted_for_good(desk: Desk) -> None:
    thread = await desk.begin("the budget")
    assert await desk.call("DELETE", thread, "?forever=true") == 409
    await desk.call("DELETE", thread)
    assert await desk.call("DELETE", thread, "?forever=true") == 204
    assert await desk.call("POST", thread, "/restore") == 404


async def test_the_trash_is_its_owners(desk: Desk) -> None:
    thread = await desk.begin("the budget")
    await shared(desk.world, thread, "alice", workspace=True, group_writes=True)
    for more, body in (("/archive", {"archived": True}), ("/restore", None)):
        assert await desk.call("POST" if body is None else "PUT", thread, more, body, "alice") == 403
    await desk.call("DELETE", thread)
    assert (await desk.titles(by="alice"), await desk.titles("status=trash", "alice")) == ([], [])
    assert await desk.call("POST", thread, "/restore", by="alice") == 404
    assert await desk.call("DELETE", thread, "?forever=true", by="alice") == 404
    await desk.call("POST", thread, "/restore")
    assert await desk.titles(by="alice") == ["the budget"], "shared as before"


async def test_what_has_been_in_the_trash_for_thirty_days_is_gone(desk: Desk) -> None:
    old, young = await desk.begin("old"), await desk.begin("young")
    services, bob = desk.world.services, desk.world["bob"].principal
    for thread in (old, young):
        await desk.call("DELETE", thread)
    async with services.db.unit_of_work(bob.actor) as uow:
        await uow.execute(
            "update conversations set deleted_at = $1 where title = 'old'", now() - KEPT - timedelta(minutes=1)
        )
    assert await empty_trash(services.db, "conversations", store.sweep) == 1
    assert await desk.titles("status=trash") == ["young"]
    async with services.db.unit_of_work(bob.actor) as uow:
        assert await uow.fetchval("select count(*) from messages") == 1, "with what was said in it"


async def test_an_answer_under_way_is_stopped(desk: Desk) -> None:
    bench = RunBench(desk.world)
    accepted = await bench.ask()
    model = Waiting(say("hi"))
    async with bench.worker(model) as runner:
        working = asyncio.create_task(runner.advance(bench.key(accepted)))
        await model.asked.wait()
        assert await desk.call("DELETE", str(accepted.conversation_id)) == 204
        await asyncio.wait_for(working, 60)
    assert await bench.sql("select state from runs") == RunState.STOPPED


async def test_pinned_ones_are_on_top_of_the_list_of_who_pinned_them_page_by_page(desk: Desk) -> None:
    first, *_ = [await desk.begin(title) for title in ("one", "two", "three")]
    await shared(desk.world, first, "alice")
    assert await desk.call("PUT", first, "/pin", {"pinned": True}) == 200
    assert await desk.call("PUT", first, "/pin", {"pinned": True}) == 200
    assert await desk.titles("sort=pinned&order=desc") == ["one", "three", "two"]
    path = f"/api/workspace/{desk.lab}/conversations?sort=pinned&order=desc&limit=1"
    page = (await desk.world.call("bob", "GET", path)).json()
    assert [(item["title"], item["pinned"]) for item in page["items"]] == [("one", True)]
    assert await desk.titles(f"sort=pinned&order=desc&cursor={page['nextCursor']}") == ["three", "two"]
    (seen,) = (await desk.world.call("alice", "GET", path)).json()["items"]
    assert seen["pinned"] is False
    await desk.call("PUT", first, "/pin", {"pinned": False})
    assert await desk.titles("sort=pinned&order=desc") == ["three", "two", "one"]
    assert await desk.call("PUT", first, "/pin", {"pinned": True}, by="rita") == 404, "not hers to read"


async def test_archived_ones_are_found_in_the_archive_until_something_is_said_in_them(desk: Desk) -> None:
    thread = await desk.begin("the budget")
    await shared(desk.world, thread, "alice")
    assert await desk.call("PUT", thread, "/archive", {"archived": True}) == 200
    for name in ("bob", "alice"):
        assert (await desk.titles(by=name), await desk.titles("status=archived", name)) == ([], ["the budget"])
    assert await desk.titles("status=archived&q=budget") == ["the budget"]
    assert await desk.titles("status=archived&q=water") == []
    assert await desk.call("GET", thread) == 200, "it can be read"
    said = {"prompt": "and now?", "workflowId": thread}
    assert (await desk.world.call("alice", "POST", f"/api/workspace/{desk.lab}/input", said)).status_code == 202
    assert (await desk.titles(), await desk.titles("status=archived")) == (["the budget"], [])
    await desk.call("PUT", thread, "/archive", {"archived": True})
    await desk.call("PUT", thread, "/archive", {"archived": False})
    assert await desk.titles() == ["the budget"]


async def test_the_list_is_filtered_by_agent_and_by_date(desk: Desk) -> None:
    agent = await agent_of(desk.world, "bob", "Notary")
    await desk.begin("with the assistant")
    began = now()
    thread = await desk.begin("with the notary", agent_id=agent.id)
    assert await desk.titles(f"agentId={agent.id}") == ["with the notary"]
    moment = began.isoformat().replace("+", "%2B")
    assert await desk.titles(f"since={moment}") == ["with the notary"]
    assert await desk.titles(f"until={moment}") == ["with the assistant"]
    assistant = (await desk.world.call("bob", "GET", f"/api/workspace/{desk.lab}/conversations?until={moment}")).json()
    (seen,) = assistant["items"]
    switch = {"agentId": seen["activeAgentId"]}
    assert await desk.call("POST", thread, "/switchAgent", switch) == 200
    assert await desk.titles(f"agentId={agent.id}") == ["with the notary"], "it has answered there"
