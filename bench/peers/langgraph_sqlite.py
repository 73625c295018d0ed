"""LangGraph's agent with its SQLite saver: every step is stored before the next, as ours is. Its notes are a list."""

# Checked where the peer is not installed.
# mypy: disable-error-code="import-not-found,untyped-decorator,misc"
from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.prebuilt import create_react_agent

from bench.peers.measured import measure
from bench.peers.script import ROUNDS, title_of

notes: list[str] = []


@tool
async def list_notes(query: str = "", limit: int = 20) -> list[str]:
    """List the notes of this workspace, newest first; `query` keeps those that contain it."""
    return [note for note in notes if query in note][:limit]


@tool
async def write_note(title: str, text: str) -> str:
    """Write a note into this workspace, where its members will find it again."""
    notes.append(title)
    return title


class Scripted(BaseChatModel):
    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        number = sum(isinstance(message, AIMessage) for message in messages)
        return ChatResult(generations=[ChatGeneration(message=_said(str(messages[0].content), number))])

    async def _agenerate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        return self._generate(messages)


def _said(diary: str, number: int) -> AIMessage:
    if number == ROUNDS - 1:
        return AIMessage("The diary is written.")
    title = title_of(diary, number)
    asked = [
        {"name": "list_notes", "args": {"query": title, "limit": 5}, "id": f"read-{number}"},
        {"name": "write_note", "args": {"title": title, "text": "Something happened."}, "id": f"write-{number}"},
    ]
    return AIMessage("", tool_calls=asked)


async def main(path: Path) -> None:
    async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
        agent = create_react_agent(Scripted(), [list_notes, write_note], checkpointer=saver)

        async def run(diary: str) -> int:
            config = {"configurable": {"thread_id": diary}, "recursion_limit": 10 * ROUNDS}
            said = await agent.ainvoke({"messages": [HumanMessage(diary)]}, config, durability="sync")
            if sum(isinstance(message, ToolMessage) for message in said["messages"]) != 2 * (ROUNDS - 1):
                raise RuntimeError("not every call was carried out")
            return sum(isinstance(message, AIMessage) for message in said["messages"])

        await measure(run)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(main(Path(folder) / "checkpoints.db"))
