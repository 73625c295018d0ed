"""What rules may speak of: kinds of data, services, model providers, models. A feature adds its kinds here."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workroom.core.errors import InvalidInput
from workroom.identity.types import Action, Level, Rule

DATA_ACTIONS = (Action.READ, Action.CREATE, Action.UPDATE, Action.DELETE)
DATA_LEVELS = (Level.NONE, Level.MY, Level.GROUP, Level.ALL)
SWITCH = (Level.NONE, Level.ALL)
KEY = re.compile(r"[a-z]+\.[A-Za-z0-9][A-Za-z0-9._:/@+-]*\*?|[a-z]+\.\*")


PRIVATE = "data.private"  # to look into what another person keeps private, for a reason, for a while and seen by them


@dataclass(frozen=True)
class ObjectKind:
    """`content` is what people make. It belongs to its owner and to those it was shared with: no level of a role opens it to
    anybody else."""

    key: str
    actions: tuple[Action, ...]
    levels: tuple[Level, ...]
    content: bool = False


CATALOGUE: tuple[ObjectKind, ...] = (
    ObjectKind("data.mandate", (Action.READ, Action.UPDATE), SWITCH),
    ObjectKind("data.user", DATA_ACTIONS, DATA_LEVELS),
    ObjectKind("data.role", DATA_ACTIONS, SWITCH),
    ObjectKind("data.instance", DATA_ACTIONS, DATA_LEVELS),
    ObjectKind("data.member", DATA_ACTIONS, DATA_LEVELS),
    ObjectKind("data.conversation", DATA_ACTIONS, (Level.NONE, Level.MY, Level.ALL), content=True),
    ObjectKind("data.note", DATA_ACTIONS, DATA_LEVELS, content=True),
    ObjectKind("data.todo", DATA_ACTIONS, DATA_LEVELS, content=True),
    ObjectKind("data.company", DATA_ACTIONS, DATA_LEVELS, content=True),
    ObjectKind("data.project", DATA_ACTIONS, DATA_LEVELS, content=True),
    ObjectKind("data.agent", DATA_ACTIONS, DATA_LEVELS, content=True),
    ObjectKind("data.skill", DATA_ACTIONS, DATA_LEVELS, content=True),
    ObjectKind("data.file", DATA_ACTIONS, DATA_LEVELS, content=True),
    ObjectKind("data.folder", DATA_ACTIONS, DATA_LEVELS, content=True),
    ObjectKind(PRIVATE, (Action.READ,), SWITCH),
    ObjectKind("data.model", (Action.READ, Action.UPDATE), SWITCH),
    ObjectKind("data.token", (Action.READ, Action.CREATE, Action.DELETE), DATA_LEVELS),
    ObjectKind("data.session", (Action.READ, Action.DELETE), DATA_LEVELS),
    ObjectKind("data.audit", (Action.READ,), SWITCH),
    ObjectKind("data.budget", (Action.READ, Action.UPDATE), SWITCH),
    ObjectKind("data.usage", (Action.READ,), DATA_LEVELS),
    ObjectKind("service.agent", (Action.USE,), SWITCH),
    ObjectKind("provider.*", (Action.USE,), SWITCH),
    ObjectKind("model.*", (Action.USE,), SWITCH),
)
_BY_KEY = {kind.key: kind for kind in CATALOGUE}
CONTENT = frozenset(kind.key for kind in CATALOGUE if kind.content)


def check_rule(rule: Rule) -> None:
    """A rule must speak of something that exists; `provider.openai` is covered by `provider.*`."""
    if not KEY.fullmatch(rule.object_key):
        raise InvalidInput("The key of an object has letters, digits and . _ : / @ + - in it.", field="rules")
    kind = _BY_KEY.get(rule.object_key) or _BY_KEY.get(rule.object_key.split(".", 1)[0] + ".*")
    if kind is None:
        raise InvalidInput(f"There is no object {rule.object_key!r} that a rule could speak of.", field="rules")
    if rule.action not in kind.actions or rule.level not in kind.levels:
        raise InvalidInput(
            f"A rule on {rule.object_key} cannot say {rule.action} with level {rule.level.name}.", field="rules"
        )
