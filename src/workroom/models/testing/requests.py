"""What a scripted provider was asked, with the questions that assertions and behaviours put to it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: Mapping[str, Any]

    @property
    def messages(self) -> Sequence[Mapping[str, Any]]:
        return list(self.body.get("messages", ()))

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def tools(self) -> list[str]:
        return [tool["function"]["name"] for tool in self.body.get("tools", ())]

    @property
    def last_user_text(self) -> str:
        """What the user said last, images left out."""
        content = next((message["content"] for message in reversed(self.messages) if message["role"] == "user"), "")
        if isinstance(content, str):
            return content
        return "\n".join(part["text"] for part in content if part["type"] == "text")

    @property
    def results(self) -> list[str]:
        """The tool results since then, in order."""
        since: list[str] = []
        for message in self.messages:
            if message["role"] == "user":
                since = []
            elif message["role"] == "tool":
                since.append(str(message["content"]))
        return since


async def read(stream: asyncio.StreamReader) -> Asked | None:
    """One HTTP request, or nothing if the client left before it was whole."""
    try:
        head = await stream.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").strip().split("\r\n")
        method, target, _ = first.split(" ")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await stream.readexactly(int(headers.get("content-length", "0")))
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    return Asked(method, target.partition("?")[0], headers, json.loads(body) if body else {})
