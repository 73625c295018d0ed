"""The one permission function. Everything that asks "may they?" asks here, and nowhere else.

Three rules hold for every kind of object:

- what a principal may not even read does not exist for them (404, not 403), so ids cannot be probed;
- no one can give what they do not have: roles, links and memberships are covered by the giver's own rules;
- content (files, conversations, notes …) is its owner's and of those it was shared with: level ALL on it reaches what is shared
  with everybody and what is in workspaces one is a member of, not what others keep to themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from workroom.core.errors import Forbidden, NotFound
from workroom.identity.objects import CATALOGUE, CONTENT, PRIVATE
from workroom.identity.types import Action, Level, Principal, Rule

# What everybody has, whatever their role says: to see themselves, and to end what was opened in their name.
BASELINE = (
    Rule("data.user", Action.READ, Level.MY),
    *(Rule(key, action, Level.MY) for key in ("data.session", "data.token") for action in (Action.READ, Action.DELETE)),
)
# An account works in the whole mandate, so a role held in one workspace may look at it, but not touch it.
LOOK_ONLY = frozenset({"data.user"})


@dataclass(frozen=True)
class Target:
    """What is asked about: its kind, whose it is, and the workspaces it belongs to."""

    key: str
    owner_id: UUID | None = None
    instance_ids: frozenset[UUID] = field(default_factory=frozenset)


def decide(principal: Principal, action: Action, target: Target) -> bool:
    """May this principal do this to that? Pure; the mandate is not asked about, since other mandates' rows do not exist."""
    if action is Action.READ and target.key in principal.audience.blind_to:
        return False
    level = _level(_held(principal), target.key, action)
    if _reaches(principal, level, target):
        return True
    if target.key in LOOK_ONLY and action is not Action.READ:
        return False
    # A role held in a workspace counts inside that workspace, and there only.
    return any(
        _reaches(principal, _level(rules, target.key, action), target)
        for instance_id, rules in principal.memberships.items()
        if instance_id in target.instance_ids
    )


def require(principal: Principal, action: Action, target: Target) -> None:
    """Like `decide`, but raises what the caller may know."""
    if decide(principal, action, target):
        return
    if action is not Action.CREATE and target.key.startswith("data.") and not decide(principal, Action.READ, target):
        raise NotFound("There is no such thing here, or it is not yours to see.")
    raise Forbidden("Your role does not allow this. Ask an administrator of your workspace.")


def require_session(principal: Principal) -> None:
    """Credentials are made by people who signed in: a leaked token must not be able to make itself a successor."""
    if principal.token_id is not None:
        raise Forbidden("An API token cannot do this. Sign in to the workspace.", code="sessionRequired")


@dataclass(frozen=True)
class ListScope:
    """How far a list may reach; stores turn it into a WHERE clause, as the second wall beside row-level security."""

    level: Level
    user_id: UUID | None
    instance_ids: frozenset[UUID]


def blind_to(
    mandate_id: UUID, instance_id: UUID, held: Iterable[tuple[tuple[Rule, ...], tuple[Rule, ...]]]
) -> frozenset[str]:
    """Kinds of content of a workspace that a person with such rules, in the mandate and in the workspace, may not read."""
    readers = [Principal(mandate_id, None, "reader", rules, {instance_id: inside}) for rules, inside in held]
    here = frozenset({instance_id})
    shared = [kind.key for kind in CATALOGUE if kind.content and Level.GROUP in kind.levels]
    return frozenset(
        key for key in shared if not all(decide(reader, Action.READ, Target(key, None, here)) for reader in readers)
    )


def scope(principal: Principal, action: Action, key: str) -> ListScope:
    if action is Action.READ and key in principal.audience.blind_to:
        return ListScope(Level.NONE, None, frozenset())
    level = _level(_held(principal), key, action)
    widened = {i for i, rules in principal.memberships.items() if _level(rules, key, action) >= Level.GROUP}
    mine = frozenset(principal.memberships) if level >= Level.GROUP else frozenset(widened)
    reached = Level.GROUP if level < Level.GROUP and mine else level
    if key in CONTENT:
        reached = min(reached, Level.GROUP)
    return ListScope(reached, principal.user_id if level >= Level.MY else None, mine)


def covers(principal: Principal, rules: Iterable[Rule], instance_id: UUID | None = None) -> bool:
    """Does the principal hold at least everything these rules would give (inside `instance_id`, if given)?"""
    held = [principal.rules]
    if instance_id is not None and instance_id in principal.memberships:
        held.append(principal.memberships[instance_id])
    return all(max(_least(mine, *_needed(rule)) for mine in held) >= rule.level for rule in rules)


def permissions(principal: Principal) -> dict[str, dict[Action, Level]]:
    """Everything the principal may do somewhere, for a client that wants to hide what is not allowed."""
    found: dict[str, dict[Action, Level]] = {}
    for kind in CATALOGUE:
        for action in kind.actions:
            held = [_held(principal)]
            if kind.key not in LOOK_ONLY or action is Action.READ:
                held += principal.memberships.values()
            if (level := max(_level(rules, kind.key, action) for rules in held)) > Level.NONE:
                found.setdefault(kind.key, {})[action] = level
    return found


def _needed(rule: Rule) -> tuple[str, Action]:
    """What gives a rule. The right to look into private content has no owner to begin with: who administrates people gives it."""
    return ("data.user", Action.UPDATE) if rule.object_key == PRIVATE else (rule.object_key, rule.action)


def _held(principal: Principal) -> tuple[Rule, ...]:
    return (*BASELINE, *principal.rules)


def _level(rules: Iterable[Rule], key: str, action: Action) -> Level:
    best = (-1, Level.NONE)
    for rule in rules:
        if rule.action is action and (weight := _match(rule.object_key, key)) >= 0:
            best = max(best, (weight, rule.level))
    return best[1]


def _least(rules: Sequence[Rule], key: str, action: Action) -> Level:
    """For a wildcard: the least one has on anything it covers, because a narrower rule may take something away again."""
    level = _level(rules, key, action)
    if key.endswith("*"):
        narrower = [r.level for r in rules if r.action is action and r.object_key.startswith(key[:-1])]
        level = min([level, *narrower])
    return level


def _match(pattern: str, key: str) -> int:
    """How specifically a rule speaks of a key; -1 when it does not."""
    if pattern == key:
        return len(pattern) + 1
    if pattern.endswith("*") and key.startswith(pattern[:-1]):
        return len(pattern)
    return -1


def _reaches(principal: Principal, level: Level, target: Target) -> bool:
    is_somewhere = target.owner_id is not None or bool(target.instance_ids)
    if level is Level.ALL and not (target.key in CONTENT and is_somewhere):
        return True
    if level >= Level.MY and target.owner_id is not None and target.owner_id == principal.user_id:
        return True
    return level >= Level.GROUP and not target.instance_ids.isdisjoint(principal.memberships)
