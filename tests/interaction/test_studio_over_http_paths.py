"""The studio's agent by four paths that name the project alone: streamed, again, to the next phase, and as one answer."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.interaction.talking import finished, worker
from tests.studio.making import project
from tests.world import World, some_id
from workroom.db import DatabaseAddress
from workroom.models.testing import ScriptedProvider, writer

WRITE = 'update_field {"field_name": "Absichtsanalyse", "content": "## Was\\n\\nVelos reparieren."}'
EVERY_PATH = ("stream", "retry", "advance", "chat")


@pytest.fixture
async def working(world: World, address: DatabaseAddress) -> AsyncIterator[World]:
    async with ScriptedProvider(behaviour=writer) as provider, worker(world, address, provider):
        yield world


async def call(world: World, path: str, project_id: object, who: str = "bob", **more: Any) -> Any:
    headers = {"X-Workroom-Instance": str(world.instances["lab"].id)} if who != "zoe" else {}
    return await world.call(who, "POST", f"/api/agent/{path}", {"projectId": str(project_id), **more}, headers)


async def streamed(world: World, path: str, project_id: object, **more: Any) -> list[dict[str, Any]]:
    answer = await call(world, path, project_id, **more)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
    parts = [dict(line.split(": ", 1) for line in part.split("\n") if line) for part in answer.text.split("\n\n")]
    return [{**json.loads(part["data"]), "id": part["id"]} for part in parts if "data" in part]


@pytest.mark.requirement("F7", "F6", "F9")
async def test_an_answer_is_streamed_and_given_again(working: World) -> None:
    made = await project(working)
    events = await streamed(working, "stream", made.id, message=WRITE)
    assert events[-1]["type"] == "complete", events[-1]
    [result] = [event for event in events if event["type"] == "toolResult"]
    assert (result["tool"], result["result"]["status"]) == ("update_field", "ok")
    run_id = events[0]["id"].partition(":")[0]
    log = await finished(working, run_id)
    assert len(log) == len(events), "every event of the run, once"

    again = await streamed(working, "retry", made.id)
    assert again[-1]["type"] == "complete"
    assert again[0]["id"].partition(":")[0] != run_id
    place = f"/api/workspace/{working.instances['lab'].id}"
    opened = await working.call("bob", "POST", f"{place}/studio/projects/{made.id}/conversation")
    thread = (await working.call("bob", "GET", f"{place}/conversations/{opened.json()['workflowId']}")).json()
    assert [run["state"] for run in thread["runs"]] == ["completed", "completed"]
    assert len({run["messageId"] for run in thread["runs"]}) == 1, "the same question"


@pytest.mark.requirement("F7", "F9")
async def test_a_whole_answer_says_what_was_called_and_where_the_project_stands(working: World) -> None:
    made = await project(working)
    answer = (await call(working, "chat", made.id, message=WRITE, clientId="once")).json()
    assert answer["response"].startswith("Done, with 1 results.")
    assert [(call["name"], call["status"]) for call in answer["toolCalls"]] == [("update_field", "ok")]
    assert (answer["projectId"], answer["currentPhase"]) == (str(made.id), "intent")
    assert (answer["phaseStatus"], answer["creatorProfile"]) == ({"intent": "inProgress"}, "")
    assert (await call(working, "chat", made.id, message=WRITE, clientId="once")).json() == answer, "sent twice"


@pytest.mark.requirement("F7")
async def test_a_client_id_of_another_project_gets_no_answer_of_that_project(working: World) -> None:
    first, second = [await project(working, name=name) for name in ("First", "Second")]
    assert (await call(working, "chat", first.id, message=WRITE, clientId="1")).status_code == 200
    for path in ("chat", "stream"):
        refused = await call(working, path, second.id, message=WRITE, clientId="1")
        assert (refused.status_code, refused.json()["code"]) == (409, "conflict")


@pytest.mark.requirement("F7")
async def test_a_question_ends_the_stream_and_the_next_message_goes_on_behind_it(working: World) -> None:
    made = await project(working)
    asked = await streamed(working, "stream", made.id, message='askUser {"question": "Für wen?"}')
    assert (asked[-1]["type"], asked[-2]["type"]) == ("status", "choice")
    went_on = await streamed(working, "stream", made.id, message="Für Eltern")
    assert (went_on[0]["type"], went_on[0]["state"]) == ("choice", "answered")
    assert went_on[-1]["type"] == "complete"
    assert asked[0]["id"].partition(":")[0] == went_on[0]["id"].partition(":")[0], "one run"


@pytest.mark.requirement("F5")
async def test_a_block_that_a_message_names_is_no_file_that_is_missing(working: World) -> None:
    made = await project(working)
    answer = (await call(working, "chat", made.id, message="Kürze @Absichtsanalyse wie in @vorlage.docx")).json()
    place = f"/api/workspace/{working.instances['lab'].id}/conversations/{answer['workflowId']}"
    [question, *_] = (await working.call("bob", "GET", place)).json()["messages"]
    missing = [part["place"]["path"] for part in question["parts"] if part["type"] == "material"]
    assert missing == ["vorlage.docx"]


@pytest.mark.requirement("F7", "F1")
async def test_advancing_asks_while_blocks_are_empty(world: World) -> None:
    made = await project(world)
    refused = await call(world, "advance", made.id)
    assert (refused.status_code, refused.json()["code"]) == (409, "phaseIncomplete")
    state = (await call(world, "advance", made.id, force=True)).json()
    assert state == {
        "projectId": str(made.id),
        "currentPhase": "research",
        "phaseStatus": {"intent": "completed", "research": "inProgress"},
        "creatorProfile": "",
    }
    assert (await call(world, "advance", made.id, targetPhase="Bewertung", force=True)).json()[
        "currentPhase"
    ] == "evaluate"
    unknown = await call(world, "advance", made.id, targetPhase="Druck")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "notFound")


@pytest.mark.parametrize("path", EVERY_PATH)
async def test_projects_of_others_do_not_exist_and_readers_do_not_ask(world: World, path: str) -> None:
    made = await project(world)
    body = {"message": "Hallo"} if path in ("stream", "chat") else {}
    assert (await call(world, path, some_id(), **body)).status_code == 404
    assert (await call(world, path, made.id, who="zoe", **body)).status_code == 404
    assert (await call(world, path, made.id, who="rita", **body)).status_code == 403


async def test_what_does_not_fit_is_refused(world: World) -> None:
    made = await project(world)
    for wrong in (
        {"message": ""},
        {"message": " "},
        {"message": "x", "language": "tlh"},
        {"message": "x", "mode": "y"},
    ):
        answer = await call(world, "chat", made.id, **wrong)
        assert (answer.status_code, answer.json()["code"]) == (422, "invalidInput")
    nothing = await call(world, "retry", made.id)
    assert (nothing.status_code, nothing.json()["code"]) == (409, "conflict")
