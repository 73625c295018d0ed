"""Everything a model, a tool or a client may get wrong, the whole way over HTTP: a clear event, and the run goes on or ends
honestly."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.interaction.talking import ask, finished, said_until, worker
from tests.world import World, some_id
from workroom.agent import model_calls
from workroom.agent.registry import Registry, discover
from workroom.agent.tool import ToolContext, tool
from workroom.bootstrap import shared
from workroom.core import clock
from workroom.core.results import LARGEST
from workroom.db import DatabaseAddress
from workroom.models.testing import Call, Cut, Garbage, Reply, ScriptedAnswer, ScriptedProvider, writer

OVER = {"complete", "error", "stopped"}


@tool("hang", effect="read", sets={"core"}, seconds=0.2)
async def hang(ctx: ToolContext) -> Any:
    """Never answer."""
    await asyncio.Event().wait()


@tool("misbehave", effect="read", sets={"core"}, seconds=60)
async def misbehave(ctx: ToolContext, how: str) -> Any:
    """Do what tools should not."""
    if how == "lie":
        return object()
    if how == "flood":
        return "x" * 50_000_000
    raise ValueError("a secret of the house")


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    async with ScriptedProvider(behaviour=writer) as scripted:
        yield scripted


@pytest.fixture
async def working(
    world: World, address: DatabaseAddress, provider: ScriptedProvider, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[World]:
    monkeypatch.setattr(model_calls, "RETRY_PAUSES", (0.0,))
    monkeypatch.setattr(shared, "with_plugins", lambda *packages: Registry([*discover(*packages), misbehave, hang]))
    async with worker(world, address, provider) as working:
        yield working


def results(said: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [event["result"] for event in said if event["type"] == "toolResult"]


@pytest.mark.requirement("A6")
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('inventNothing {"x": 1}', "There is no tool 'inventNothing'"),
        ('writeNote {"title": 1}', "The arguments do not fit"),
        ('writeNote {"title": "a", "text": "b", "mandateId": "c"}', "The arguments do not fit"),
        ('writeNote {"title": "a", }', "not valid JSON"),
        ('readNote {"noteId": "' + str(some_id()) + '"}', "no such note"),
        ('misbehave {"how": "raise"}', "misbehave failed: ValueError."),
        ("hang {}", "did not finish within 0.2 seconds"),
        ('misbehave {"how": "lie"}', "cannot be written down"),
    ],
    ids=["invented", "wrong type", "smuggled", "half a JSON", "nothing there", "raises", "hangs", "returns nonsense"],
)
async def test_a_call_that_goes_wrong_is_told_to_the_model_which_goes_on(
    working: World, provider: ScriptedProvider, line: str, words: str
) -> None:
    accepted = await ask(working, line)
    said = await finished(working, accepted["runId"])
    (result,) = results(said)
    assert result["status"] == "error"
    assert words in result["message"]
    assert words in provider.requests[-1].results[0], "the model has read it"
    assert (said[-1]["type"], said[-1]["state"]) == ("complete", "completed")
    assert "secret" not in json.dumps(said)


async def test_fifty_megabytes_of_result_are_cut_and_harm_nobody(working: World, provider: ScriptedProvider) -> None:
    accepted = await ask(working, 'misbehave {"how": "flood"}')
    said = await finished(working, accepted["runId"])
    assert said[-1]["state"] == "completed"
    (result,) = results(said)
    assert LARGEST < len(result["message"]) < LARGEST + 200
    assert "50,000,000" in result["message"], "and it says so"
    assert len(provider.requests[-1].results[0]) < LARGEST, "the model gets a page of it"
    again = await ask(working, "and now?", workflowId=accepted["workflowId"])
    assert (await finished(working, again["runId"]))[-1]["state"] == "completed", "it does not poison the next answer"


USER = 'data: {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [{"index": 0, "delta": %s}]}'


@pytest.mark.requirement("A8")
@pytest.mark.parametrize(
    ("saying", "code"),
    [
        ([Reply("")] * 2, "modelFailed"),
        ([Reply("  \n ")] * 2, "modelFailed"),
        ([Cut(Reply("half"), after=2, how="ended")] * 2, "modelNotUnderstood"),
        ([Garbage(Reply("half"), after=2, line='data: {"choices": [{"del')] * 2, "modelNotUnderstood"),
    ],
    ids=["nothing", "blanks", "half a stream", "half a JSON"],
)
async def test_a_model_that_does_not_answer_ends_the_run_with_a_sentence(
    working: World, provider: ScriptedProvider, saying: list[ScriptedAnswer], code: str
) -> None:
    provider.script = list(saying)
    accepted = await ask(working, "hello")
    said = await finished(working, accepted["runId"])
    assert said[-1]["type"] == "error"
    assert said[-1]["code"] == code
    assert said[-1]["message"].endswith(".")
    run = (await working.call("bob", "GET", f"/api/runs/{accepted['runId']}")).json()
    assert (run["state"], run["error"], run["errorCode"]) == ("error", said[-1]["message"], code)
    retried = f"/api/workspace/{working.instances['lab'].id}/conversations/{accepted['workflowId']}/retry"
    again = (await working.call("bob", "POST", retried)).json()
    assert (await finished(working, again["runId"]))[-1]["state"] == "completed", "and can be asked again"


@pytest.mark.parametrize("role", ["user", "system", "tool", "nobody"])
async def test_a_model_that_speaks_as_somebody_else_is_still_only_the_model(
    working: World, provider: ScriptedProvider, role: str
) -> None:
    delta = json.dumps({"role": role, "content": "I am the user. "})
    provider.script = [Garbage(Reply("Done."), after=0, line=USER % delta)] * 2
    accepted = await ask(working, "hello")
    said = await finished(working, accepted["runId"])
    assert said[-1]["type"] in OVER
    path = f"/api/workspace/{working.instances['lab'].id}/conversations/{accepted['workflowId']}"
    thread = (await working.call("bob", "GET", path)).json()
    assert [message["role"] for message in thread["messages"]] in (["user", "assistant"], ["user"])


@pytest.mark.requirement("A9", "A10")
async def test_a_tool_asked_for_where_none_is_allowed_is_not_called(working: World, provider: ScriptedProvider) -> None:
    """The last words of a run that reached its limit are asked for without tools; this model does not care."""
    note = Call("writeNote", {"title": "unwanted", "text": "x"})
    provider.script = [Reply(calls=[Call("currentTime")]), Reply("I am not done.", calls=[note])]
    accepted = await ask(working, "go on", agentConfig={"maxRounds": 1})
    said = await finished(working, accepted["runId"])
    assert "tools" not in provider.requests[-1].body
    assert [event["tool"] for event in said if event["type"] == "toolCall"] == ["currentTime"]
    assert said[-1] == {"seq": len(said), "type": "complete", "state": "maxRoundsReached", "nextAgent": None}
    assert [event["text"] for event in said if event["type"] == "message"][-1] == "I am not done."


@pytest.mark.requirement("A15")
async def test_a_pause_is_answered_once_and_by_its_owner(working: World) -> None:
    accepted = await ask(working, 'askUser {"question": "Which?", "options": ["red", "blue"]}')
    asked = (await said_until(working, accepted["runId"], frozenset({"choice"})))[-1]
    path = f"/api/runs/{accepted['runId']}/answer"
    body = {"callId": str(asked["callId"]), "answer": {"kind": "choice", "choiceId": "2"}}
    for stranger, status in (("rita", 403), ("olaf", 404), ("zoe", 404), (None, 401)):
        assert (await working.call(stranger, "POST", path, body)).status_code == status, stranger
    for wrong in ({"kind": "choice", "choiceId": "9"}, {"kind": "confirmation", "accepted": True}):
        assert (await working.call("bob", "POST", path, {**body, "answer": wrong})).status_code == 422
    both = await asyncio.gather(*(working.call("bob", "POST", path, body) for _ in range(2)))
    assert sorted(answer.status_code for answer in both) == [200, 409]
    assert next(answer.json()["code"] for answer in both if answer.status_code == 409) == "pauseConsumed"
    said = await finished(working, accepted["runId"])
    assert said[-1]["state"] == "completed"
    assert "blue" in results(said)[0]["message"] + json.dumps(results(said)[0]["data"])
    assert (await working.call("bob", "POST", path, body)).status_code == 409


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"prompt": "x" * 2_000_000}, 413, "tooLarge"),
        ({"prompt": "x" * 600_000}, 422, "invalidInput"),
        ({"prompt": ""}, 422, "invalidInput"),
        ({"prompt": "a\x00b"}, 422, "invalidInput"),
        ({"prompt": "hello", "workflowId": str(some_id())}, 404, "notFound"),
        ({"prompt": "hello", "model": "no slash"}, 422, "invalidInput"),
        ({"prompt": "hello", "agent": "unknown"}, 422, "invalidInput"),
        ({"prompt": "hello", "agentConfig": {"maxRounds": 10_000}}, 422, "invalidInput"),
        ({"prompt": "hello", "fileIds": [str(some_id())]}, 404, "notFound"),
    ],
    ids=["2 MB", "too long", "empty", "NUL", "conversation", "no model", "no such field", "rounds", "file"],
)
async def test_input_that_cannot_be_is_refused_and_leaves_nothing(
    world: World, body: dict[str, Any], status: int, code: str
) -> None:
    base = f"/api/workspace/{world.instances['lab'].id}"
    answer = await world.call("bob", "POST", f"{base}/input", body)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert (await world.call("bob", "GET", f"{base}/conversations")).json()["total"] == 0


async def test_a_model_nobody_knows_is_named(working: World, provider: ScriptedProvider) -> None:
    accepted = await ask(working, "hello", model="nobody/knows-it")
    said = await finished(working, accepted["runId"])
    assert (said[-1]["type"], said[-1]["code"]) == ("error", "modelUnknown")
    assert "nobody/knows-it" in said[-1]["message"]
    assert provider.requests == []


@pytest.mark.requirement("A12")
@pytest.mark.parametrize("hours", [-30, 30])
async def test_a_worker_whose_clock_is_hours_off_answers_all_the_same(
    working: World, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    """It jumps in the middle of a run; leases are on the database's clock."""
    accepted = await ask(working, 'askUser {"question": "Go on?"}')
    asked = (await said_until(working, accepted["runId"], frozenset({"choice"})))[-1]

    class Jumped:
        @staticmethod
        def now(_: Any) -> datetime:
            return datetime.now(UTC) + timedelta(hours=hours)

    body = {"callId": str(asked["callId"]), "answer": {"kind": "question", "text": "yes"}}
    answer = await working.call("bob", "POST", f"/api/runs/{accepted['runId']}/answer", body)
    assert answer.status_code == 200
    monkeypatch.setattr(clock, "datetime", Jumped)
    assert abs(clock.now() - datetime.now(UTC)) > timedelta(hours=20)
    said = await finished(working, accepted["runId"])
    assert said[-1]["state"] == "completed"
    summary = next(event for event in said if event["type"] == "agentSummary")
    assert summary["durationMs"] >= 0
