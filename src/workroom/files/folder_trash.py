"""Moves a folder to the trash with its contents, and restores both. Rights were checked by the caller.

Deleting a folder never deletes files of others: what the principal may not delete, or not even see, moves to the parent
folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.db import UnitOfWork
from workroom.files import scans
from workroom.files.access import may
from workroom.files.names import numbered
from workroom.files.new_files import free_name
from workroom.files.store import files as file_store
from workroom.files.store import folders as store
from workroom.files.types import File, Folder
from workroom.identity import audit
from workroom.identity.sharing import Visibility
from workroom.identity.types import Action, Principal


async def delete(
    uow: UnitOfWork, principal: Principal, folder: Folder, inside: Sequence[Folder], unseen: Sequence[Folder]
) -> None:
    """`inside` are the folder itself and its descendants; `unseen` are private folders of others in it, which move up."""
    await file_store.lock_names(uow, folder.instance_id)
    folder_ids = [other.id for other in inside]
    for other in unseen:
        if other.parent_id in folder_ids:
            taken = await store.taken_names(
                uow, principal.mandate_id, other.instance_id, folder.parent_id, other.owner_id
            )
            await store.move(uow, principal.mandate_id, other.id, folder.parent_id, numbered(other.name, taken))
    files = await file_store.in_folders(uow, principal.mandate_id, folder_ids)
    going = [file for file in files if may(principal, Action.DELETE, file)]
    leaving = {file.id for file in going}
    for file in files:
        if file.id not in leaving:
            await _move_up(uow, principal, file, folder.parent_id)
    moment = now()
    await file_store.set_deleted(uow, principal.mandate_id, sorted(leaving), moment, folder.id)
    await store.set_deleted(uow, principal.mandate_id, folder_ids, moment, folder.id)
    await store.set_deleted(uow, principal.mandate_id, [folder.id], moment, None)
    await _record(uow, principal, "deleted", folder, going)


async def restore(uow: UnitOfWork, principal: Principal, folder: Folder, deepest: int) -> Folder:
    await file_store.lock_names(uow, folder.instance_id)
    files = await file_store.deleted_with(uow, principal.mandate_id, folder.id)
    await file_store.set_deleted(uow, principal.mandate_id, [file.id for file in files], None, None)
    inside = await store.deleted_with(uow, principal.mandate_id, folder.id)
    await store.set_deleted(uow, principal.mandate_id, [other.id for other in inside], None, None)
    height = max(depth for _, depth in await store.descendants(uow, principal.mandate_id, folder.id))
    parent_id = await _parent(uow, principal, folder, deepest - height)
    taken = await store.taken_names(uow, principal.mandate_id, folder.instance_id, parent_id, folder.owner_id)
    changed = folder.model_copy(
        update={
            "parent_id": parent_id,
            "name": numbered(folder.name, taken),
            "updated_at": now(),
            "deleted_at": None,
            "deleted_with": None,
        }
    )
    await store.update(uow, principal.mandate_id, changed)
    await _record(uow, principal, "restored", changed, files)
    return changed


async def _parent(uow: UnitOfWork, principal: Principal, folder: Folder, room: int) -> UUID | None:
    """The former parent, if it still exists and is not too deep; else None, the root."""
    parent = await store.get(uow, principal.mandate_id, folder.parent_id) if folder.parent_id else None
    if parent is None or parent.deleted_at is not None:
        return None
    if parent.visibility is Visibility.MY and folder.visibility is not Visibility.MY:
        return None
    return parent.id if len(await store.ancestors(uow, principal.mandate_id, parent.id)) <= room else None


async def _move_up(uow: UnitOfWork, principal: Principal, file: File, folder_id: UUID | None) -> None:
    name = await free_name(uow, principal, file.instance_id, file.owner_id, folder_id, file.name)
    moved = file.model_copy(update={"folder_id": folder_id, "filed_by": None, "name": name})
    await file_store.update(uow, principal.mandate_id, moved)
    await scans.announce(uow, principal.mandate_id, moved)


async def _record(uow: UnitOfWork, principal: Principal, action: str, folder: Folder, files: Sequence[File]) -> None:
    shared = folder.visibility is not Visibility.MY
    await audit.record(
        uow,
        principal,
        action,
        ChangeKind.FOLDER,
        folder.id,
        owner_id=folder.owner_id,
        instance_id=folder.instance_id if shared else None,
        details=({"name": folder.name} if shared else {})
        | {"files": sum(file.visibility is not Visibility.MY for file in files)},
    )
    for file in files:
        if file.visibility is Visibility.ALL:  # seen in other workspaces, which are not notified about this folder
            await scans.announce(uow, principal.mandate_id, file)
