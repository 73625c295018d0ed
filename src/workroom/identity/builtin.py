"""The roles every mandate begins with. They cannot be changed, only copied, so that there is always a way back in."""

from __future__ import annotations

from dataclasses import dataclass

from workroom.identity.objects import CATALOGUE, PRIVATE
from workroom.identity.types import Action, Level, Rule

ADMIN = "admin"
MEMBER = "member"
READER = "reader"


@dataclass(frozen=True)
class BuiltinRole:
    key: str
    name: str
    description: str
    rules: tuple[Rule, ...]


def _rule(key: str, level: Level, *actions: Action) -> tuple[Rule, ...]:
    return tuple(Rule(key, action, level) for action in actions)


# Administrators administrate; what others keep private they do not read, unless a role of their own says so.
ADMIN_RULES = tuple(
    Rule(kind.key, action, Level.ALL) for kind in CATALOGUE if kind.key != PRIVATE for action in kind.actions
)
READER_RULES = (
    *_rule("data.mandate", Level.ALL, Action.READ),
    *_rule("data.role", Level.ALL, Action.READ),
    *_rule("data.instance", Level.GROUP, Action.READ),
    *_rule("data.member", Level.GROUP, Action.READ),
    *_rule("data.user", Level.GROUP, Action.READ),
    *_rule("data.user", Level.MY, Action.UPDATE),
    *_rule("data.session", Level.MY, Action.READ, Action.DELETE),
    *_rule("data.conversation", Level.MY, Action.READ),
    *_rule("data.note", Level.GROUP, Action.READ),
    *_rule("data.todo", Level.GROUP, Action.READ),
    *_rule("data.company", Level.GROUP, Action.READ),
    *_rule("data.project", Level.GROUP, Action.READ),
    *_rule("data.agent", Level.GROUP, Action.READ),
    *_rule("data.skill", Level.GROUP, Action.READ),
    *_rule("data.file", Level.GROUP, Action.READ),
    *_rule("data.folder", Level.GROUP, Action.READ),
    *_rule("data.usage", Level.MY, Action.READ),
)
MEMBER_RULES = (
    *READER_RULES,
    *_rule("data.conversation", Level.MY, Action.CREATE, Action.UPDATE, Action.DELETE),
    *_rule("data.note", Level.GROUP, Action.CREATE),
    *_rule("data.note", Level.MY, Action.UPDATE, Action.DELETE),
    *_rule("data.todo", Level.GROUP, Action.CREATE),
    *_rule("data.todo", Level.MY, Action.UPDATE, Action.DELETE),
    *_rule("data.company", Level.GROUP, Action.CREATE, Action.UPDATE),  # a team writes the same documents
    *_rule("data.company", Level.MY, Action.DELETE),
    *_rule("data.project", Level.GROUP, Action.CREATE, Action.UPDATE),
    *_rule("data.project", Level.MY, Action.DELETE),
    *_rule("data.agent", Level.GROUP, Action.CREATE),
    *_rule("data.agent", Level.MY, Action.UPDATE, Action.DELETE),
    *_rule("data.skill", Level.GROUP, Action.CREATE),
    *_rule("data.skill", Level.MY, Action.UPDATE, Action.DELETE),
    *_rule("data.file", Level.GROUP, Action.CREATE),
    *_rule("data.file", Level.MY, Action.UPDATE, Action.DELETE),
    *_rule("data.folder", Level.GROUP, Action.CREATE),
    *_rule("data.folder", Level.MY, Action.UPDATE, Action.DELETE),
    *_rule("data.token", Level.MY, Action.READ, Action.CREATE, Action.DELETE),
    *_rule("data.model", Level.ALL, Action.READ),
    *_rule("service.agent", Level.ALL, Action.USE),
    *_rule("provider.*", Level.ALL, Action.USE),
    *_rule("model.*", Level.ALL, Action.USE),
)

BUILTIN_ROLES = (
    BuiltinRole(ADMIN, "Administrator", "Everything in this mandate, but for what others keep private.", ADMIN_RULES),
    BuiltinRole(MEMBER, "Member", "Works in the workspaces they belong to.", MEMBER_RULES),
    BuiltinRole(
        READER, "Reader", "Sees the workspaces they belong to, changes nothing but their profile.", READER_RULES
    ),
)
