"""Records stored content as a new file or a new version of one, within the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from workroom.core.clock import now
from workroom.core.errors import InvalidInput
from workroom.core.ids import new_id
from workroom.core.writing_agent import WritingAgent
from workroom.db import UnitOfWork
from workroom.files import auto_filing, scans
from workroom.files.access import FILE, is_usable_folder, may, reach, require_sharing
from workroom.files.errors import FileExists
from workroom.files.names import LONGEST_NAME, clean_file_name, clean_media_type, clean_tags, numbered, split
from workroom.files.ports import Blob
from workroom.files.quotas import Quotas
from workroom.files.store import files as store
from workroom.files.store import folders as folder_store
from workroom.files.store import versions as version_store
from workroom.files.types import File, FileStatus, FileVersion, NewFile, OnConflict
from workroom.identity.access import Target, require
from workroom.identity.instances import require_instance
from workroom.identity.names import clean_text
from workroom.identity.sharing import Visibility
from workroom.identity.types import Action, Audience, Principal

LONGEST_DESCRIPTION = 2_000


async def record(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    new: NewFile,
    blob: Blob,
    quotas: Quotas,
    agent: WritingAgent | None = None,
) -> File:
    """Make a file of a blob. If the name exists, add a version or choose another name, as `on_conflict` says."""
    assert principal.user_id is not None
    await require_storing(uow, principal, instance_id, new.folder_id)
    name, media_type, tags = clean_file_name(new.name), clean_media_type(new.media_type), clean_tags(new.tags)
    await store.lock_names(uow, instance_id)
    folder_id, rule = await _choose_folder(uow, principal, instance_id, new)
    existing = await find_same_name(uow, principal, instance_id, name, new.folder_id, folder_id)
    if existing is not None:
        if _makes_version(principal, existing, new.on_conflict):
            return await add_version(uow, principal, existing, blob, media_type, quotas, agent=agent)
        if new.on_conflict in (OnConflict.FAIL, OnConflict.VERSION):
            raise FileExists(name)
        name = await free_name(uow, principal, instance_id, principal.user_id, folder_id, name)
    moment = now()
    file = File(
        id=new_id(),
        instance_id=instance_id,
        owner_id=principal.user_id,
        folder_id=folder_id,
        filed_by=rule,
        name=name,
        description=clean_text(new.description, "description", LONGEST_DESCRIPTION),
        tags=tags,
        status=FileStatus.PROCESSING,
        visibility=new.visibility,
        version=1,
        hash=blob.hash,
        size=blob.size,
        media_type=media_type,
        created_at=moment,
        updated_at=moment,
    )
    if file.visibility is not Visibility.MY:
        require_sharing(principal, file, file.visibility)
    await quotas.require_room(uow, principal.mandate_id, file.owner_id, blob.size)
    await store.insert(uow, principal.mandate_id, file)
    await _insert_version(uow, principal, file, None, agent)
    return file


async def replaced(uow: UnitOfWork, principal: Principal, instance_id: UUID, new: NewFile) -> File | None:
    """The existing file that `record` would add a version to."""
    folder_id, _ = await _choose_folder(uow, principal, instance_id, new)
    existing = await find_same_name(uow, principal, instance_id, clean_file_name(new.name), new.folder_id, folder_id)
    return existing if existing is not None and _makes_version(principal, existing, new.on_conflict) else None


async def add_version(
    uow: UnitOfWork,
    principal: Principal,
    file: File,
    blob: Blob,
    media_type: str,
    quotas: Quotas,
    restored_from: int | None = None,
    agent: WritingAgent | None = None,
) -> File:
    """Add a version; equal content adds none. The caller has locked `file`."""
    if blob.hash == file.hash:
        return file
    if restored_from is None:  # restored content counts against the quota already
        await quotas.require_room(uow, principal.mandate_id, file.owner_id, blob.size)
    changed = file.model_copy(
        update={
            "version": file.version + 1,
            "hash": blob.hash,
            "size": blob.size,
            "media_type": media_type,
            "status": FileStatus.PROCESSING,
            "updated_at": now(),
        }
    )
    await store.update(uow, principal.mandate_id, changed)
    await _insert_version(uow, principal, changed, restored_from, agent)
    return changed


async def require_storing(uow: UnitOfWork, principal: Principal, instance_id: UUID, folder_id: UUID | None) -> None:
    """Check the right to store in this workspace, and that the folder exists."""
    await require_instance(uow, principal, instance_id)
    require(principal, Action.CREATE, Target(FILE, principal.user_id, frozenset({instance_id})))
    await require_folder(uow, principal, instance_id, folder_id)


async def require_folder(uow: UnitOfWork, principal: Principal, instance_id: UUID, folder_id: UUID | None) -> None:
    if folder_id is None:
        return
    folder = await folder_store.get(uow, principal.mandate_id, folder_id)
    if not is_usable_folder(folder, principal, instance_id):
        raise InvalidInput("There is no such folder in this workspace.", field="folderId")


async def find_same_name(
    uow: UnitOfWork,
    principal: Principal,
    instance_id: UUID,
    name: str,
    requested_folder_id: UUID | None,
    folder_id: UUID | None,
) -> File | None:
    """The readable file that a new one of that name would conflict with; the principal's own first.

    Without a requested folder, an earlier version is also found where a rule has put it meanwhile.
    """
    folder_ids: Sequence[UUID | None] = [folder_id] if requested_folder_id else [None, folder_id]
    namesakes = await store.with_name(
        uow, principal.mandate_id, instance_id, name, folder_ids, ruled=requested_folder_id is None
    )
    alone = replace(
        principal, audience=Audience()
    )  # also a private file that other readers of the conversation may not see
    readable = [file for file in namesakes if may(alone, Action.READ, file)]
    return next((file for file in readable if file.owner_id == principal.user_id), readable[0] if readable else None)


async def free_name(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, owner_id: UUID, folder_id: UUID | None, name: str
) -> str:
    """`name` if it is free in the folder, else with a number. The caller has locked the names."""
    known = reach(principal, Action.READ, instance_id)
    stem = split(name)[0][: LONGEST_NAME // 2]
    taken = await store.taken_names(uow, principal.mandate_id, instance_id, owner_id, known, folder_id, stem)
    return numbered(name, taken)


async def _insert_version(
    uow: UnitOfWork, principal: Principal, file: File, restored_from: int | None, agent: WritingAgent | None
) -> None:
    """Insert the version row and queue its scan (`scans.py`); called for every stored version."""
    version = FileVersion(
        version=file.version,
        hash=file.hash,
        size=file.size,
        media_type=file.media_type,
        made_by=principal.user_id,
        made_by_name=None,
        made_at=file.updated_at,
        restored_from=restored_from,
        agent_id=agent.id if agent else None,
        agent_name=agent.name if agent else "",
        run_id=agent.run_id if agent else None,
    )
    await version_store.insert(uow, principal.mandate_id, file.id, version)
    await scans.begin(uow, principal.mandate_id, file.id)
    await scans.announce(uow, principal.mandate_id, file)


async def _choose_folder(
    uow: UnitOfWork, principal: Principal, instance_id: UUID, new: NewFile
) -> auto_filing.FolderChoice:
    """The requested folder; else the first one whose rule matches."""
    assert principal.user_id is not None
    if new.folder_id is not None:
        return new.folder_id, None
    name, media_type, tags = clean_file_name(new.name), clean_media_type(new.media_type), clean_tags(new.tags)
    return await auto_filing.choose_folder(
        uow, principal.mandate_id, instance_id, principal.user_id, name, media_type, tags
    )


def _makes_version(principal: Principal, existing: File, on_conflict: OnConflict | None) -> bool:
    if on_conflict is None:
        on_conflict = OnConflict.VERSION if existing.owner_id == principal.user_id else OnConflict.RENAME
    return on_conflict is OnConflict.VERSION and may(principal, Action.UPDATE, existing)
