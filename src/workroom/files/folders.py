"""Folders: create, rename, move, share, delete, restore. A folder is private or shared with its workspace, and a shared one
is never inside a private one; files in it keep their own visibility."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from workroom.core.changes import Change, ChangeKind
from workroom.core.clock import now
from workroom.core.errors import Conflict, Forbidden, InvalidInput, NotFound
from workroom.core.ids import new_id
from workroom.core.pages import Page, PageRequest
from workroom.db import Database, UnitOfWork
from workroom.files import folder_rules, folder_trash
from workroom.files.access import FOLDER, folder_reach, is_usable_folder, may_folder
from workroom.files.names import clean_file_name
from workroom.files.store import folders as store
from workroom.files.types import Folder, FolderChange
from workroom.identity.access import Target, require
from workroom.identity.instances import require_instance
from workroom.identity.sharing import NOT_ALLOWED, Visibility
from workroom.identity.types import Action, Principal

DEEPEST = 20
NO_FOLDER = "There is no such folder here, or it is not yours to see."


class Folders:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def list(
        self, principal: Principal, instance_id: UUID, request: PageRequest, *, deleted: bool = False
    ) -> Page[Folder]:
        """Folders the principal sees; with `deleted`, those in the trash that the principal may delete."""
        action = Action.DELETE if deleted else Action.READ
        async with self._db.unit_of_work(principal.actor) as uow:
            await require_instance(uow, principal, instance_id)
            require(principal, Action.READ, Target(FOLDER, principal.user_id, frozenset({instance_id})))
            seen = folder_reach(principal, action, instance_id)
            return await store.listed(uow, principal.mandate_id, instance_id, seen, request, deleted=deleted)

    async def get(self, principal: Principal, folder_id: UUID) -> Folder:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await _get_folder(uow, principal, Action.READ, folder_id)

    async def create(
        self,
        principal: Principal,
        instance_id: UUID,
        name: str,
        parent_id: UUID | None = None,
        auto_rule: str | None = None,
        visibility: Visibility | None = None,
    ) -> Folder:
        async with self._db.unit_of_work(principal.actor) as uow:
            return await create(uow, principal, instance_id, name, parent_id, auto_rule, visibility)

    async def change(self, principal: Principal, folder_id: UUID, patch: FolderChange) -> Folder:
        async with self._db.unit_of_work(principal.actor) as uow:
            folder = await self._get_locked(uow, principal, Action.UPDATE, folder_id)
            changed = folder.model_copy(
                update={
                    "name": folder.name if patch.name is None else clean_file_name(patch.name),
                    "auto_rule": folder.auto_rule if patch.auto_rule is None else _normalised_rule(patch.auto_rule),
                    "parent_id": patch.parent_id if patch.move else folder.parent_id,
                    "visibility": patch.visibility or folder.visibility,
                    "updated_at": now(),
                }
            )
            inside = await store.descendants(uow, principal.mandate_id, folder_id)
            if changed.visibility is not folder.visibility:
                await _share(uow, principal, changed, [other for other, _ in inside])
            if (changed.parent_id, changed.name, changed.visibility) != (
                folder.parent_id,
                folder.name,
                folder.visibility,
            ):
                if changed.parent_id in {other.id for other, _ in inside}:
                    raise InvalidInput("A folder cannot be moved into itself.", field="parentId")
                await _require_valid_parent(uow, principal, changed, height=max(depth for _, depth in inside))
            await store.update(uow, principal.mandate_id, changed)
            await _announce(uow, principal, changed, folder)
            return changed

    async def delete(self, principal: Principal, folder_id: UUID) -> None:
        """Move to the trash with all contents. Files that the principal may not delete move to the parent folder."""
        async with self._db.unit_of_work(principal.actor) as uow:
            folder = await self._get_locked(uow, principal, Action.DELETE, folder_id)
            inside = [other for other, _ in await store.descendants(uow, principal.mandate_id, folder_id)]
            seen = [other for other in inside if may_folder(principal, Action.READ, other)]
            if not all(may_folder(principal, Action.DELETE, other) for other in seen):
                raise Forbidden(NOT_ALLOWED)
            await folder_trash.delete(uow, principal, folder, seen, [other for other in inside if other not in seen])

    async def restore(self, principal: Principal, folder_id: UUID) -> Folder:
        """Restore with everything deleted with it; to the root if the parent is gone or too deep by now."""
        async with self._db.unit_of_work(principal.actor) as uow:
            folder = await self._get_locked(uow, principal, Action.DELETE, folder_id, trash=True)
            if folder.deleted_at is None:
                return folder
            return await folder_trash.restore(uow, principal, folder, DEEPEST)

    async def _get_locked(
        self, uow: UnitOfWork, principal: Principal, action: Action, folder_id: UUID, *, trash: bool = False
    ) -> Folder:
        """The folder, read again after the tree is locked."""
        folder = await _get_folder(uow, principal, action, folder_id, trash=trash)
        await store.lock_tree(uow, folder.instance_id)
        return await _get_folder(uow, principal, action, folder_id, trash=trash)


async def create(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    name: str,
    parent_id: UUID | None = None,
    auto_rule: str | None = None,
    visibility: Visibility | None = None,
) -> Folder:
    """Create a folder in the caller's transaction. Default visibility: that of its parent, private at the root."""
    await require_instance(uow, principal, instance_id)
    require(principal, Action.CREATE, Target(FOLDER, principal.user_id, frozenset({instance_id})))
    await store.lock_tree(uow, instance_id)
    moment = now()
    parent = await store.get(uow, principal.mandate_id, parent_id) if parent_id else None
    folder = Folder(
        id=new_id(),
        instance_id=instance_id,
        owner_id=principal.user_id,
        parent_id=parent_id,
        name=clean_file_name(name),
        auto_rule=_normalised_rule(auto_rule),
        visibility=visibility or (parent.visibility if parent else Visibility.MY),
        created_at=moment,
        updated_at=moment,
    )
    await _require_valid_parent(uow, principal, folder, height=1)
    await store.insert(uow, principal.mandate_id, folder)
    await _announce(uow, principal, folder, folder)
    return folder


