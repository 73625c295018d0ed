"""The scripted provider itself: whole answers, behaviours, and the server as a process of its own."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator

import pytest

from tests.models.asking import MAKERS, heard, message, user
from workroom.core.messages import CallPart, Message, ResultPart, Role
from workroom.core.results import ToolResult
from workroom.core.tokens import Usage
from workroom.models.ports import Model, ModelFailed, ModelRequest, ToolSchema
from workroom.models.testing import Call, Reply, ScriptedProvider, flaky, writer
from workroom.net import GuardedClient, Origin

TOOLS = [ToolSchema("notes.save", "Save.", {"type": "object"}), ToolSchema("find", "Find.", {"type": "object"})]
ORDERS = """Please do this:
notes.save {"title": "one"}
notes.save {"title": "two"}
+ find {"query": "one"}"""


async def conversation(model: Model, text: str) -> tuple[list[list[str]], str]:
    """Carry out whatever the model asks for until it answers in text: the tools of each round, and the answer."""
    messages: list[Message] = [user(text)]
    rounds: list[list[str]] = []
    while True:
        _, answer = await heard(model, ModelRequest("", messages, TOOLS))
        said = message(Role.ASSISTANT, *answer.parts)
        if not said.calls:
            return rounds, said.text
        rounds.append([f"{call.tool} {json.dumps(call.arguments)}" for call in said.calls])
        messages += [said, message(Role.TOOL, *(_result(call) for call in said.calls))]


def _result(call: CallPart) -> ResultPart:
    return ResultPart(call_id=call.call_id, tool=call.tool, result=ToolResult(message=f"did {call.arguments}"))


@pytest.fixture(params=sorted(MAKERS))
def model(request: pytest.FixtureRequest, provider: ScriptedProvider, client: GuardedClient) -> Model:
    """The same script for every API."""
    return MAKERS[request.param](provider.root_url, "scripted", "", client)


async def test_the_writer_does_what_the_user_says(provider: ScriptedProvider, model: Model) -> None:
    provider.behaviour = writer
    rounds, text = await conversation(model, ORDERS)
    assert rounds == [
        ['notes.save {"title": "one"}'],
        ['notes.save {"title": "two"}', 'find {"query": "one"}'],
    ]
    assert text == "Done, with 3 results. The last one: did {'query': 'one'}"
    assert await conversation(model, "Hello") == ([], "You said: Hello")
    assert provider.requests[0].tools == ["notes__save", "find"]
    assert provider.requests[0].model == "scripted"


async def test_a_flaky_provider_fails_every_other_time(provider: ScriptedProvider, model: Model) -> None:
    provider.behaviour = flaky()
    asked = ModelRequest("", [user("Hello")])
    for _ in range(5):
        with pytest.raises(ModelFailed) as caught:
            await heard(model, asked)
        assert caught.value.again
        _, answer = await heard(model, asked)
        assert answer.parts


async def test_a_script_that_is_over_says_so(model: Model) -> None:
    with pytest.raises(ModelFailed, match="The script is over"):
        await heard(model, ModelRequest("", [user("Hello")]))


WHOLE = {
    "/v1/chat/completions": {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "finish_reason": "tool_calls",
                "logprobs": None,
                "message": {
                    "role": "assistant",
                    "content": "Hello",
                    "refusal": None,
                    "reasoning_content": "Hm.",
                    "tool_calls": [
                        {"id": "c", "type": "function", "function": {"name": "find", "arguments": '{"query": "x"}'}}
                    ],
                },
            }
        ],
        "usage": {
            "prompt_tokens": 9,
            "completion_tokens": 5,
            "total_tokens": 14,
            "prompt_tokens_details": {"cached_tokens": 4},
        },
    },
    "/v1/messages": {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "content": [
            {"type": "thinking", "thinking": "Hm.", "signature": "c2lnbmVk"},
            {"type": "text", "text": "Hello"},
            {"type": "tool_use", "id": "c", "name": "find", "input": {"query": "x"}},
        ],
        "usage": {
            "input_tokens": 5,
            "output_tokens": 5,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 4,
        },
    },
    "/v1beta/models/m:generateContent": {
        "responseId": "scripted",
        "modelVersion": "m",
        "candidates": [
            {
                "index": 0,
                "finishReason": "STOP",
                "content": {
                    "role": "model",
                    "parts": [
                        {"text": "Hm.", "thought": True},
                        {"text": "Hello", "thoughtSignature": "c2lnbmVk"},
                        {"functionCall": {"id": "c", "name": "find", "args": {"query": "x"}}},
                    ],
                },
            }
        ],
        "usageMetadata": {
            "promptTokenCount": 9,
            "candidatesTokenCount": 5,
            "totalTokenCount": 14,
            "cachedContentTokenCount": 4,
        },
    },
}


@pytest.mark.parametrize("path", WHOLE)
async def test_whole_answers_for_who_does_not_stream(
    provider: ScriptedProvider, client: GuardedClient, path: str
) -> None:
    call = Call("find", {"query": "x"}, id="c")
    provider.script.append(Reply("Hello", [call], reasoning="Hm.", usage=Usage(9, 5, 4)))
    answer = await client.request("POST", f"{provider.root_url}{path}", json={"model": "m"})
    assert answer.json() == WHOLE[path]


async def test_other_addresses(provider: ScriptedProvider, client: GuardedClient) -> None:
    models = (await client.request("GET", f"{provider.base_url}/models")).json()
    assert [model["id"] for model in models["data"]] == ["scripted"]
    googles = (await client.request("GET", f"{provider.root_url}/v1beta/models")).json()
    assert [model["name"] for model in googles["models"]] == ["models/scripted"]
    assert (await client.request("GET", f"{provider.origin}/elsewhere")).status == 404
    assert (await client.request("POST", f"{provider.origin}/elsewhere", json={"model": "m"})).status == 404


@pytest.fixture
async def process() -> AsyncIterator[str]:
    """The base URL of a provider in a process of its own."""
    started = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "workroom.models.testing.scripted",
        "--behaviour",
        "writer",
        stdout=asyncio.subprocess.PIPE,
    )
    assert started.stdout is not None
    try:
        yield (await asyncio.wait_for(started.stdout.readline(), 60)).decode().strip()
    finally:
        started.terminate()
        await started.wait()


async def test_as_a_process_of_its_own(process: str) -> None:
    root = process.removesuffix("/v1")
    client = GuardedClient(allowed_private=frozenset({Origin.parse(root)}))
    for make in MAKERS.values():
        rounds, text = await conversation(make(root, "m", "", client), ORDERS)
        assert (len(rounds), text.split(".")[0]) == (2, "Done, with 3 results")
    recorded = (await client.request("GET", f"{root}/requests")).json()
    assert len({asked["path"] for asked in recorded}) == 3
    assert len(recorded) == 9
    await client.aclose()
