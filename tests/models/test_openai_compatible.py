"""OpenAI's API and what imitates it, in what they do not share with other providers."""

from __future__ import annotations

import json
from uuid import UUID

import pytest

from tests.models.asking import KEY, TOOL, Ask, heard, known, message, request, user
from workroom.core.messages import CallPart, ResultPart, Role, TextPart
from workroom.core.results import ToolResult
from workroom.core.tokens import Usage
from workroom.models.ports import Forcing, ModelRequest
from workroom.models.providers.instructions import CALL_A_TOOL
from workroom.models.providers.openai_compatible import OpenAiCompatibleModel
from workroom.models.testing import Call, Reply, ScriptedProvider, Status
from workroom.net import GuardedClient
from workroom.net.testing import ScriptedInternet

CALL = UUID("01900000-0000-7000-8000-000000000001")


async def test_what_is_attached_to_a_call_goes_back_with_it(ask: Ask, provider: ScriptedProvider) -> None:
    signature = {"google": {"thought_signature": "c2lnbmVk"}}
    _, answer = await ask(Reply(calls=[Call("notes__read", {"id": 1}, extra=signature)]))
    call = answer.parts[-1]
    assert isinstance(call, CallPart)
    result = ResultPart(call_id=call.call_id, tool=call.tool, result=ToolResult(message="ok"))
    await ask(Reply("Done."), request(user("Read"), message(Role.ASSISTANT, *answer.parts), message(Role.TOOL, result)))
    sent = provider.requests[1].messages[-2]["tool_calls"]
    assert [(item["id"], item["extra_content"]) for item in sent] == [(str(call.call_id), signature)]


async def test_a_model_that_cannot_be_forced_is_told_in_words(
    provider: ScriptedProvider, client: GuardedClient
) -> None:
    provider.script += [Reply(calls=[Call("notes__read", {"id": 1})])] * 2
    forced = ModelRequest("", [user("Read it.")], [TOOL], Forcing.ANY)
    await heard(OpenAiCompatibleModel(known("Qwen/Qwen3-8B"), provider.base_url, "", client), forced)
    await heard(OpenAiCompatibleModel(known("llama3.3"), provider.base_url, "", client), forced)
    told, made_to = (asked.body for asked in provider.requests)
    assert (told["tool_choice"], told["messages"][-1]["content"]) == ("auto", f"Read it.\n\n{CALL_A_TOOL}")
    assert (made_to["tool_choice"], made_to["messages"][-1]["content"]) == ("required", "Read it.")


async def test_a_model_with_a_taste_in_call_ids_gets_its_way(provider: ScriptedProvider, client: GuardedClient) -> None:
    call = CallPart(call_id=CALL, tool="notes.read", arguments={"id": 1})
    result = ResultPart(call_id=CALL, tool="notes.read", result=ToolResult(message="a note"))
    provider.script.append(Reply("Fine."))
    history = request(user("Read it."), message(Role.ASSISTANT, call), message(Role.TOOL, result))
    await heard(OpenAiCompatibleModel(known("mistral-small"), provider.base_url, "", client), history)
    asked, answered = provider.requests[0].messages[-2:]
    assert len(answered["tool_call_id"]) == 9
    assert asked["tool_calls"][0]["id"] == answered["tool_call_id"]


async def test_openai_itself_gets_its_own_dialect(provider: ScriptedProvider) -> None:
    """Its reasoning models refuse a temperature, and the limit has another name there."""
    internet = ScriptedInternet()
    internet.resolver.answer("api.openai.com", ["93.184.216.34"])
    internet.connector.route("93.184.216.34", 80, to=provider.origin.port)
    model = OpenAiCompatibleModel(known("gpt-5"), "http://api.openai.com/v1", KEY, internet.client())
    provider.script.append(Reply("Fine."))
    await heard(model, ModelRequest("Be brief.", [user("Hello")], temperature=0.7, max_output_tokens=9))
    await internet.aclose()
    body = provider.requests[0].body
    assert body["max_completion_tokens"] == 9
    assert not {"max_tokens", "temperature"} & set(body)


async def test_a_key_is_not_needed(provider: ScriptedProvider, client: GuardedClient) -> None:
    provider.script.append(Reply("Hello"))
    _, answer = await heard(OpenAiCompatibleModel(known("local"), provider.base_url, "", client), request())
    assert answer.parts == [TextPart(text="Hello")]
    assert provider.requests[0].headers["authorization"] == "Bearer none"


OPTIONAL = ("created", "id", "object", "model", "index", "finish_reason")


@pytest.mark.requirement("C1")
@pytest.mark.parametrize("missing", [*((name,) for name in OPTIONAL), OPTIONAL], ids=" ".join)
async def test_a_server_that_leaves_out_optional_fields_is_understood(ask: Ask, missing: tuple[str, ...]) -> None:
    calls = [Call("notes__read", {"id": 1}), Call("notes__read", {"id": 2})]
    reply = Reply("Reading them.", calls, reasoning="Two of them.", usage=None, leaves_out=missing)
    deltas, answer = await ask(reply)
    assert "".join(deltas) == "Reading them."
    assert [part.arguments for part in answer.parts if isinstance(part, CallPart)] == [{"id": 1}, {"id": 2}]
    assert (answer.usage, answer.model) == (Usage(), "scripted")


@pytest.mark.parametrize("status", [400, 422])
async def test_a_server_that_refuses_thoughts_gets_none_from_then_on(
    ask: Ask, provider: ScriptedProvider, status: int
) -> None:
    _, answer = await ask(Reply(calls=[Call("notes__read", {"id": 1})], reasoning="Because."))
    call = answer.parts[-1]
    assert isinstance(call, CallPart)
    result = ResultPart(call_id=call.call_id, tool=call.tool, result=ToolResult(message="ok"))
    history = request(user("Read"), message(Role.ASSISTANT, *answer.parts), message(Role.TOOL, result))
    provider.script.append(Status(status, "messages.1.reasoning_content: Extra inputs are not permitted"))
    await ask(Reply("Done."), history)
    await ask(Reply("Done."), history)
    sent = ["Because." in json.dumps(asked.body) for asked in provider.requests]
    assert sent == [False, True, False, False]
