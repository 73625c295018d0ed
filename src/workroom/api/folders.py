"""Folders of a workspace, as a flat list: `parentId` makes the tree."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field

from workroom.api.files import Name
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import ListQuery, PageOf, page_of
from workroom.core.wire import Wire
from workroom.files.folder_rules import LONGEST_RULE
from workroom.files.types import Folder, FolderChange
from workroom.identity.sharing import Visibility

workspace = APIRouter(prefix="/api/workspace/{instanceId}/folders", tags=["files"])
router = APIRouter(prefix="/api/folders", tags=["files"])

FolderVisibility = Literal["MY", "GROUP"]
RuleText = Annotated[str, Field(max_length=LONGEST_RULE)]


class FolderQuery(ListQuery):
    deleted: bool = False


class NewFolder(Wire):
    """`autoRule` such as `tag:financial` or `type:pdf and name:*invoice*`: files that fit are filed here by themselves.
    `visibility` is `MY` or `GROUP`; not said, as the folder it lies in, and at the top private."""

    name: Name
    parent_id: UUID | None = None
    auto_rule: RuleText | None = None
    visibility: FolderVisibility | None = None


class FolderInput(Wire):
    """A field that is not there stays as it is; `parentId: null` moves it to the top, `autoRule: null` takes the rule away."""

    name: Name | None = None
    parent_id: UUID | None = None
    auto_rule: RuleText | None = None
    visibility: FolderVisibility | None = None

    def change(self) -> FolderChange:
        rule = (self.auto_rule or "") if "auto_rule" in self.model_fields_set else None
        visibility = Visibility(self.visibility) if self.visibility else None
        return FolderChange(self.name, rule, "parent_id" in self.model_fields_set, self.parent_id, visibility)


@workspace.get("")
async def list_folders(
    instanceId: UUID, query: Annotated[FolderQuery, Query()], principal: CurrentPrincipal, services: AppServices
) -> PageOf[Folder]:
    found = await services.folders.list(principal, instanceId, query.request(), deleted=query.deleted)
    return page_of(found, lambda folder: folder)


@workspace.post("", status_code=201)
async def create_folder(
    instanceId: UUID, body: NewFolder, principal: CurrentPrincipal, services: AppServices
) -> Folder:
    visibility = Visibility(body.visibility) if body.visibility else None
    return await services.folders.create(principal, instanceId, body.name, body.parent_id, body.auto_rule, visibility)


@router.get("/{folderId}")
async def get_folder(folderId: UUID, principal: CurrentPrincipal, services: AppServices) -> Folder:
    return await services.folders.get(principal, folderId)


@router.patch("/{folderId}")
async def change_folder(
    folderId: UUID, body: FolderInput, principal: CurrentPrincipal, services: AppServices
) -> Folder:
    return await services.folders.change(principal, folderId, body.change())


@router.delete("/{folderId}", status_code=204)
async def delete_folder(folderId: UUID, principal: CurrentPrincipal, services: AppServices) -> None:
    """With what is in it, for thirty days. Files of others that you may not delete move up into the folder above."""
    await services.folders.delete(principal, folderId)


@router.post("/{folderId}/restore")
async def restore_folder(folderId: UUID, principal: CurrentPrincipal, services: AppServices) -> Folder:
    """With everything that was deleted with it."""
    return await services.folders.restore(principal, folderId)
