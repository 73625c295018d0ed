"""Who may do what with files and folders, in the terms of `identity.access`, which decides.

A private file is its owner's; one shared with the workspace counts as the workspace's; one shared with everybody is read
by all who may read files at all, and written to only with level ALL. Folders are the workspace's.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from workroom.core.errors import Forbidden, NotFound
from workroom.db import UnitOfWork
from workroom.files.errors import PromotionRefused, SharingRefused
from workroom.files.types import File, Visibility
from workroom.identity.access import Target, decide
from workroom.identity.instances import require_instance
from workroom.identity.types import Action, Principal

FILE = "data.file"
FOLDER = "data.folder"
NO_FILE = "There is no such file here, or it is not yours to see."
NOT_ALLOWED = "Your role does not allow this. Ask an administrator of your workspace."


@dataclass(frozen=True)
class Reach:
    """Which files of a workspace somebody may see: stores turn it into a WHERE clause, the second wall."""

    user_id: UUID | None
    all: bool  # whatever there is
    own: bool
    group: bool  # what is shared with the workspace
    shared: bool  # what is shared with everybody


def reach(who: Principal, action: Action, instance_id: UUID) -> Reach:
    here = frozenset({instance_id})
    return Reach(
        who.user_id,
        all=decide(who, action, Target(FILE)),
        own=decide(who, action, Target(FILE, who.user_id, here)),
        group=decide(who, action, Target(FILE, None, here)),
        shared=action is Action.READ and decide(who, action, Target(FILE, who.user_id)),
    )


def may(who: Principal, action: Action, file: File) -> bool:
    return decide(who, action, _target(who, action, file))


async def require_file(uow: UnitOfWork, who: Principal, action: Action, file: File | None) -> File:
    """What somebody may not read does not exist for them; what they may read but not change is refused openly."""
    if file is None or not may(who, Action.READ, file):
        raise NotFound(NO_FILE)
    if file.visibility is not Visibility.ALL:
        try:
            await require_instance(uow, who, file.instance_id)
        except NotFound:
            raise NotFound(NO_FILE) from None
    if not may(who, action, file):
        raise Forbidden(NOT_ALLOWED)
    return file


def require_sharing(who: Principal, file: File, wanted: Visibility) -> None:
    """Only the owner says who sees a file, and only those who may write everywhere share with everybody."""
    if decide(who, Action.UPDATE, Target(FILE)):
        return
    if Visibility.ALL in (wanted, file.visibility):
        raise PromotionRefused
    if file.owner_id != who.user_id:
        raise SharingRefused


def _target(who: Principal, action: Action, file: File) -> Target:
    here = frozenset({file.instance_id})
    if file.visibility is Visibility.ALL:
        # Everybody's to read is yours to read; to write, no owner and no workspace is enough.
        return Target(FILE, who.user_id) if action is Action.READ else Target(FILE)
    if file.visibility is Visibility.GROUP or file.owner_id == who.user_id:
        return Target(FILE, file.owner_id, here)
    return Target(FILE, file.owner_id)
