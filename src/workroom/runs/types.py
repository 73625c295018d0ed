"""Values of runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from uuid import UUID

from workroom.agent.ports import AgentSpec, Ending
from workroom.core.money import ZERO
from workroom.core.run_events import RUN_EVENT, RunEvent, RunState, Summarised


@dataclass(frozen=True)
class RunKey:
    """A run is found by its mandate and its id."""

    mandate_id: UUID
    run_id: UUID


@dataclass(frozen=True)
class EventNotification:
    """What a notification about events says: which run, whose, and which numbers are new."""

    key: RunKey
    owner: UUID
    first: int
    last: int

    def encode(self) -> str:
        return f"{self.key.run_id}:{self.first}-{self.last}:{self.key.mandate_id}:{self.owner}"

    @classmethod
    def decode(cls, text: str) -> EventNotification:
        run_id, numbers, mandate_id, owner = text.split(":")
        first, _, last = numbers.partition("-")
        return cls(RunKey(UUID(mandate_id), UUID(run_id)), UUID(owner), int(first), int(last))


AttemptEvents = list[tuple[int, RunEvent]]  # events, each with the attempt it belongs to


@dataclass(frozen=True)
class Fence:
    """Proof of a lease: writes count as long as the run has this epoch."""

    key: RunKey
    epoch: int


@dataclass(frozen=True)
class Claim:
    """A run that this worker has taken, as it was stored at that moment."""

    key: RunKey
    epoch: int
    conversation_id: UUID
    instance_id: UUID
    user_id: UUID
    message_id: UUID
    last_message_id: UUID
    agent: AgentSpec
    rounds: int
    attempts: int
    ending: Ending | None
    stop_requested: bool
    switch_seq: int = 0  # the newest entry of the conversation's `agentHistory` when the run was asked for

    @property
    def fence(self) -> Fence:
        return Fence(self.key, self.epoch)

    @property
    def mandate_id(self) -> UUID:
        return self.key.mandate_id

    @property
    def owner_id(self) -> UUID:
        return self.user_id


@dataclass(frozen=True)
class QueuedRun:
    """A run that waits for a slot, and its place in the queue of its organisation, from 1."""

    key: RunKey
    epoch: int
    attempt: int
    state: RunState
    place: int


@dataclass(frozen=True)
class Speaker:
    """The agent that answered in a run, and how many switches had been made by then."""

    agent_id: UUID | None
    name: str
    switch_seq: int


@dataclass(frozen=True)
class Run:
    id: UUID
    conversation_id: UUID
    instance_id: UUID
    user_id: UUID
    message_id: UUID
    state: RunState
    created_at: datetime
    rounds: int = 0
    tool_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_chf: Decimal = ZERO
    cost_assumed: bool = False
    model: str = ""
    ending: str | None = None
    error: str | None = None
    error_code: str | None = None
    error_details: Mapping[str, str] = field(default_factory=dict)
    started_at: datetime | None = None
    ended_at: datetime | None = None
    switch_seq: int = 0
    agent_id: UUID | None = None  # None: from before agents had ids
    agent_name: str = ""
    place: int | None = None  # in the queue, as long as it waits for a slot

    def summary(self, state: RunState, now: datetime) -> Summarised:
        """The event that ends it."""
        seconds = (now - (self.started_at or self.created_at)).total_seconds()
        return Summarised(
            state=state,
            rounds=self.rounds,
            tool_calls=self.tool_calls,
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            cost_chf=self.cost_chf,
            cost_assumed=self.cost_assumed,
            model=self.model,
            reason=self.ending or "",
            duration_ms=max(0, round(seconds * 1000)),
        )


@dataclass(frozen=True)
class RecentResult:
    """A recent result of a tool, by its first words. `at`: when the tool was called."""

    call_id: UUID
    tool: str
    label: str
    at: datetime
    untrusted: bool


@dataclass(frozen=True)
class StoredEvent:
    run_id: UUID
    seq: int
    attempt: int
    json: str
    """The event as it is stored: most readers only pass it on."""

    @cached_property
    def event(self) -> RunEvent:
        return RUN_EVENT.validate_json(self.json)

    @property
    def id(self) -> str:
        return f"{self.run_id}:{self.attempt}.{self.seq}"
