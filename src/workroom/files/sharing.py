"""Sharing of files: with the whole mandate, with the workspace, with persons, or with no one.

Works on one file or many, of any workspace. Rights are checked at every read, so unsharing takes effect with the commit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from workroom.core.errors import Forbidden, InvalidInput, WorkroomError
from workroom.db import UnitOfWork
from workroom.files import edits
from workroom.files.access import FILE
from workroom.files.bulk import MOST_AT_ONCE
from workroom.files.errors import BulkRefused
from workroom.files.types import File, FileChange
from workroom.identity.access import Target, decide
from workroom.identity.sharing import NOT_ALLOWED, Visibility
from workroom.identity.types import Action, Principal


async def share(
    uow: UnitOfWork,
    principal: Principal,
    file_ids: Sequence[UUID],
    visibility: Visibility,
    shared_with: Sequence[UUID] | None = None,
) -> list[File]:
    """Share all of them, or none with the reasons; for a single file its own error is raised."""
    if not decide(principal, Action.UPDATE, Target(FILE, principal.user_id, frozenset(principal.memberships))):
        raise Forbidden(NOT_ALLOWED)
    if not 0 < len(file_ids) <= MOST_AT_ONCE:
        raise InvalidInput(f"Share from one to {MOST_AT_ONCE} files at once.", field="fileIds")
    patch = FileChange(visibility=visibility, shared_with=None if shared_with is None else tuple(shared_with))
    done: dict[UUID, File] = {}
    errors: list[dict[str, Any]] = []
    ids = sorted(set(file_ids))  # in one order, so that two such calls do not deadlock
    for file_id in ids:
        try:
            done[file_id] = await edits.change(uow, principal, file_id, patch)
        except WorkroomError as error:
            if len(ids) == 1:
                raise
            errors.append({"id": str(file_id), "code": error.code, "message": error.message})
    if errors:
        raise BulkRefused(errors)
    return [done[file_id] for file_id in dict.fromkeys(file_ids)]
