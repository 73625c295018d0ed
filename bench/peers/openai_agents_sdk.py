"""The OpenAI Agents SDK, without any session store and without tracing. Its notes are a list."""

# Checked where the peer is not installed.
# mypy: disable-error-code="import-not-found,untyped-decorator,misc"
from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from agents import Agent, Model, ModelResponse, Runner, Usage, function_tool, set_tracing_disabled
from bench.peers.measured import measure
from bench.peers.script import ROUNDS, title_of

notes: list[str] = []


@function_tool
async def list_notes(query: str, limit: int) -> list[str]:
    """List the notes of this workspace, newest first; `query` keeps those that contain it."""
    return [note for note in notes if query in note][:limit]


@function_tool
async def write_note(title: str, text: str) -> str:
    """Write a note into this workspace, where its members will find it again."""
    notes.append(title)
    return title


class Scripted(Model):
    async def get_response(self, system_instructions: str | None, input: Any, *_: Any, **__: Any) -> ModelResponse:
        number = sum(item.get("type") == "function_call_output" for item in input) // 2
        return ModelResponse(output=_said(input[0]["content"], number), usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


def _said(diary: str, number: int) -> list[Any]:
    if number == ROUNDS - 1:
        text = ResponseOutputText(text="The diary is written.", type="output_text", annotations=[])
        return [
            ResponseOutputMessage(id="m", role="assistant", status="completed", type="message", content=[text]),
        ]
    title = title_of(diary, number)
    asked: dict[str, dict[str, Any]] = {
        "list_notes": {"query": title, "limit": 5},
        "write_note": {"title": title, "text": "Something happened."},
    }
    return [
        ResponseFunctionToolCall(
            call_id=f"{name}-{number}", name=name, arguments=json.dumps(arguments), type="function_call"
        )
        for name, arguments in asked.items()
    ]


async def main() -> None:
    set_tracing_disabled(True)
    agent = Agent(name="Diary", model=Scripted(), tools=[list_notes, write_note])

    async def run(diary: str) -> int:
        result = await Runner.run(agent, diary, max_turns=2 * ROUNDS)
        return len(result.raw_responses)

    await measure(run)


if __name__ == "__main__":
    asyncio.run(main())
