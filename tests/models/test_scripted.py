"""The scripted provider itself: whole answers, behaviours, and the server as a process of its own."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.models.asking import heard, known, message, user
from workroom.core.messages import CallPart, Message, ResultPart, Role
from workroom.core.results import ToolResult
from workroom.models.ports import ModelFailed, ModelRequest, ToolSchema
from workroom.models.providers.openai_compatible import OpenAiCompatibleModel
from workroom.models.testing import Call, Reply, ScriptedProvider, flaky, writer
from workroom.net import GuardedClient, Origin

TOOLS = [ToolSchema("notes.save", "Save.", {"type": "object"}), ToolSchema("find", "Find.", {"type": "object"})]
ORDERS = """Please do this:
notes.save {"title": "one"}
notes.save {"title": "two"}
+ find {"query": "one"}"""


async def conversation(model: OpenAiCompatibleModel, text: str) -> tuple[list[list[str]], str]:
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


async def test_the_writer_does_what_the_user_says(provider: ScriptedProvider, model: OpenAiCompatibleModel) -> None:
    provider.behaviour = writer
    rounds, text = await conversation(model, ORDERS)
    assert rounds == [
        ['notes.save {"title": "one"}'],
        ['notes.save {"title": "two"}', 'find {"query": "one"}'],
    ]
    assert text == "Done, with 3 results. The last one: did {'query': 'one'}"
    assert await conversation(model, "Hello") == ([], "You said: Hello")


async def test_a_flaky_provider_fails_every_other_time(
    provider: ScriptedProvider, model: OpenAiCompatibleModel
) -> None:
    provider.behaviour = flaky()
    asked = ModelRequest("", [user("Hello")])
    for _ in range(5):
        with pytest.raises(ModelFailed) as caught:
            await heard(model, asked)
        assert caught.value.again
        _, answer = await heard(model, asked)
        assert answer.parts


async def test_a_script_that_is_over_says_so(model: OpenAiCompatibleModel) -> None:
    with pytest.raises(ModelFailed, match="The script is over"):
        await heard(model, ModelRequest("", [user("Hello")]))


async def test_whole_answers_for_who_does_not_stream(provider: ScriptedProvider, client: GuardedClient) -> None:
    provider.script.append(Reply("Hello", [Call("find", {"query": "x"})], reasoning="Hm."))
    answer = await client.request("POST", f"{provider.base_url}/chat/completions", json={"model": "m", "messages": []})
    whole: dict[str, Any] = answer.json()
    assert whole["choices"][0]["finish_reason"] == "tool_calls"
    assert whole["choices"][0]["message"] == {
        "role": "assistant",
        "content": "Hello",
        "refusal": None,
        "reasoning_content": "Hm.",
        "tool_calls": [
            {"id": "call_0", "type": "function", "function": {"name": "find", "arguments": '{"query": "x"}'}}
        ],
    }
    assert whole["usage"]["total_tokens"] == 15


async def test_other_addresses(provider: ScriptedProvider, client: GuardedClient) -> None:
    models = (await client.request("GET", f"{provider.base_url}/models")).json()
    assert [model["id"] for model in models["data"]] == ["scripted"]
    assert (await client.request("GET", f"{provider.origin}/elsewhere")).status == 404


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
        yield (await asyncio.wait_for(started.stdout.readline(), 30)).decode().strip()
    finally:
        started.terminate()
        await started.wait()


async def test_as_a_process_of_its_own(process: str) -> None:
    origin = Origin.parse(process.removesuffix("/v1"))
    client = GuardedClient(allowed_private=frozenset({origin}))
    rounds, text = await conversation(OpenAiCompatibleModel(known("m"), process, "", client), ORDERS)
    assert (len(rounds), text.split(".")[0]) == (2, "Done, with 3 results")
    recorded = (await client.request("GET", f"{origin}/requests")).json()
    assert [len(asked["body"]["messages"]) for asked in recorded] == [1, 3, 6]
    await client.aclose()
