"""What a scripted provider can be told to say: an answer, or one of the ways in which providers fail."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from workroom.core.tokens import Usage
from workroom.models.testing.ranks import Ranks
from workroom.models.testing.vectors import Vectors


@dataclass(frozen=True)
class Call:
    """Arguments given as text go out as they are, broken or not."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)
    id: str | None = None
    extra: Mapping[str, Any] | None = None
    """What some providers want to see again with the call (OpenAI's `extra_content`, fields of Google's part)."""

    @property
    def written(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


@dataclass(frozen=True)
class Reply:
    text: str = ""
    calls: Sequence[Call] = ()
    reasoning: str = ""
    refusal: str = ""
    usage: Usage | None = field(default_factory=lambda: Usage(input_tokens=10, output_tokens=5))
    """`None` for providers that do not report it."""
    chunk: int = 6
    """Characters per piece of a stream."""
    finish: str | None = None
    """In OpenAI's words, whatever the API; `stop` or `tool_calls` if not given."""
    model: str | None = None
    """The name the provider calls itself by; the one it was asked for if not given."""
    leaves_out: Sequence[str] = ()
    """Fields that a server like OpenAI's does not send: `created`, `id`, `object`, `model`, `index`, `finish_reason`."""

    @property
    def ending(self) -> str:
        return self.finish or ("tool_calls" if self.calls else "stop")


@dataclass(frozen=True)
class Status:
    """An HTTP error instead of an answer. `code` is what the API calls a code, a type or a reason."""

    status: int
    message: str = "scripted"
    code: str | None = None
    retry_after: str | int | None = None

    def headers(self) -> dict[str, str]:
        return {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}


@dataclass(frozen=True)
class Cut:
    """The stream breaks off after so many pieces: `dropped` with the connection, or politely `ended`."""

    reply: Reply
    after: int = 1
    how: Literal["dropped", "ended"] = "dropped"


@dataclass(frozen=True)
class Garbage:
    """After so many pieces, a line that is none."""

    reply: Reply
    after: int = 1
    line: str = 'data: {"choices": [{"del'


@dataclass(frozen=True)
class Drip:
    """So many pieces, then silence until `gate` is set, then the rest."""

    reply: Reply
    gate: asyncio.Event
    after: int = 1


@dataclass(frozen=True)
class Nothing:
    """No answer: the line stays open in silence until the client leaves, or is `dropped` at once."""

    dropped: bool = False


ScriptedAnswer = Reply | Vectors | Ranks | Status | Cut | Garbage | Drip | Nothing
