"""The same change to many files: all of them are changed, or none, with the reason for each that failed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from workroom.core.errors import Forbidden, InvalidInput, WorkroomError
from workroom.db import UnitOfWork
from workroom.files import edits
from workroom.files.access import FILE
from workroom.files.errors import BulkRefused
from workroom.files.names import clean_tags, tag_key
from workroom.files.store import files as store
from workroom.files.types import File, FileChange, FileStatus
from workroom.identity.access import Target, decide
from workroom.identity.instances import require_instance
from workroom.identity.sharing import NOT_ALLOWED, Visibility
from workroom.identity.types import Action, Principal

MOST_AT_ONCE = 500


class BulkAction(StrEnum):
    MOVE = "move"
    TAG = "tag"
    UNTAG = "untag"
    ARCHIVE = "archive"
    DELETE = "delete"
    RESTORE = "restore"
    SHARE = "share"


@dataclass(frozen=True)
class BulkChange:
    """`folder_id` for a move (none: out of all folders), `tags` for tagging, `visibility` for sharing."""

    action: BulkAction
    folder_id: UUID | None = None
    tags: tuple[str, ...] = ()
    visibility: Visibility | None = None


Apply = Callable[[UnitOfWork, Principal, UUID], Awaitable[File]]


async def apply(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, file_ids: Sequence[UUID], change: BulkChange
) -> list[File]:
    await require_instance(uow, principal, instance_id)
    action = Action.DELETE if change.action in (BulkAction.DELETE, BulkAction.RESTORE) else Action.UPDATE
    if not decide(principal, action, Target(FILE, principal.user_id, frozenset({instance_id}))):
        raise Forbidden(NOT_ALLOWED)
    if len(file_ids) > MOST_AT_ONCE:
        raise InvalidInput(f"Change at most {MOST_AT_ONCE} files at once.", field="ids")
    if change.action is BulkAction.SHARE and change.visibility is None:
        raise InvalidInput("Say with whom: MY, GROUP or ALL.", field="visibility")
    await store.lock_names(uow, instance_id)
    apply_to = _operation(change)
    done: dict[UUID, File] = {}
    errors: list[dict[str, Any]] = []
    for file_id in sorted(set(file_ids)):  # in one order, so that two bulk changes do not deadlock
        try:
            await edits.require_in_workspace(uow, principal, instance_id, file_id)
            done[file_id] = await apply_to(uow, principal, file_id)
        except WorkroomError as error:
            errors.append({"id": str(file_id), "code": error.code, "message": error.message})
    if errors:
        raise BulkRefused(errors)
    return [done[file_id] for file_id in dict.fromkeys(file_ids)]


def _operation(bulk: BulkChange) -> Apply:
    async def retag(uow: UnitOfWork, principal: Principal, file_id: UUID) -> File:
        file = await edits.get_file(uow, principal, Action.UPDATE, file_id, lock=True)
        keys = {tag_key(tag) for tag in clean_tags(bulk.tags)}
        kept = [tag for tag in file.tags if tag_key(tag) not in keys]
        added = bulk.tags if bulk.action is BulkAction.TAG else ()
        return await edits.change(uow, principal, file_id, FileChange(tags=(*kept, *added)))

    async def change(uow: UnitOfWork, principal: Principal, file_id: UUID) -> File:
        return await edits.change(uow, principal, file_id, changes[bulk.action])

    changes = {
        BulkAction.MOVE: FileChange(move=True, folder_id=bulk.folder_id),
        BulkAction.ARCHIVE: FileChange(status=FileStatus.ARCHIVED),
        BulkAction.SHARE: FileChange(visibility=bulk.visibility),
    }
    if bulk.action in changes:
        return change
    others = {BulkAction.DELETE: edits.delete, BulkAction.RESTORE: edits.restore}
    return others.get(bulk.action, retag)
