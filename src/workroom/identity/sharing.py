"""Things people share: private ones are their owner's and of the persons they were shared with, those shared with a workspace
count as the workspace's, those shared with everybody are read by all who may read such things at all, and changed only with
level ALL. `access` decides.

A principal that acts for a conversation with several readers (`Principal.audience`) sees only what all of them may see.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from workroom.identity.access import Target, decide
from workroom.identity.types import Action, Principal

NOT_ALLOWED = "Your role does not allow this. Ask an administrator of your workspace."
NOBODY: Collection[UUID] = ()


class Visibility(StrEnum):
    """For whom it is there: its owner, the members of its workspace, everybody."""

    MY = "MY"
    GROUP = "GROUP"
    ALL = "ALL"


@dataclass(frozen=True)
class ReadableScope:
    """Which things of a workspace a principal may see: stores turn it into a WHERE clause, the second wall."""

    user_id: UUID | None
    own: bool  # their own, and what was shared with them
    group: bool  # what is shared with the workspace
    shared: bool  # what is shared with everybody
    readers: tuple[UUID, ...] = ()  # who else has to be able to read what is private
    inspected: tuple[UUID, ...] = ()  # whose private things they may look into

    @property
    def args(self) -> list[Any]:
        """What `reached` refers to."""
        return [self.user_id, self.own, self.group, self.shared, list(self.readers), list(self.inspected)]


def reach_of(
    principal: Principal, action: Action, key: str, instance_id: UUID, *, inspecting: bool = False
) -> ReadableScope:
    """`inspecting`: with what they may look into for a reason; it is for lists, never for searches and answers."""
    here = frozenset({instance_id})
    return ReadableScope(
        principal.user_id,
        own=decide(principal, action, Target(key, principal.user_id, here)) and not principal.audience.workspace,
        group=decide(principal, action, Target(key, None, here)),
        shared=action is Action.READ and decide(principal, action, Target(key, principal.user_id)),
        readers=tuple(sorted(principal.audience.user_ids)),
        inspected=tuple(sorted(principal.inspects)) if inspecting and action is Action.READ else (),
    )


def may_with(
    principal: Principal,
    action: Action,
    key: str,
    owner_id: UUID | None,
    instance_id: UUID | None,
    visibility: Visibility,
    shared_with: Collection[UUID] = NOBODY,
) -> bool:
    """What one may do with one thing."""
    here = frozenset({instance_id} if instance_id else ())
    if visibility is Visibility.ALL:
        # Everybody's to read is yours to read; to write, no owner and no workspace is enough.
        return decide(principal, action, Target(key, principal.user_id) if action is Action.READ else Target(key))
    if visibility is Visibility.GROUP and decide(principal, action, Target(key, owner_id, here)):
        return principal.audience.is_empty or principal.audience.instance_id == instance_id
    if owner_id != principal.user_id and not (action is Action.READ and principal.user_id in shared_with):
        return False
    return decide(principal, action, Target(key, principal.user_id, here)) and principal.audience.may_read(
        owner_id, shared_with
    )


def may_inspect(principal: Principal, action: Action, owner_id: UUID | None) -> bool:
    """Whether the owner's private things are open to them for a reason; each use is recorded by who asks this."""
    return action is Action.READ and owner_id in principal.inspects and principal.audience.is_empty
