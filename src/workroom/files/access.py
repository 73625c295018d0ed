"""Who may do what with files and folders. Files are things people share (`identity.sharing`); folders are the workspace's."""

from __future__ import annotations

from uuid import UUID

from workroom.core.changes import ChangeKind
from workroom.core.errors import Forbidden, NotFound
from workroom.db import UnitOfWork
from workroom.files.errors import PromotionRefused, SharingRefused
from workroom.files.types import File
from workroom.identity import audit
from workroom.identity.access import Target, decide
from workroom.identity.instances import require_instance
from workroom.identity.sharing import NOT_ALLOWED, Reach, Visibility, may_inspect, may_with, reach_of
from workroom.identity.types import Action, Principal

FILE = "data.file"
FOLDER = "data.folder"
NO_FILE = "There is no such file here, or it is not yours to see."


def reach(who: Principal, action: Action, instance_id: UUID, *, inspecting: bool = False) -> Reach:
    return reach_of(who, action, FILE, instance_id, inspecting=inspecting)


def may(who: Principal, action: Action, file: File) -> bool:
    return may_with(who, action, FILE, file.owner_id, file.instance_id, file.visibility, file.shared_with)


async def require_file(uow: UnitOfWork, who: Principal, action: Action, file: File | None) -> File:
    """What somebody may not read does not exist for them; what they may read but not change is refused openly."""
    if file is None:
        raise NotFound(NO_FILE)
    if not may(who, Action.READ, file):
        if not may_inspect(who, action, file.owner_id):
            raise NotFound(NO_FILE)
        await audit.record(uow, who, "inspected", ChangeKind.FILE, file.id, owner_id=file.owner_id)
        return file
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
    if Visibility.ALL in (wanted, file.visibility):
        if not decide(who, Action.UPDATE, Target(FILE)):
            raise PromotionRefused
    elif file.owner_id != who.user_id:
        raise SharingRefused
