"""Values of runs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from workroom.agent.ports import AgentSpec
from workroom.core.run_events import RunEvent, RunState


@dataclass(frozen=True)
class RunKey:
    """A run is found by its mandate and its id; this is all a doorbell says."""

    mandate_id: UUID
    run_id: UUID

    def encode(self) -> bytes:
        return f"{self.mandate_id}:{self.run_id}".encode()

    @classmethod
    def decode(cls, payload: bytes) -> RunKey:
        mandate_id, run_id = payload.decode().split(":")
        return cls(UUID(mandate_id), UUID(run_id))


@dataclass(frozen=True)
class Hint:
    """What a notification about events says: which run, whose, and which numbers are new."""

    key: RunKey
    owner: UUID
    first: int
    last: int

    def encode(self) -> str:
        return f"{self.key.run_id}:{self.first}-{self.last}:{self.key.mandate_id}:{self.owner}"

    @classmethod
    def decode(cls, text: str) -> Hint:
        run_id, numbers, mandate_id, owner = text.split(":")
        first, _, last = numbers.partition("-")
        return cls(RunKey(UUID(mandate_id), UUID(run_id)), UUID(owner), int(first), int(last))


@dataclass(frozen=True)
class Claim:
    """Whoever holds this may write, as long as nobody has a higher epoch."""

    key: RunKey
    epoch: int
    conversation_id: UUID
    instance_id: UUID
    user_id: UUID
    last_message_id: UUID
    agent: AgentSpec
    rounds: int
    attempts: int


@dataclass(frozen=True)
class Run:
    id: UUID
    conversation_id: UUID
    instance_id: UUID
    user_id: UUID
    message_id: UUID
    state: RunState
    rounds: int
    tool_calls: int
    input_tokens: int
    output_tokens: int
    error: str | None
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


@dataclass(frozen=True)
class StoredEvent:
    run_id: UUID
    seq: int
    attempt: int
    event: RunEvent

    @property
    def id(self) -> str:
        return f"{self.run_id}:{self.attempt}.{self.seq}"
