"""Things people share: private ones are their owner's, those shared with a workspace count as the workspace's, those shared with
everybody are read by all who may read such things at all, and changed only with level ALL. `access` decides."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from workroom.identity.access import Target, decide
from workroom.identity.types import Action, Principal

NOT_ALLOWED = "Your role does not allow this. Ask an administrator of your workspace."


class Visibility(StrEnum):
    """For whom it is there: its owner, the members of its workspace, everybody."""

    MY = "MY"
    GROUP = "GROUP"
    ALL = "ALL"


@dataclass(frozen=True)
class Reach:
    """Which things of a workspace somebody may see: stores turn it into a WHERE clause, the second wall."""

    user_id: UUID | None
    all: bool  # whatever there is
    own: bool
    group: bool  # what is shared with the workspace
    shared: bool  # what is shared with everybody


def reach_of(who: Principal, action: Action, key: str, instance_id: UUID) -> Reach:
    here = frozenset({instance_id})
    return Reach(
        who.user_id,
        all=decide(who, action, Target(key)),
        own=decide(who, action, Target(key, who.user_id, here)),
        group=decide(who, action, Target(key, None, here)),
        shared=action is Action.READ and decide(who, action, Target(key, who.user_id)),
    )


def may_with(
    who: Principal,
    action: Action,
    key: str,
    owner_id: UUID | None,
    instance_id: UUID | None,
    visibility: Visibility,
) -> bool:
    """What one may do with one thing."""
    here = frozenset({instance_id} if instance_id else ())
    if visibility is Visibility.ALL:
        # Everybody's to read is yours to read; to write, no owner and no workspace is enough.
        return decide(who, action, Target(key, who.user_id) if action is Action.READ else Target(key))
    if visibility is Visibility.GROUP or owner_id == who.user_id:
        return decide(who, action, Target(key, owner_id, here))
    return decide(who, action, Target(key, owner_id))
