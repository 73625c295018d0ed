"""What open browsers are told when something changed: hints to look again, never the data itself."""

from __future__ import annotations

from enum import StrEnum
from uuid import UUID

from pydantic import Field

from workroom.core.wire import Wire


class ChangeKind(StrEnum):
    CONVERSATION = "conversation"
    MEMORY = "memory"  # the id is its conversation's
    MAP = "map"  # changed by hand; the id is its conversation's, whose readers are notified
    NOTE = "note"
    TODO = "todo"
    COMPANY = "company"  # or a document about it
    PROJECT = "project"  # or something in it, or a profile of a creator
    AGENT = "agent"
    SKILL = "skill"
    FILE = "file"
    FOLDER = "folder"
    RUN = "run"
    MANDATE = "mandate"
    USER = "user"
    ROLE = "role"
    INSTANCE = "instance"
    MEMBER = "member"
    MODEL = "model"
    TOKEN = "token"  # noqa: S105
    SESSION = "session"
    INSPECTION = "inspection"
    BUDGET = "budget"
    WEB_SEARCH = "webSearch"  # notifies those who may read models
    EVALUATION = "evaluation"  # notifies those who may read models


class Change(Wire):
    """A change as it travels between processes: with the facts needed to decide who may hear of it. `everybody`: it is, or
    was until now, for all who may read such things at all; `persons`: for these as well."""

    mandate_id: UUID
    kind: ChangeKind
    id: UUID
    owner_id: UUID | None = None
    instance_id: UUID | None = None
    everybody: bool = False
    persons: list[UUID] = Field(default_factory=list)


class Hello(Wire):
    """First event of every connection: fetch again whatever is on the screen."""


class Changed(Wire):
    """Something of this kind changed; a page that shows it fetches it again."""

    kind: ChangeKind
    id: UUID


class SignedOut(Wire):
    """The session behind this stream has ended; the stream ends with it."""

    reason: str
