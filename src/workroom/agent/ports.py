"""What the loop needs from outside: a memory that survives anything, and a voice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from workroom.agent.tool import ToolContext
from workroom.core.messages import CallPart, Message
from workroom.core.results import ToolResult
from workroom.core.run_events import RunEvent
from workroom.core.tokens import Usage
from workroom.models.ports import Forcing


class Signal(Exception):
    """Something the loop expects, that is not an error: it ends the loop's turn."""


class LeaseLost(Signal):
    """Somebody else has the run now. Whatever was being done is not ours to finish."""


class CallState(StrEnum):
    ASKED = "asked"
    STARTED = "started"  # only for calls that reach outside: something may have happened already


@dataclass(frozen=True)
class OpenCall:
    """A call without a result yet, with what is known of it."""

    part: CallPart
    state: CallState = CallState.ASKED


@dataclass(frozen=True)
class AgentSpec:
    """An agent is data: who it is, what it may use, how far it may go."""

    instructions: str
    tool_sets: frozenset[str] = frozenset({"core"})
    tool_names: frozenset[str] = frozenset()
    forcing: Forcing = Forcing.AUTO
    temperature: float = 0.7
    max_rounds: int = 25


@dataclass
class Progress:
    """Where a run stands, read from what is stored: starting and going on after a crash are the same thing."""

    messages: list[Message]
    open_calls: list[OpenCall] = field(default_factory=list)
    rounds: int = 0
    attempts: int = 0
    usage: Usage = field(default_factory=Usage)


class Journal(Protocol):
    """The run's memory: what it stores it also tells, in the same transaction. LeaseLost when the run is not ours any more."""

    async def attempt_began(self) -> int:
        """A model call begins; answers its number. Text of earlier attempts is void from here on."""
        ...

    async def answered(self, message: Message, usage: Usage) -> None:
        """The model's answer, its calls and what it used."""
        ...

    async def call_started(self, call: CallPart) -> None: ...

    async def call_finished(self, call: CallPart, result: ToolResult, duration_ms: int) -> None: ...

    def context(self, call: CallPart) -> CallContext: ...


class CallContext(ToolContext, Protocol):
    """A tool's context, as the loop sees it. `commit` stores and tells like `call_finished`."""

    @property
    def committed(self) -> ToolResult | None:
        """The result, if the tool stored it together with its effect."""
        ...


Emit = Callable[[RunEvent], None]
NewId = Callable[[], UUID]
