"""Who may do what with files and folders. Files are things people share (`identity.sharing`); folders are the workspace's."""

from __future__ import annotations

from uuid import UUID

from workroom.core.errors import Forbidden, NotFound
from workroom.db import UnitOfWork
from workroom.files.errors import PromotionRefused, SharingRefused
from workroom.files.types import File
from workroom.identity.access import Target, decide
from workroom.identity.instances import require_instance
from workroom.identity.sharing import NOT_ALLOWED, Reach, Visibility, may_with, reach_of
from workroom.identity.types import Action, Principal

FILE = "data.file"
FOLDER = "data.folder"
NO_FILE = "There is no such file here, or it is not yours to see."


def reach(who: Principal, action: Action, instance_id: UUID) -> Reach:
    return reach_of(who, action, FILE, instance_id)


def may(who: Principal, action: Action, file: File) -> bool:
    return may_with(who, action, FILE, file.owner_id, file.instance_id, file.visibility)


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
