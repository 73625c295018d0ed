"""Values of files and folders."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal
from uuid import UUID

from pydantic import Field

from workroom.core.wire import Wire
from workroom.identity.sharing import Visibility

CHUNK_BYTES = 8 * 1024 * 1024
ROOT: Literal["root"] = "root"


class FileStatus(StrEnum):
    ACTIVE = "active"
    ARCHIVED = "archived"
    PROCESSING = "processing"  # set by the jobs that scan a file, not by people


class OnConflict(StrEnum):
    """What to do when a file of that name exists."""

    VERSION = "version"
    RENAME = "rename"
    FAIL = "fail"


class File(Wire):
    """`filedBy` is the rule that put it into its folder, if one did; `sharedWith` are persons who may read it besides."""

    id: UUID
    instance_id: UUID
    owner_id: UUID
    folder_id: UUID | None
    filed_by: str | None
    name: str
    description: str
    tags: list[str]
    status: FileStatus
    visibility: Visibility
    version: int
    hash: str
    size: int
    media_type: str
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None
    deleted_with: UUID | None = None
    shared_with: list[UUID] = Field(default_factory=list)


class FileVersion(Wire):
    """`agentName`: the agent that wrote it in the name of `madeBy`, in this run; none where a person did."""

    version: int
    hash: str
    size: int
    media_type: str
    made_by: UUID | None
    made_by_name: str | None
    made_at: datetime
    restored_from: int | None
    known: bool = False  # `mediaType` was detected from the content, not only declared
    lie: str | None = None  # how name and content disagree
    agent_id: UUID | None = None
    agent_name: str = ""
    run_id: UUID | None = None


class Folder(Wire):
    """`visibility` is `MY` or `GROUP`, for the folder alone: files in it keep their own."""

    id: UUID
    instance_id: UUID
    owner_id: UUID | None
    parent_id: UUID | None
    name: str
    auto_rule: str | None
    visibility: Visibility
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None
    deleted_with: UUID | None = None


class Upload(Wire):
    """`offset` is how many bytes are stored; the next chunk begins there. `fileId` once it is finished."""

    id: UUID
    instance_id: UUID
    folder_id: UUID | None
    name: str
    media_type: str | None
    on_conflict: OnConflict | None
    size: int
    offset: int
    hash: str | None
    file_id: UUID | None
    created_at: datetime


@dataclass(frozen=True)
class NewFile:
    """Metadata of a file to store. Without `on_conflict`: a new version of the principal's own file, else a numbered name."""

    name: str
    folder_id: UUID | None = None
    media_type: str | None = None
    on_conflict: OnConflict | None = None
    tags: tuple[str, ...] = ()
    description: str = ""
    visibility: Visibility = Visibility.MY


@dataclass(frozen=True)
class FileChange:
    """None leaves a field as it is; `move` puts it into `folder_id`, which may be none."""

    name: str | None = None
    description: str | None = None
    tags: tuple[str, ...] | None = None
    status: FileStatus | None = None
    visibility: Visibility | None = None
    shared_with: tuple[UUID, ...] | None = None
    move: bool = False
    folder_id: UUID | None = None


@dataclass(frozen=True)
class FolderChange:
    """None leaves a field as it is; `move` puts it into `parent_id`, which may be none; an empty rule takes it away."""

    name: str | None = None
    auto_rule: str | None = None
    move: bool = False
    parent_id: UUID | None = None
    visibility: Visibility | None = None


@dataclass(frozen=True)
class FileFilter:
    """`folder_id`: a folder, `root` for files in none, nothing for all. All `tags` must be there; `pattern` is a glob."""

    folder_id: UUID | Literal["root"] | None = None
    tags: tuple[str, ...] = ()
    type: str | None = None
    pattern: str | None = None
    status: FileStatus | None = None
    visibility: Visibility | None = None
    deleted: bool = False
