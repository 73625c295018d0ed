"""The whole way: input over HTTP, a wake-up, a worker's scheduler, a provider over HTTP, the database, and the streams back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from starlette.requests import Request

from tests.interaction.talking import ask, finished, worker
from tests.world import World
from workroom.agent import model_calls
from workroom.api.events import event_stream
from workroom.api.runs import position
from workroom.bootstrap.worker import open_worker_services
from workroom.core.ids import new_id
from workroom.db import DatabaseAddress
from workroom.models.testing import ReceivedRequest, ScriptedAnswer, ScriptedProvider, Status, flaky, writer
from workroom.settings import Settings

NOTE = 'writeNote {"title": "Milk", "text": "Buy some."}'


def behaviour(asked: ReceivedRequest) -> ScriptedAnswer:
    """The writer, except that it refuses the key when asked to."""
    return Status(401) if asked.question == "refuse me" else writer(asked)


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    async with ScriptedProvider(behaviour=behaviour) as scripted:
        yield scripted


@pytest.fixture
async def working(world: World, address: DatabaseAddress, provider: ScriptedProvider) -> AsyncIterator[World]:
    async with worker(world, address, provider) as working:
        yield working


@pytest.mark.requirement("O3")
@pytest.mark.requirement("A1")
async def test_from_a_question_to_a_note_and_an_answer(working: World) -> None:
    accepted = await ask(working, NOTE)
    said = await finished(working, accepted["runId"])
    assert [event["seq"] for event in said] == list(range(1, len(said) + 1))
    assert "toolResult" in [event["type"] for event in said]
    assert said[-1] == {"seq": len(said), "type": "complete", "state": "completed", "nextAgent": None}
    path = f"/api/workspace/{working.instances['lab'].id}/conversations/{accepted['workflowId']}"
    thread = (await working.call("bob", "GET", path)).json()
    assert [message["role"] for message in thread["messages"]] == ["user", "assistant", "assistant"]
    assert thread["runs"][0]["state"] == "completed"
    assert thread["conversation"]["title"].startswith("writeNote")
    log = (await working.call("bob", "GET", f"/api/runs/{accepted['runId']}/log?after=3")).json()
    assert [item["seq"] for item in log["items"]] == list(range(4, len(said) + 1))


async def test_the_same_client_id_is_one_input_also_for_a_new_conversation(working: World) -> None:
    first = await ask(working, "hello", clientId="once")
    assert await ask(working, "hello", clientId="once") == first


async def test_a_provider_that_fails_ends_the_run_with_a_sentence(working: World) -> None:
    accepted = await ask(working, "refuse me")
    said = await finished(working, accepted["runId"])
    assert said[-1]["type"] == "error"
    assert said[-1]["code"] == "modelKeyRefused"
    assert said[-1]["details"].keys() >= {"provider", "model", "words"}
    run = (await working.call("bob", "GET", f"/api/runs/{accepted['runId']}")).json()
    assert (run["state"], run["errorCode"], run["errorDetails"]) == ("error", "modelKeyRefused", said[-1]["details"])


@pytest.mark.requirement("A8")
async def test_a_provider_on_a_bad_day_still_answers(
    world: World, address: DatabaseAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Drill R3, small: 429, 500, a cut stream, garbage, a dropped connection, each followed by a good answer."""
    monkeypatch.setattr(model_calls, "RETRY_PAUSES", (0.0, 0.0, 0.0))
    async with ScriptedProvider(behaviour=flaky()) as bad:
        settings = Settings(model_url=bad.base_url, model="scripted")
        async with open_worker_services(settings, address.application, world.services.db):
            for number in range(5):
                accepted = await ask(world, f"hello {number}")
                said = await finished(world, accepted["runId"])
                assert said[-1]["state"] == "completed"
                message = next(event for event in said if event["type"] == "message")
                assert message["text"] == f"You said: hello {number}", "nothing of the half answer"


