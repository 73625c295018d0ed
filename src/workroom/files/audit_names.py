"""Names of files and folders in the audit log, for those who may read them: the log itself keeps none of private ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from uuid import UUID

from workroom.db import UnitOfWork
from workroom.files.access import may, may_folder
from workroom.files.store import files, folders
from workroom.identity.types import Action, Principal


async def file_names(uow: UnitOfWork, principal: Principal, ids: Collection[UUID]) -> Mapping[UUID, str]:
    stored = await files.by_ids(uow, principal.mandate_id, ids)
    return {file.id: file.name for file in stored if may(principal, Action.READ, file)}


async def folder_names(uow: UnitOfWork, principal: Principal, ids: Collection[UUID]) -> Mapping[UUID, str]:
    stored = await folders.by_ids(uow, principal.mandate_id, ids)
    return {folder.id: folder.name for folder in stored if may_folder(principal, Action.READ, folder)}
