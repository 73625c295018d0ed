"""Files of a workspace: list, look, change, versions, trash. What they contain comes from `file_contents.py`."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import ListQuery, PageOf, page_of
from workroom.core.wire import Wire
from workroom.files.bulk import MOST_AT_ONCE, BulkAction, BulkChange
from workroom.files.names import LONGEST_NAME, LONGEST_TAG, MOST_TAGS
from workroom.files.new_files import LONGEST_DESCRIPTION
from workroom.files.types import File, FileChange, FileFilter, FileStatus, FileVersion
from workroom.identity.instances import MOST_PERSONS
from workroom.identity.sharing import Visibility

workspace = APIRouter(prefix="/api/workspace/{instanceId}/files", tags=["files"])
router = APIRouter(prefix="/api/files", tags=["files"])

NO_NUL = r"^[^\x00]*$"
# In the form they arrive; how long they are once they are normalised is checked where they are stored.
Name = Annotated[str, Field(max_length=4 * LONGEST_NAME)]
Tag = Annotated[str, Field(max_length=4 * LONGEST_TAG)]
Persons = Annotated[list[UUID], Field(max_length=MOST_PERSONS)]


class FileQuery(ListQuery):
    """`folderId=root`: files in no folder. `pattern` is a name with `*` and `?`. `visibility=ALL`: of the whole mandate."""

    folder_id: UUID | Literal["root"] | None = None
    tags: list[Tag] = Field([], max_length=MOST_TAGS)
    type: str | None = Field(None, min_length=1, max_length=100, pattern=NO_NUL)
    pattern: str | None = Field(None, min_length=1, max_length=LONGEST_NAME, pattern=NO_NUL)
    status: FileStatus | None = None
    visibility: Visibility | None = None
    deleted: bool = False

    def filter(self) -> FileFilter:
        return FileFilter(
            self.folder_id, tuple(self.tags), self.type, self.pattern, self.status, self.visibility, self.deleted
        )


class FileInput(Wire):
    """A field that is not there stays as it is; `folderId: null` takes the file out of its folder."""

    name: Name | None = None
    description: str | None = Field(None, max_length=2 * LONGEST_DESCRIPTION)
    tags: list[Tag] | None = Field(None, max_length=2 * MOST_TAGS)
    status: FileStatus | None = None
    visibility: Visibility | None = None
    shared_with: Persons | None = None
    folder_id: UUID | None = None

    def change(self) -> FileChange:
        return FileChange(
            self.name,
            self.description,
            None if self.tags is None else tuple(self.tags),
            self.status,
            self.visibility,
            None if self.shared_with is None else tuple(self.shared_with),
            move="folder_id" in self.model_fields_set,
            folder_id=self.folder_id,
        )


class BulkInput(Wire):
    """`folderId` for `move`, `tags` for `tag` and `untag`, `visibility` for `share`."""

    ids: list[UUID] = Field(max_length=MOST_AT_ONCE)
    action: BulkAction
    folder_id: UUID | None = None
    tags: list[Tag] = Field([], max_length=MOST_TAGS)
    visibility: Visibility | None = None


class BulkDone(Wire):
    items: list[File]


class ShareInput(Wire):
    """`MY`: its owner and the persons in `sharedWith`; `GROUP`: its workspace; `ALL`: everybody, which needs access level ALL to
    files. Without `sharedWith` the persons stay as they are."""

    file_ids: list[UUID] = Field(min_length=1, max_length=MOST_AT_ONCE)
    visibility: Visibility
    shared_with: Persons | None = None


class SharedFiles(Wire):
    """In the order in which they were named, as they are now."""

    items: list[File]


class FileVersions(Wire):
    """Newest first."""

    items: list[FileVersion]


class VersionInput(Wire):
    version: int = Field(ge=1, le=2**31 - 1)


@workspace.get("")
async def list_files(
    instanceId: UUID, query: Annotated[FileQuery, Query()], principal: CurrentPrincipal, services: AppServices
) -> PageOf[File]:
    """`q` searches names, descriptions and tags; `sort` is `name`, `size`, `type`, `createdAt` or `updatedAt`."""
    return page_of(await services.files.list(principal, instanceId, query.request(), query.filter()), lambda file: file)


@workspace.post("/bulk")
async def change_files(
    instanceId: UUID, body: BulkInput, principal: CurrentPrincipal, services: AppServices
) -> BulkDone:
    """All of them, or none: then `details.errors` says which could not be changed, and why."""
    wanted = BulkChange(body.action, body.folder_id, tuple(body.tags), body.visibility)
    return BulkDone(items=list(await services.files.change_many(principal, instanceId, body.ids, wanted)))


@router.post("/share")
async def share_files(body: ShareInput, principal: CurrentPrincipal, services: AppServices) -> SharedFiles:
    """Says who sees files, of any workspace: promotes them (`ALL`), or takes them back (`GROUP`, `MY`), at once and
    everywhere. All of them or none: `details.errors` says which could not be, and why."""
    shared = await services.files.share(principal, body.file_ids, body.visibility, body.shared_with)
    return SharedFiles(items=list(shared))


@router.get("/{fileId}")
async def get_file(fileId: UUID, principal: CurrentPrincipal, services: AppServices) -> File:
    return await services.files.get(principal, fileId)


@router.patch("/{fileId}")
async def change_file(fileId: UUID, body: FileInput, principal: CurrentPrincipal, services: AppServices) -> File:
    return await services.files.change(principal, fileId, body.change())


@router.delete("/{fileId}", status_code=204)
async def delete_file(fileId: UUID, principal: CurrentPrincipal, services: AppServices, forever: bool = False) -> None:
    """It can be restored for thirty days. `forever` removes what is in the trash already."""
    await services.files.delete(principal, fileId, forever=forever)


@router.post("/{fileId}/restore")
async def restore_file(fileId: UUID, principal: CurrentPrincipal, services: AppServices) -> File:
    """Out of the trash, into its folder if that is still there; with a number if its name is taken by now."""
    return await services.files.restore(principal, fileId)


@router.get("/{fileId}/versions")
async def list_file_versions(fileId: UUID, principal: CurrentPrincipal, services: AppServices) -> FileVersions:
    return FileVersions(items=list(await services.files.versions(principal, fileId)))


@router.post("/{fileId}/versions/restore")
async def restore_file_version(
    fileId: UUID, body: VersionInput, principal: CurrentPrincipal, services: AppServices
) -> File:
    """Makes a new version of an old one; nothing in between is lost."""
    return await services.files.restore_version(principal, fileId, body.version)
