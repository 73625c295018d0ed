"""Values of conversations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from workroom.agent.entities.types import EntityKey, EntitySource
from workroom.core.map_edits import MapEdit
from workroom.core.messages import Message
from workroom.core.wire import Wire


@dataclass(frozen=True)
class Conversation:
    id: UUID
    instance_id: UUID
    owner_id: UUID
    title: str
    leaf_id: UUID | None
    created_at: datetime
    updated_at: datetime
    active_agent_id: UUID | None = None  # who shall answer; None: from before there was a choice
    ai_agent_id: UUID | None = None  # who answered last


class SwitchKind(StrEnum):
    USER = "user"
    HANDOFF = "handoff"
    UNDO = "undo"


class AgentSwitch(Wire):
    """An entry of `agentHistory`. `answeredBy` is the first answer that was made with it."""

    seq: int
    kind: SwitchKind
    from_agent_id: UUID
    from_name: str
    to_agent_id: UUID
    to_name: str
    reason: str
    by_user_id: UUID | None
    at: datetime
    after_message_id: UUID | None
    answered_by: UUID | None = None


class MadeEdit(Wire):
    """Something that somebody changed on the map. It comes after what was ordered up to `afterMessageId`, on every branch that
    has this message, and nowhere else."""

    after_message_id: UUID
    edit: MapEdit
    made_by: UUID | None
    made_at: datetime


@dataclass(frozen=True)
class StoredMessage:
    message: Message
    parent_id: UUID | None
    run_id: UUID | None
    created_at: datetime


@dataclass(frozen=True)
class Memory:
    """A fact that stood in results of tools, found with the rights of one person and known to nobody else."""

    id: UUID
    key: EntityKey
    value: str
    source: EntitySource
    times: int
    created_at: datetime
    updated_at: datetime
    call_id: UUID | None


@dataclass(frozen=True)
class KeptSummary:
    message_id: UUID
    first: int
    last: int
    text: str
    created_at: datetime


@dataclass(frozen=True)
class Kept:
    """What a conversation remembers, as one person may see it."""

    entities: Sequence[Memory]
    summaries: Sequence[KeptSummary]
