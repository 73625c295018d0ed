"""Text files as people edit them: what is in one, saving it, a new one."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter
from pydantic import Field

from workroom.api.file_contents import Version
from workroom.api.files import Name
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.contents.text_files import FileText
from workroom.core.wire import Wire
from workroom.files.types import File

workspace = APIRouter(prefix="/api/workspace/{instanceId}/files", tags=["files"])
router = APIRouter(prefix="/api/files", tags=["files"])

# Longer ones than can be stored get an answer that says so (`contents/text_files.py`).
Text = Annotated[str, Field(max_length=2_000_000)]


class TextWrite(Wire):
    """`version` names the one the text was made from; if that is not the newest, nothing is overwritten."""

    version: int = Field(ge=1, le=2**31 - 1)
    text: Text


class TextFileNew(Wire):
    """`name` with its ending, such as `.md`."""

    name: Name
    text: Text = ""
    folder_id: UUID | None = None


@workspace.post("/text", status_code=201)
async def create_text_file(
    instanceId: UUID, body: TextFileNew, principal: CurrentPrincipal, services: AppServices
) -> File:
    """A new text file, in UTF-8. `fileExists` when there is one of that name."""
    return await services.text_files.create(principal, instanceId, body.name, body.text, body.folder_id)


@router.get("/{fileId}/text")
async def get_file_text(
    fileId: UUID, principal: CurrentPrincipal, services: AppServices, version: Version = None
) -> FileText:
    """The newest version, or another one, to be edited or compared: texts of up to a megabyte, in any encoding."""
    return await services.text_files.read(principal, fileId, version)


@router.put("/{fileId}/text")
async def write_file_text(
    fileId: UUID, body: TextWrite, principal: CurrentPrincipal, services: AppServices
) -> FileText:
    """Makes a new version, if anything is different. Encoding, byte order mark and line ends stay those of the file; it becomes
    UTF-8 where its encoding lacks a character. `fileChanged` when another version is the newest: its number is in `details`."""
    return await services.text_files.write(principal, fileId, body.version, body.text)
