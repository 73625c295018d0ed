"""What is done to a file that is there: change, delete, restore. Part of the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Conflict, Forbidden, InvalidInput, NotFound
from workroom.db import UnitOfWork
from workroom.files import filing, scans
from workroom.files.access import NO_FILE, may, require_file, require_sharing
from workroom.files.errors import SharingRefused
from workroom.files.names import clean_file_name, clean_tags
from workroom.files.store import files as store
from workroom.files.store import folders as folder_store
from workroom.files.storing import LONGEST_DESCRIPTION, free_name, require_folder
from workroom.files.types import File, FileChange, FileStatus
from workroom.identity import audit
from workroom.identity.instances import require_members
from workroom.identity.names import clean_text
from workroom.identity.sharing import NOT_ALLOWED, Visibility
from workroom.identity.types import Action, Principal


async def checked(
    uow: UnitOfWork, who: Principal, action: Action, file_id: UUID, *, lock: bool = False, trash: bool = False
) -> File:
    """A file in the trash is as good as none, unless `trash` says otherwise."""
    file = await store.get(uow, who.mandate_id, file_id, lock=lock)
    if file is not None and file.deleted_at is not None and not trash:
        file = None
    return await require_file(uow, who, action, file)


async def change(uow: UnitOfWork, who: Principal, file_id: UUID, wanted: FileChange) -> File:
    file = await checked(uow, who, Action.READ, file_id, lock=True)
    if wanted.visibility not in (None, file.visibility):
        require_sharing(who, file, wanted.visibility)  # first: it says more than that something is not allowed
    persons = await _persons(uow, who, file, wanted.shared_with)
    if not may(who, Action.UPDATE, file):
        raise Forbidden(NOT_ALLOWED)
    if wanted.status is FileStatus.PROCESSING:
        raise InvalidInput("People set a file to active or archived.", field="status")
    changed = file.model_copy(
        update={
            "name": file.name if wanted.name is None else clean_file_name(wanted.name),
            "description": file.description
            if wanted.description is None
            else clean_text(wanted.description, "description", LONGEST_DESCRIPTION),
            "tags": file.tags if wanted.tags is None else clean_tags(wanted.tags),
            "status": wanted.status or file.status,
            "visibility": wanted.visibility or file.visibility,
            "shared_with": persons,
            "updated_at": now(),
        }
    )
    if wanted.move:
        await require_folder(uow, who, file.instance_id, wanted.folder_id)
        changed = changed.model_copy(update={"folder_id": wanted.folder_id, "filed_by": None})
    elif (changed.name, changed.tags) != (file.name, file.tags):
        changed = await filing.refiled(uow, who.mandate_id, changed)
    await _require_free_name(uow, who, file, changed)
    await store.update(uow, who.mandate_id, changed)
    if (changed.visibility, changed.shared_with) != (file.visibility, file.shared_with):
        await store.set_grants(uow, who.mandate_id, file_id, changed.shared_with)
        by_name = {"persons": len(changed.shared_with)} if persons != file.shared_with else {}
        await record(uow, who, "shared", changed, visibility=changed.visibility, before=file.visibility, **by_name)
    await scans.announce(uow, who.mandate_id, changed, before=file)
    return changed


async def delete(uow: UnitOfWork, who: Principal, file_id: UUID) -> File:
    """Into the trash, where it stays for thirty days (`jobs.py`)."""
    file = await checked(uow, who, Action.DELETE, file_id, lock=True)
    changed = file.model_copy(update={"deleted_at": now(), "deleted_with": None})
    await store.update(uow, who.mandate_id, changed)
    await record(uow, who, "deleted", changed)
    return changed


async def restore(uow: UnitOfWork, who: Principal, file_id: UUID) -> File:
    """Whoever may delete may take it back; restoring what is not in the trash changes nothing."""
    file = await checked(uow, who, Action.DELETE, file_id, trash=True)
    await store.lock_names(uow, file.instance_id)
    file = await checked(uow, who, Action.DELETE, file_id, lock=True, trash=True)
    if file.deleted_at is None:
        return file
    folder = await folder_store.get(uow, who.mandate_id, file.folder_id) if file.folder_id else None
    folder_id = folder.id if folder is not None and folder.deleted_at is None else None
    changed = file.model_copy(
        update={
            "folder_id": folder_id,
            "filed_by": file.filed_by if folder_id else None,
            "name": await free_name(uow, who, file.instance_id, file.owner_id, folder_id, file.name),
            "deleted_at": None,
            "deleted_with": None,
        }
    )
    await store.update(uow, who.mandate_id, changed)
    await record(uow, who, "restored", changed)
    return changed


async def purge(uow: UnitOfWork, who: Principal, file_id: UUID) -> None:
    """Out of the trash, for good: what somebody does who needs the room."""
    file = await checked(uow, who, Action.DELETE, file_id, lock=True, trash=True)
    if file.deleted_at is None:
        raise Conflict("Delete this file first; what is in the trash can be removed for good.", code="notInTrash")
    await store.purge(uow, who.mandate_id, file_id, now())
    await record(uow, who, "purged", file)


async def record(uow: UnitOfWork, who: Principal, action: str, file: File, **details: str | int) -> None:
    """Into the history, and to open browsers. Of a private file the history, which others may read, keeps no name."""
    shared = file.visibility is not Visibility.MY
    await audit.record(
        uow,
        who,
        action,
        ChangeKind.FILE,
        file.id,
        owner_id=file.owner_id,
        instance_id=file.instance_id if shared else None,
        details=({"name": file.name} if shared else {}) | details,
    )
    if file.visibility is Visibility.ALL or file.shared_with:
        await scans.announce(uow, who.mandate_id, file)  # also in other workspaces, and to persons


async def in_workspace(uow: UnitOfWork, who: Principal, instance_id: UUID, file_id: UUID) -> None:
    """A file of another workspace than the address says is as good as none."""
    file = await store.get(uow, who.mandate_id, file_id)
    if file is None or file.instance_id != instance_id:
        raise NotFound(NO_FILE)


async def _persons(uow: UnitOfWork, who: Principal, file: File, wanted: Sequence[UUID] | None) -> list[UUID]:
    """With whom it is shared by name: its owner says so, and they belong to its workspace."""
    if wanted is None or sorted(set(wanted)) == file.shared_with:
        return file.shared_with
    if file.owner_id != who.user_id:
        raise SharingRefused
    persons = sorted(set(wanted) - {file.owner_id})
    await require_members(uow, who.mandate_id, file.instance_id, set(persons) - set(file.shared_with))
    return persons


async def _require_free_name(uow: UnitOfWork, who: Principal, before: File, after: File) -> None:
    if (before.name, before.folder_id) == (after.name, after.folder_id):
        return
    there = await store.named(uow, who.mandate_id, after.instance_id, after.name, [after.folder_id], ruled=False)
    if any(other.owner_id == after.owner_id and other.id != after.id for other in there):
        raise Conflict(f"There is a file “{after.name}” in that place already.", code="nameTaken", field="name")
