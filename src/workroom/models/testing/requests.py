"""What a scripted provider was asked, with the questions that assertions and behaviours put to it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workroom.core.results import FROM_OUTSIDE
from workroom.models.testing.dialects import Dialect, Kind, spoken

_MATERIAL = re.compile(rf"(?:{re.escape(FROM_OUTSIDE)}\s*)?<material\b.*?</material>|\[Attached: [^\]]*\]", re.DOTALL)


@dataclass(frozen=True)
class ReceivedRequest:
    method: str
    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: Mapping[str, Any]

    @property
    def dialect(self) -> Dialect:
        return spoken(self.path, self.body)

    @property
    def messages(self) -> Sequence[Mapping[str, Any]]:
        """As they came, in the words of the API."""
        return list(self.body.get("messages") or self.body.get("contents") or ())

    @property
    def model(self) -> str:
        return self.dialect.model_of(self.path, self.body) or ""

    @property
    def streams(self) -> bool:
        return self.dialect.streams(self.path, self.body)

    @property
    def tools(self) -> list[str]:
        return self.dialect.tools(self.body)

    @property
    def last_user_text(self) -> str:
        """What the user said last, images left out."""
        said = [heard.text for heard in self.dialect.heard(self.body) if heard.kind is Kind.USER]
        return said[-1] if said else ""

    @property
    def question(self) -> str:
        """That, without what was read or found for it and put before the model with it."""
        return _MATERIAL.sub("", self.last_user_text).strip()

    @property
    def results(self) -> list[str]:
        """The tool results since then, in order."""
        since: list[str] = []
        for heard in self.dialect.heard(self.body):
            since = [*since, heard.text] if heard.kind is Kind.RESULT else []
        return since


async def read(stream: asyncio.StreamReader) -> ReceivedRequest | None:
    """One HTTP request, or nothing if the client left before it was whole."""
    try:
        head = await stream.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").strip().split("\r\n")
        method, target, _ = first.split(" ")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await stream.readexactly(int(headers.get("content-length", "0")))
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    return ReceivedRequest(method, target.partition("?")[0], headers, json.loads(body) if body else {})
