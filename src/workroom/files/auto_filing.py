"""Automatic filing: which folder a file goes into by the rules of folders."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.files import folder_rules
from workroom.files.store import files as store
from workroom.files.store import folders as folder_store
from workroom.files.types import File

FolderChoice = tuple[UUID | None, str | None]  # the folder, and the rule that chose it


async def choose_folder(
    uow: UnitOfWork,
    mandate_id: UUID,
    instance_id: UUID,
    owner_id: UUID,
    name: str,
    media_type: str,
    tags: Collection[str],
) -> FolderChoice:
    """The first folder whose rule matches, or none. Rules of private folders apply to their owner's files only."""
    for folder in await folder_store.with_rules(uow, mandate_id, instance_id, owner_id):
        if folder.auto_rule and folder_rules.parse(folder.auto_rule).fits(name, media_type, tags):
            return folder.id, folder.auto_rule
    return None, None


async def refile(uow: UnitOfWork, mandate_id: UUID, file: File) -> File:
    """The file in the folder its new tags or name select. Files that a person put into a folder stay there."""
    if file.folder_id is not None and file.filed_by is None:
        return file
    folder_id, rule = await choose_folder(
        uow, mandate_id, file.instance_id, file.owner_id, file.name, file.media_type, file.tags
    )
    if folder_id is None:
        return file
    if folder_id != file.folder_id:
        namesakes = await store.with_name(uow, mandate_id, file.instance_id, file.name, [folder_id], ruled=False)
        if any(other.owner_id == file.owner_id for other in namesakes):
            return file
    return file.model_copy(update={"folder_id": folder_id, "filed_by": rule})
