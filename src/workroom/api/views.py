"""Identity as clients see it. Several routers show the same things; they are spelled once, here."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, cast
from uuid import UUID

from workroom.core.wire import Wire
from workroom.identity import types
from workroom.identity.types import Action, InstanceStatus, Status


class User(Wire):
    id: UUID
    login: str
    display_name: str
    role_id: UUID
    status: Status
    language: str | None
    theme: str
    has_password: bool
    created_at: datetime
    last_seen_at: datetime | None

    @classmethod
    def of(cls, user: types.User) -> User:
        return cls(**vars(user))


class Mandate(Wire):
    """`contact`: whom people ask who cannot sign in; empty until an administrator fills it in."""

    id: UUID
    name: str
    contact: str

    @classmethod
    def of(cls, mandate: types.Mandate) -> Mandate:
        return cls(id=mandate.id, name=mandate.name, contact=mandate.contact)


class RoleName(Wire):
    id: UUID
    key: str
    name: str


LevelName = Literal["NONE", "MY", "GROUP", "ALL"]


def level_name(level: types.Level) -> LevelName:
    return cast(LevelName, level.name)


class Rule(Wire):
    object_key: str
    action: Action
    level: LevelName

    @classmethod
    def of(cls, rule: types.Rule) -> Rule:
        return cls(object_key=rule.object_key, action=rule.action, level=level_name(rule.level))


class Role(RoleName):
    description: str
    builtin: bool
    rules: list[Rule]
    user_count: int

    @classmethod
    def of(cls, role: types.Role) -> Role:
        return cls(**(vars(role) | {"rules": [Rule.of(rule) for rule in role.rules]}))


class Instance(Wire):
    id: UUID
    name: str
    slug: str
    feature: str
    tool_set: str
    status: InstanceStatus
    member_count: int
    created_at: datetime

    @classmethod
    def of(cls, instance: types.Instance) -> Instance:
        return cls(**{name: value for name, value in vars(instance).items() if name != "created_by"})


class Person(Wire):
    id: UUID
    display_name: str
    login: str


class Member(Wire):
    user: Person
    role_id: UUID | None
    since: datetime

    @classmethod
    def of(cls, member: types.InstanceMember) -> Member:
        user = member.user
        person = Person(id=user.id, display_name=user.display_name, login=user.login)
        return cls(user=person, role_id=member.role_id, since=member.since)


class Token(Wire):
    id: UUID
    name: str
    prefix: str
    user_id: UUID
    user_name: str
    instance_id: UUID | None
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None

    @classmethod
    def of(cls, token: types.ApiToken) -> Token:
        return cls(**vars(token))


class AuditEntry(Wire):
    id: UUID
    at: datetime
    user_id: UUID | None
    user_name: str
    action: str
    object_kind: str
    object_id: UUID | None
    details: dict[str, Any]
    address: str

    @classmethod
    def of(cls, entry: types.AuditEntry) -> AuditEntry:
        return cls(**(vars(entry) | {"details": dict(entry.details)}))
