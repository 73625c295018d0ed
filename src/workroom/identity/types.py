"""Values of identity. They know nothing of SQL or HTTP."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Any
from uuid import UUID

from workroom.core.actors import UserActor


class Level(IntEnum):
    """How far a permission reaches: nothing, one's own, the workspace's members', the whole mandate's."""

    NONE = 0
    MY = 1
    GROUP = 2
    ALL = 3


class Action(StrEnum):
    READ = "read"
    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"
    USE = "use"


class Status(StrEnum):
    ACTIVE = "active"
    SUSPENDED = "suspended"


class InstanceStatus(StrEnum):
    ACTIVE = "active"
    ARCHIVED = "archived"


@dataclass(frozen=True)
class Rule:
    """`object_key` may end in `.*`; the most specific rule that matches wins."""

    object_key: str
    action: Action
    level: Level


@dataclass(frozen=True)
class Mandate:
    """`contact`: whom people ask who cannot sign in, shown on the sign-in page; empty until an administrator fills it in."""

    id: UUID
    name: str
    created_at: datetime
    contact: str = ""


@dataclass(frozen=True)
class Role:
    id: UUID
    key: str
    name: str
    description: str
    builtin: bool
    rules: tuple[Rule, ...]
    user_count: int = 0


@dataclass(frozen=True)
class User:
    id: UUID
    login: str
    display_name: str
    role_id: UUID
    status: Status
    language: str | None  # None until they choose: then their browser decides
    theme: str
    has_password: bool
    created_at: datetime
    last_seen_at: datetime | None


@dataclass(frozen=True)
class Instance:
    """A workspace: what people share. `slug` is its name in addresses."""

    id: UUID
    name: str
    slug: str
    feature: str
    tool_set: str
    status: InstanceStatus
    created_by: UUID | None
    created_at: datetime
    member_count: int = 0


@dataclass(frozen=True)
class InstanceMember:
    user: User
    role_id: UUID | None
    since: datetime


@dataclass(frozen=True)
class ApiToken:
    id: UUID
    name: str
    prefix: str
    user_id: UUID
    user_name: str
    instance_id: UUID | None
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


class LinkPurpose(StrEnum):
    """What a one-time link is for: one's own other device; an administrator lets a person in; a forgotten password."""

    DEVICE = "device"
    INVITATION = "invitation"
    RESET = "reset"


@dataclass(frozen=True)
class Session:
    id: UUID
    user_id: UUID
    user_agent: str
    address: str
    created_at: datetime
    last_used_at: datetime
    expires_at: datetime


@dataclass(frozen=True)
class AuditEntry:
    id: UUID
    at: datetime
    user_id: UUID | None
    user_name: str
    action: str
    object_kind: str
    object_id: UUID | None
    details: Mapping[str, Any]
    address: str


@dataclass(frozen=True)
class AuditFilter:
    """Who did it, to what kind of object, what exactly, and when; `until` is not included. None: all of them."""

    user_id: UUID | None = None
    object_kind: str | None = None
    action: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    system: bool = False  # what no person of the organisation did, such as commands of the operator


@dataclass(frozen=True)
class Inspection:
    """A person's temporary right to read what another keeps private: from when to when, and why."""

    id: UUID
    inspector_id: UUID | None
    inspector_name: str
    subject_id: UUID
    subject_name: str
    reason: str
    began_at: datetime
    ends_at: datetime


@dataclass(frozen=True)
class PrivateReader:
    """A person whose role lets them begin an inspection."""

    user_id: UUID
    display_name: str
    role_name: str


@dataclass(frozen=True)
class Client:
    """Where a request comes from, as far as we believe it."""

    address: str = ""
    user_agent: str = ""


@dataclass(frozen=True)
class Presence:
    """A person in a workspace."""

    mandate_id: UUID
    user_id: UUID
    instance_id: UUID


@dataclass(frozen=True)
class Audience:
    """Who reads an answer beside the person who asks for it: it may use only what all of them may see."""

    instance_id: UUID | None = None
    user_ids: frozenset[UUID] = frozenset()
    workspace: bool = False  # every member
    blind_to: frozenset[str] = frozenset()  # kinds of content that at least one of them may not read at all
    since: datetime | None = None  # when the newest reader joined

    @property
    def is_empty(self) -> bool:
        return not self.user_ids and not self.workspace

    def may_read(self, owner_id: UUID | None, shared_with: Collection[UUID]) -> bool:
        """Something private: may all of them?"""
        return not self.workspace and self.user_ids <= {owner_id, *shared_with}


@dataclass(frozen=True)
class Principal:
    """An authenticated person, with everything needed to decide what they may do."""

    mandate_id: UUID
    user_id: UUID | None  # None: the operator at the command line
    name: str
    rules: tuple[Rule, ...]
    memberships: Mapping[UUID, tuple[Rule, ...]] = field(default_factory=dict)
    session_id: UUID | None = None
    token_id: UUID | None = None
    token_instance_id: UUID | None = None
    client: Client = Client()
    audience: Audience = Audience()
    inspects: frozenset[UUID] = frozenset()  # whose private content they may read for now
    rights_version: int | None = None  # of a request: it writes nothing after its sender's rights have changed

    @property
    def actor(self) -> UserActor:
        return UserActor(self.mandate_id, self.user_id, self.rights_version)

    @property
    def payer(self) -> UserActor:
        """For settling what was used already: that is owed, whatever became of their rights meanwhile."""
        return UserActor(self.mandate_id, self.user_id)
