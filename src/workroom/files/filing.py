"""Folders that file things by themselves: which one takes a file, and when."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.files import rules
from workroom.files.store import files as store
from workroom.files.store import folders as folder_store
from workroom.files.types import File

Place = tuple[UUID | None, str | None]  # a folder, and the rule that says so


async def place(
    uow: UnitOfWork,
    mandate_id: UUID,
    instance_id: UUID,
    owner_id: UUID,
    name: str,
    media_type: str,
    tags: Collection[str],
) -> Place:
    """The first folder whose rule fits, or none; private folders file their owner's things alone."""
    for folder in await folder_store.with_rules(uow, mandate_id, instance_id, owner_id):
        if folder.auto_rule and rules.parse(folder.auto_rule).fits(name, media_type, tags):
            return folder.id, folder.auto_rule
    return None, None


async def refiled(uow: UnitOfWork, mandate_id: UUID, file: File) -> File:
    """As it lies after it was tagged or renamed. Where somebody put it, it stays; without a rule that fits, as well."""
    if file.folder_id is not None and file.filed_by is None:
        return file
    folder_id, rule = await place(
        uow, mandate_id, file.instance_id, file.owner_id, file.name, file.media_type, file.tags
    )
    if folder_id is None:
        return file
    if folder_id != file.folder_id:
        there = await store.named(uow, mandate_id, file.instance_id, file.name, [folder_id], ruled=False)
        if any(other.owner_id == file.owner_id for other in there):
            return file
    return file.model_copy(update={"folder_id": folder_id, "filed_by": rule})
