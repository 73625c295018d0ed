"""Folders of a workspace, as a flat list: `parentId` makes the tree."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field

from workroom.api.files import Name
from workroom.api.frame.paging import ListQuery, PageOf, page_of
from workroom.api.frame.signed_in import Served, Who
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
    instanceId: UUID, query: Annotated[FolderQuery, Query()], who: Who, served: Served
) -> PageOf[Folder]:
    found = await served.folders.list(who, instanceId, query.request(), deleted=query.deleted)
    return page_of(found, lambda folder: folder)


@workspace.post("", status_code=201)
async def create_folder(instanceId: UUID, body: NewFolder, who: Who, served: Served) -> Folder:
    visibility = Visibility(body.visibility) if body.visibility else None
    return await served.folders.create(who, instanceId, body.name, body.parent_id, body.auto_rule, visibility)


@router.get("/{folderId}")
async def get_folder(folderId: UUID, who: Who, served: Served) -> Folder:
    return await served.folders.get(who, folderId)


@router.patch("/{folderId}")
async def change_folder(folderId: UUID, body: FolderInput, who: Who, served: Served) -> Folder:
    return await served.folders.change(who, folderId, body.change())


@router.delete("/{folderId}", status_code=204)
async def delete_folder(folderId: UUID, who: Who, served: Served) -> None:
    """With what is in it, for thirty days. Files of others that you may not delete move up into the folder above."""
    await served.folders.delete(who, folderId)


@router.post("/{folderId}/restore")
async def restore_folder(folderId: UUID, who: Who, served: Served) -> Folder:
    """With everything that was deleted with it."""
    return await served.folders.restore(who, folderId)
