"""What the one search finds, and what it could not look through."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from workroom.core.wire import Wire
from workroom.knowledge.types import Passage


class SearchKind(StrEnum):
    """Files and conversations by name; passages are what files say, messages what was said in conversations."""

    FILE = "file"
    CONVERSATION = "conversation"
    AGENT = "agent"
    PERSON = "person"
    NOTE = "note"
    TODO = "todo"
    PASSAGE = "passage"
    MESSAGE = "message"


class SearchHit(Wire):
    """`id` is that of the file, conversation, agent, person, note or todo it leads to; `text` is where the words stand in it."""

    kind: SearchKind
    id: UUID
    title: str
    text: str = ""
    changed_at: datetime | None = None
    glyph: str | None = None  # of an agent
    done: bool | None = None  # of a todo
    message_id: UUID | None = None  # of a message: the one it is, or answers
    passage: Passage | None = None


class GapReason(StrEnum):
    """Why a kind is not, or not wholly, among the hits."""

    FAILED = "failed"
    SLOW = "slow"
    OLDER = "older"  # there is more than is searched; what was left out is older


class SearchGap(Wire):
    kind: SearchKind
    reason: GapReason


class SearchResult(Wire):
    """Hits by kind, in the order the kinds were asked for; the best of each first."""

    items: list[SearchHit]
    gaps: list[SearchGap]