async def _get_folder(
    uow: UnitOfWork, principal: Principal, action: Action, folder_id: UUID, *, trash: bool = False
) -> Folder:
    folder = await store.get(uow, principal.mandate_id, folder_id)
    if folder is None or (folder.deleted_at is not None and not trash):
        raise NotFound(NO_FOLDER)
    try:
        await require_instance(uow, principal, folder.instance_id)
    except NotFound:
        raise NotFound(NO_FOLDER) from None
    if not may_folder(principal, action, folder):
        raise Forbidden(NOT_ALLOWED) if may_folder(principal, Action.READ, folder) else NotFound(NO_FOLDER)
    return folder


async def _share(uow: UnitOfWork, principal: Principal, folder: Folder, inside: Sequence[Folder]) -> None:
    """Check a change of visibility, and hide the owner's folders inside with it; refused while others have folders in it."""
    if folder.visibility is Visibility.ALL:
        raise InvalidInput("A folder is private or shared with its workspace.", field="visibility")
    if folder.owner_id != principal.user_id:
        raise Forbidden("Only the owner of a folder says who sees it. Ask them to share it.", code="sharingRefused")
    if folder.visibility is Visibility.MY:
        if any(other.owner_id != principal.user_id and may_folder(principal, Action.READ, other) for other in inside):
            raise Conflict("Others have folders in this one. Move them out first.", code="foldersOfOthers")
        await store.hide(
            uow, principal.mandate_id, [other.id for other in inside if other.owner_id == principal.user_id]
        )


async def _require_valid_parent(uow: UnitOfWork, principal: Principal, folder: Folder, *, height: int) -> None:
    """Check that the parent exists, the tree does not get too deep, and the name is free."""
    above = 0
    if folder.parent_id is not None:
        parent = await store.get(uow, principal.mandate_id, folder.parent_id)
        if not is_usable_folder(parent, principal, folder.instance_id):
            raise InvalidInput("There is no such folder in this workspace.", field="parentId")
        if folder.visibility is not Visibility.MY and parent.visibility is Visibility.MY:
            raise InvalidInput("The folder above is private. Share that one first.", field="parentId")
        above = len(await store.ancestors(uow, principal.mandate_id, folder.parent_id))
    if above + height > DEEPEST:
        raise InvalidInput(f"Folders are nested at most {DEEPEST} deep.", field="parentId")
    taken = await store.taken_names(uow, principal.mandate_id, folder.instance_id, folder.parent_id, folder.owner_id)
    if taken.get(folder.name, folder.id) != folder.id:
        raise Conflict(f"There is a folder “{folder.name}” in that place already.", code="nameTaken", field="name")


def _normalised_rule(text: str | None) -> str | None:
    return str(folder_rules.parse(text)) if text and text.strip() else None


async def _announce(uow: UnitOfWork, principal: Principal, folder: Folder, before: Folder) -> None:
    change = Change(
        mandate_id=principal.mandate_id,
        kind=ChangeKind.FOLDER,
        id=folder.id,
        owner_id=folder.owner_id,
        instance_id=folder.instance_id if Visibility.GROUP in (folder.visibility, before.visibility) else None,
    )
    await uow.announce(change)
