"""Change, delete, restore and purge a file, within the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Conflict, Forbidden, InvalidInput, NotFound
from workroom.db import UnitOfWork
from workroom.files import auto_filing, scans
from workroom.files.access import NO_FILE, may, require_file, require_sharing
from workroom.files.errors import SharingRefused
from workroom.files.names import clean_file_name, clean_tags
from workroom.files.new_files import LONGEST_DESCRIPTION, free_name, require_folder
from workroom.files.store import files as store
from workroom.files.store import folders as folder_store
from workroom.files.types import File, FileChange, FileStatus
from workroom.identity import audit
from workroom.identity.instances import require_members
from workroom.identity.names import clean_text
from workroom.identity.sharing import NOT_ALLOWED, Visibility
from workroom.identity.types import Action, Principal


async def get_file(
    uow: UnitOfWork, principal: Principal, action: Action, file_id: UUID, *, lock: bool = False, trash: bool = False
) -> File:
    """The file, if the principal may do `action` with it. Files in the trash are found only with `trash`."""
    file = await store.get(uow, principal.mandate_id, file_id, lock=lock)
    if file is not None and file.deleted_at is not None and not trash:
        file = None
    return await require_file(uow, principal, action, file)


async def change(uow: UnitOfWork, principal: Principal, file_id: UUID, patch: FileChange) -> File:
    file = await get_file(uow, principal, Action.READ, file_id, lock=True)
    if patch.visibility not in (None, file.visibility):
        require_sharing(principal, file, patch.visibility)  # first: its error explains more than Forbidden does
    shared_with = await _new_shared_with(uow, principal, file, patch.shared_with)
    if not may(principal, Action.UPDATE, file):
        raise Forbidden(NOT_ALLOWED)
    if patch.status is FileStatus.PROCESSING:
        raise InvalidInput("People set a file to active or archived.", field="status")
    changed = file.model_copy(
        update={
            "name": file.name if patch.name is None else clean_file_name(patch.name),
            "description": file.description
            if patch.description is None
            else clean_text(patch.description, "description", LONGEST_DESCRIPTION),
            "tags": file.tags if patch.tags is None else clean_tags(patch.tags),
            "status": patch.status or file.status,
            "visibility": patch.visibility or file.visibility,
            "shared_with": shared_with,
            "updated_at": now(),
        }
    )
    if patch.move:
        await require_folder(uow, principal, file.instance_id, patch.folder_id)
        changed = changed.model_copy(update={"folder_id": patch.folder_id, "filed_by": None})
    elif (changed.name, changed.tags) != (file.name, file.tags):
        changed = await auto_filing.refile(uow, principal.mandate_id, changed)
    await _require_free_name(uow, principal, file, changed)
    await store.update(uow, principal.mandate_id, changed)
    if (changed.visibility, changed.shared_with) != (file.visibility, file.shared_with):
        await store.set_grants(uow, principal.mandate_id, file_id, changed.shared_with)
        by_name = {"persons": len(changed.shared_with)} if shared_with != file.shared_with else {}
        await record(
            uow, principal, "shared", changed, visibility=changed.visibility, before=file.visibility, **by_name
        )
    await scans.announce(uow, principal.mandate_id, changed, before=file)
    return changed


async def delete(uow: UnitOfWork, principal: Principal, file_id: UUID) -> File:
    """Move a file to the trash, where it stays for thirty days (`jobs.py`)."""
    file = await get_file(uow, principal, Action.DELETE, file_id, lock=True)
    changed = file.model_copy(update={"deleted_at": now(), "deleted_with": None})
    await store.update(uow, principal.mandate_id, changed)
    await record(uow, principal, "deleted", changed)
    return changed


async def restore(uow: UnitOfWork, principal: Principal, file_id: UUID) -> File:
    """Take a file out of the trash; needs the right to delete. A file that is not in the trash stays as it is."""
    file = await get_file(uow, principal, Action.DELETE, file_id, trash=True)
    await store.lock_names(uow, file.instance_id)
    file = await get_file(uow, principal, Action.DELETE, file_id, lock=True, trash=True)
    if file.deleted_at is None:
        return file
    folder = await folder_store.get(uow, principal.mandate_id, file.folder_id) if file.folder_id else None
    folder_id = folder.id if folder is not None and folder.deleted_at is None else None
    changed = file.model_copy(
        update={
            "folder_id": folder_id,
            "filed_by": file.filed_by if folder_id else None,
            "name": await free_name(uow, principal, file.instance_id, file.owner_id, folder_id, file.name),
            "deleted_at": None,
            "deleted_with": None,
        }
    )
    await store.update(uow, principal.mandate_id, changed)
    await record(uow, principal, "restored", changed)
    return changed


async def purge(uow: UnitOfWork, principal: Principal, file_id: UUID) -> None:
    """Delete a file in the trash for good, to free its space."""
    file = await get_file(uow, principal, Action.DELETE, file_id, lock=True, trash=True)
    if file.deleted_at is None:
        raise Conflict("Delete this file first; what is in the trash can be removed for good.", code="notInTrash")
    await store.purge(uow, principal.mandate_id, file_id, now())
    await record(uow, principal, "purged", file)


async def record(uow: UnitOfWork, principal: Principal, action: str, file: File, **details: str | int) -> None:
    """Write the audit entry and notify open browsers. Others read the audit log: it keeps no names of private files."""
    shared = file.visibility is not Visibility.MY
    await audit.record(
        uow,
        principal,
        action,
        ChangeKind.FILE,
        file.id,
        owner_id=file.owner_id,
        instance_id=file.instance_id if shared else None,
        details=({"name": file.name} if shared else {}) | details,
    )
    if file.visibility is Visibility.ALL or file.shared_with:
        await scans.announce(uow, principal.mandate_id, file)  # also in other workspaces, and to persons


async def require_in_workspace(uow: UnitOfWork, principal: Principal, instance_id: UUID, file_id: UUID) -> None:
    """Raise NotFound for a file of another workspace than the one in the URL."""
    file = await store.get(uow, principal.mandate_id, file_id)
    if file is None or file.instance_id != instance_id:
        raise NotFound(NO_FILE)


async def _new_shared_with(
    uow: UnitOfWork, principal: Principal, file: File, requested: Sequence[UUID] | None
) -> list[UUID]:
    """The new list of persons a file is shared with: set by its owner, all of them members of its workspace."""
    if requested is None or sorted(set(requested)) == file.shared_with:
        return file.shared_with
    if file.owner_id != principal.user_id:
        raise SharingRefused
    user_ids = sorted(set(requested) - {file.owner_id})
    await require_members(uow, principal.mandate_id, file.instance_id, set(user_ids) - set(file.shared_with))
    return user_ids


async def _require_free_name(uow: UnitOfWork, principal: Principal, before: File, after: File) -> None:
    if (before.name, before.folder_id) == (after.name, after.folder_id):
        return
    namesakes = await store.with_name(
        uow, principal.mandate_id, after.instance_id, after.name, [after.folder_id], ruled=False
    )
    if any(other.owner_id == after.owner_id and other.id != after.id for other in namesakes):
        raise Conflict(f"There is a file “{after.name}” in that place already.", code="nameTaken", field="name")
