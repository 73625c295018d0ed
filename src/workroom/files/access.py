"""Permissions on files and folders, by owner, visibility and role (`identity.sharing`)."""

from __future__ import annotations

from typing import TypeGuard
from uuid import UUID

from workroom.core.changes import ChangeKind
from workroom.core.errors import Forbidden, NotFound
from workroom.db import UnitOfWork
from workroom.files.errors import PromotionRefused, SharingRefused
from workroom.files.types import File, Folder
from workroom.identity import audit
from workroom.identity.access import Target, decide
from workroom.identity.instances import require_instance
from workroom.identity.sharing import NOT_ALLOWED, ReadableScope, Visibility, may_inspect, may_with, reach_of
from workroom.identity.types import Action, Principal

FILE = "data.file"
FOLDER = "data.folder"
NO_FILE = "There is no such file here, or it is not yours to see."


def is_shared(file: File) -> bool:
    """Whether others than its owner may read it."""
    return file.visibility is not Visibility.MY or bool(file.shared_with)


def reach(principal: Principal, action: Action, instance_id: UUID, *, inspecting: bool = False) -> ReadableScope:
    return reach_of(principal, action, FILE, instance_id, inspecting=inspecting)


def may(principal: Principal, action: Action, file: File) -> bool:
    return may_with(principal, action, FILE, file.owner_id, file.instance_id, file.visibility, file.shared_with)


def folder_reach(principal: Principal, action: Action, instance_id: UUID) -> ReadableScope:
    return reach_of(principal, action, FOLDER, instance_id)


def may_folder(principal: Principal, action: Action, folder: Folder) -> bool:
    return may_with(principal, action, FOLDER, folder.owner_id, folder.instance_id, folder.visibility)


def is_usable_folder(folder: Folder | None, principal: Principal, instance_id: UUID) -> TypeGuard[Folder]:
    """Whether files can be put into this folder: it is in this workspace, not in the trash, and visible to the principal."""
    if folder is None or folder.instance_id != instance_id or folder.deleted_at is not None:
        return False
    return may_folder(principal, Action.READ, folder)


async def require_file(uow: UnitOfWork, principal: Principal, action: Action, file: File | None) -> File:
    """The file, if the right exists. Raises NotFound for what the principal may not read, else Forbidden."""
    if file is None:
        raise NotFound(NO_FILE)
    if not may(principal, Action.READ, file):
        if not may_inspect(principal, action, file.owner_id):
            raise NotFound(NO_FILE)
        await audit.record(uow, principal, "inspected", ChangeKind.FILE, file.id, owner_id=file.owner_id)
        return file
    if file.visibility is not Visibility.ALL:
        try:
            await require_instance(uow, principal, file.instance_id)
        except NotFound:
            raise NotFound(NO_FILE) from None
    if not may(principal, action, file):
        raise Forbidden(NOT_ALLOWED)
    return file


def require_sharing(principal: Principal, file: File, visibility: Visibility) -> None:
    """Check the right to change visibility: owners share with their workspace, level ALL shares with the whole mandate."""
    if Visibility.ALL in (visibility, file.visibility):
        if not decide(principal, Action.UPDATE, Target(FILE)):
            raise PromotionRefused
    elif file.owner_id != principal.user_id:
        raise SharingRefused
