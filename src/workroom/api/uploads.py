"""Uploads: begin, send chunks, finish. After a lost connection or a restart: ask for the offset and go on from there."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Header, Request
from pydantic import Field
from starlette.requests import ClientDisconnect
from starlette.types import Scope

from workroom.api.files import Name
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.core.errors import InvalidInput
from workroom.core.wire import Wire
from workroom.files.types import CHUNK_BYTES, File, NewFile, OnConflict, Upload

workspace = APIRouter(prefix="/api/workspace/{instanceId}/uploads", tags=["files"])
router = APIRouter(prefix="/api/uploads", tags=["files"])

CHUNK_PATH = re.compile(r"/api/uploads/[0-9A-Fa-f-]{32,36}")
LARGEST = 2**53 - 1  # what a browser counts exactly
RAW = {"requestBody": {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}}


class NewUpload(Wire):
    """`onConflict`: what to do with a file of that name: `version` (of one's own, the default), `rename`, or `fail`."""

    name: Name
    size: int = Field(ge=0, le=LARGEST)
    folder_id: UUID | None = None
    media_type: str | None = Field(None, max_length=300)
    on_conflict: OnConflict | None = None


class UploadBegun(Wire):
    upload_id: UUID
    offset: int
    chunk_size: int


class UploadProgress(Wire):
    offset: int


class FinishInput(Wire):
    """`sha256` of the whole, if the sender knows it: what was damaged on its way is not stored then."""

    sha256: str | None = Field(None, pattern=r"^[0-9A-Fa-f]{64}$")


@workspace.post("", status_code=201)
async def begin_upload(
    instanceId: UUID, body: NewUpload, principal: CurrentPrincipal, services: AppServices
) -> UploadBegun:
    """Refused at once if there is no room for it, or no such folder."""
    new = NewFile(body.name, body.folder_id, body.media_type, body.on_conflict)
    upload = await services.uploads.begin(principal, instanceId, new, body.size)
    return UploadBegun(upload_id=upload.id, offset=upload.offset, chunk_size=CHUNK_BYTES)


@router.get("/{uploadId}")
async def get_upload(uploadId: UUID, principal: CurrentPrincipal, services: AppServices) -> Upload:
    return await services.uploads.get(principal, uploadId)


@router.patch("/{uploadId}", openapi_extra=RAW)
async def append_to_upload(
    request: Request,
    uploadId: UUID,
    principal: CurrentPrincipal,
    services: AppServices,
    offset: Annotated[int, Header(alias="Upload-Offset", ge=0, le=LARGEST)] = 0,
) -> UploadProgress:
    """The next chunk, at most 8 MiB, as it is. One that does not begin at the offset gets 409 with the true one."""
    return UploadProgress(offset=await services.uploads.append(principal, uploadId, offset, _chunks(request)))


@router.post("/{uploadId}/finish")
async def finish_upload(uploadId: UUID, body: FinishInput, principal: CurrentPrincipal, services: AppServices) -> File:
    """What was sent becomes a file, or a version of one. Repeating it is safe: it makes one file."""
    return await services.uploads.finish(principal, uploadId, body.sha256)


@router.delete("/{uploadId}", status_code=204)
async def cancel_upload(uploadId: UUID, principal: CurrentPrincipal, services: AppServices) -> None:
    await services.uploads.cancel(principal, uploadId)


def chunk_limit(scope: Scope) -> int | None:
    """What the frame lets through beyond other bodies: this method on this path, up to a chunk."""
    is_chunk = scope["method"] == "PATCH" and CHUNK_PATH.fullmatch(scope["path"]) is not None
    return CHUNK_BYTES if is_chunk else None


async def _chunks(request: Request) -> AsyncIterator[bytes]:
    try:
        async for chunk in request.stream():
            yield chunk
    except ClientDisconnect:
        raise InvalidInput("The connection was lost in the middle of a chunk; it does not count.") from None
