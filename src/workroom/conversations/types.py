"""Values of conversations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from workroom.agent.entities.types import EntityKey, EntitySource
from workroom.core.map_edits import MapEdit
from workroom.core.messages import Message
from workroom.core.wire import Wire
from workroom.identity.sharing import Visibility


class TitleSource(StrEnum):
    """Where a title is from. What a person wrote is never replaced."""

    RULES = "rules"
    MODEL = "model"
    PERSON = "person"


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
    owner_name: str = ""
    visibility: Visibility = Visibility.MY
    group_writes: bool = False  # shared with the workspace to write, not only to read
    grants: Mapping[UUID, bool] = field(default_factory=dict)  # persons it is shared with, and whether they may write
    audience_since: datetime | None = None  # when the newest reader joined
    archived_at: datetime | None = None
    deleted_at: datetime | None = None  # in the trash since then
    pinned_by: frozenset[UUID] = frozenset()
    titled_by: TitleSource = TitleSource.PERSON

    @property
    def is_shared(self) -> bool:
        return self.visibility is not Visibility.MY or bool(self.grants)

    def shared(self, visibility: Visibility, group_writes: bool, grants: Mapping[UUID, bool]) -> Conversation:
        return replace(self, visibility=visibility, group_writes=group_writes, grants=grants)

    def heard_since(self, moment: datetime | None) -> Conversation:
        return replace(self, audience_since=moment)


class ConversationStatus(StrEnum):
    """Where a conversation is found."""

    CURRENT = "current"
    ARCHIVED = "archived"
    TRASH = "trash"


@dataclass(frozen=True)
class ConversationFilter:
    """`agent_id`: those this agent answered in, or would. `since` and `until` bound when it was last written in."""

    status: ConversationStatus = ConversationStatus.CURRENT
    agent_id: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True)
class MessageHit:
    """A message that has the words that were searched for; `title` is its conversation's. An answer is led to by the message it
    answers: `question_id`."""

    conversation_id: UUID
    question_id: UUID
    title: str
    text: str
    created_at: datetime


@dataclass(frozen=True)
class MessageHits:
    """`is_complete` is false when there are older messages that were not searched."""

    hits: Sequence[MessageHit]
    is_complete: bool


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
    """A person's change on the map. It comes after what was ordered up to `afterMessageId`, on every branch that
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
    author_id: UUID | None = None  # of what a person said; None for answers, and once they are gone
    author_name: str | None = None


@dataclass(frozen=True)
class Memory:
    """A fact that stood in results of tools, found with the rights of one person and known to them alone."""

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
class ConversationMemory:
    """What a conversation remembers, as one person may see it."""

    entities: Sequence[Memory]
    summaries: Sequence[KeptSummary]