async def test_conversations_are_listed_renamed_and_deleted(working: World) -> None:
    accepted = await ask(working, "hello")
    await finished(working, accepted["runId"])
    base = f"/api/workspace/{working.instances['lab'].id}/conversations"
    listed = (await working.call("bob", "GET", f"{base}?order=desc")).json()
    assert [item["id"] for item in listed["items"]] == [accepted["workflowId"]]
    path = f"{base}/{accepted['workflowId']}"
    assert (await working.call("bob", "PATCH", path, {"title": "Renamed"})).json()["title"] == "Renamed"
    assert (await working.call("rita", "GET", base)).json()["total"] == 0, "conversations are their owner's"
    assert (await working.call("bob", "DELETE", path)).status_code == 204
    assert (await working.call("bob", "GET", path)).status_code == 404
    assert (await working.call("bob", "GET", f"/api/runs/{accepted['runId']}")).status_code == 404


@pytest.mark.requirement("A14")
async def test_the_browsers_one_stream_carries_a_persons_runs_and_nobody_elses(working: World) -> None:
    heard: dict[str, list[str]] = {"bob": [], "alice": []}
    opened = {name: asyncio.Event() for name in heard}

    async def listen(name: str) -> None:
        cookie = f"{working.services.site.cookie_name}={working[name].cookie}".encode()
        scope = {"type": "http", "app": working.app, "headers": [(b"cookie", cookie)], "client": ("127.0.0.1", 1)}
        async for part in event_stream(Request(scope), working[name].principal, working.services):
            if b"event: hello" in part:
                opened[name].set()
            heard[name] += [event for event in part.decode().split("\n\n") if event.startswith("event: run\n")]

    listening = [asyncio.create_task(listen(name)) for name in heard]
    await asyncio.wait_for(asyncio.gather(*(event.wait() for event in opened.values())), 60)
    accepted = await ask(working, "hello")
    said = await finished(working, accepted["runId"])
    async with asyncio.timeout(60):
        await enough(lambda: len(heard["bob"]) >= len(said))
    working.services.changes.close()
    await asyncio.wait_for(asyncio.gather(*listening), 60)
    assert all(accepted["runId"] in part for part in heard["bob"])
    assert heard["alice"] == []


async def enough(true: Callable[[], bool]) -> None:
    while not true():  # noqa: ASYNC110 -- the stream cannot tell us
        await asyncio.sleep(0.01)


def test_a_position_is_read_from_an_event_id_of_this_run_only() -> None:
    run = new_id()
    assert position(run, None) == 0
    assert position(run, f"{run}:2.17") == 17
    for wrong in (f"{new_id()}:1.5", "x", f"{run}:", f"{run}:1.x", f"{run}:1.{'9' * 30}", "1.5"):
        assert position(run, wrong) is None


@pytest.mark.requirement("O2")
async def test_an_input_as_the_document_has_it_and_what_is_not_there_is_said(working: World) -> None:
    path = f"/api/workspace/{working.instances['lab'].id}/input"
    whole = {
        "prompt": "Olá",
        "fileIds": [],
        "uploadedFiles": [],
        "dataSourceIds": [],
        "voiceMode": False,
        "workflowId": None,
        "userLanguage": "pt",
    }
    accepted = await working.call("bob", "POST", path, whole)
    assert accepted.status_code == 202
    assert accepted.json().keys() == {"workflowId", "messageId", "runId"}
    for field in ("fileIds", "uploadedFiles", "dataSourceIds"):
        unknown = await working.call("bob", "POST", path, whole | {field: [str(new_id())]})
        assert (unknown.status_code, unknown.json()["code"]) == (404, "notFound")
    for wrong in ({"voiceMode": True}, {"userLanguage": "xx"}, {"model": "no-slash"}, {"surprise": 1}):
        refused = await working.call("bob", "POST", path, whole | wrong)
        assert refused.status_code == 422, wrong


async def test_a_model_that_is_not_there_ends_the_run_with_a_sentence(working: World) -> None:
    accepted = await ask(working, "hello", model="openai/no-such-model")
    events = await finished(working, accepted["runId"])
    failed = next(event for event in events if event["type"] == "error")
    assert failed["code"] == "modelUnknown"
    assert "no-such-model" in failed["message"]
