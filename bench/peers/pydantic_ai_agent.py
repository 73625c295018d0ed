"""pydantic-ai's Agent, without any store. Its notes are a list."""

from __future__ import annotations

import asyncio

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, ToolCallPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from bench.peers.measured import measure
from bench.peers.script import ROUNDS, title_of

notes: list[str] = []


async def list_notes(query: str = "", limit: int = 20) -> list[str]:
    """List the notes of this workspace, newest first; `query` keeps those that contain it."""
    return [note for note in notes if query in note][:limit]


async def write_note(title: str, text: str) -> str:
    """Write a note into this workspace, where its members will find it again."""
    notes.append(title)
    return title


async def said(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
    number = sum(isinstance(message, ModelResponse) for message in messages)
    if number == ROUNDS - 1:
        return ModelResponse(parts=[TextPart("The diary is written.")])
    title = title_of(_diary(messages[0]), number)
    return ModelResponse(
        parts=[
            ToolCallPart("list_notes", {"query": title, "limit": 5}, f"read-{number}"),
            ToolCallPart("write_note", {"title": title, "text": "Something happened."}, f"write-{number}"),
        ]
    )


def _diary(first: ModelMessage) -> str:
    assert isinstance(first, ModelRequest)
    return next(str(part.content) for part in first.parts if isinstance(part, UserPromptPart))


async def main() -> None:
    agent = Agent(FunctionModel(said), tools=[list_notes, write_note])

    async def run(diary: str) -> int:
        result = await agent.run(diary)
        return sum(isinstance(message, ModelResponse) for message in result.all_messages())

    await measure(run)


if __name__ == "__main__":
    asyncio.run(main())
