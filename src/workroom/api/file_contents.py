"""What files contain, as bytes: whole or in ranges, with a session or by a link that lasts ten minutes.

A file is untrusted content on our own origin. It is handed out to be saved, under a type no browser runs; a few
kinds that cannot carry a script may be shown, in a sandbox (THREATS S13, S20).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any
from urllib.parse import quote
from uuid import UUID

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import Field

from workroom.api.frame import errors
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.ranges import Unsatisfiable, asked_range, is_known
from workroom.api.services import Services
from workroom.contents.types import StoredDocument
from workroom.core.paths import safe_name
from workroom.core.wire import Wire
from workroom.files.names import UNKNOWN_TYPE
from workroom.files.service import Content
from workroom.identity.types import Principal

router = APIRouter(prefix="/api/files", tags=["files"])

SHOWN = frozenset(
    {"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "application/pdf", "text/plain"}
    | {"audio/mpeg", "audio/ogg", "audio/wav", "audio/mp4", "audio/webm", "audio/flac", "video/mp4", "video/webm"}
)
POLICY = "default-src 'none'; sandbox"
BYTES: dict[int | str, dict[str, Any]] = {
    200: {"content": {UNKNOWN_TYPE: {"schema": {"type": "string", "format": "binary"}}}}
}
Version = Annotated[int | None, Query(ge=1, le=2**31 - 1)]
Inside = Annotated[str, Query(max_length=4096, description="Path of a file in this archive or mail.")]
RangeHeader = Annotated[str | None, Header(alias="Range")]
KnownHeader = Annotated[str | None, Header(alias="If-None-Match")]
IfRangeHeader = Annotated[str | None, Header(alias="If-Range")]


@dataclass(frozen=True)
class Shown:
    """Bytes with a name: those of a file, or of something in it."""

    name: str
    media_type: str
    size: int
    hash: str
    open: Callable[[int, int], Awaitable[AsyncIterator[bytes]]]


class LinkInput(Wire):
    """No version: the newest one, and that one also when there is a newer one meanwhile."""

    version: int | None = Field(None, ge=1, le=2**31 - 1)
    inline: bool = False


class FileLinkView(Wire):
    url: str
    expires_at: datetime


@router.get("/linked", response_class=StreamingResponse, responses=BYTES)
async def get_linked_file(
    request: Request,
    services: AppServices,
    token: Annotated[str, Query(max_length=400)],
    inline: bool = False,
    range_: RangeHeader = None,
    known: KnownHeader = None,
    if_range: IfRangeHeader = None,
) -> Response:
    """By a link of `POST /api/files/{fileId}/link`, as long as the person it was made for may read the file."""
    shown = _file(services, await services.file_links.read(token))
    return await _response(request, shown, inline, range_, known, if_range)


@router.get("/{fileId}/content", response_class=StreamingResponse, responses=BYTES)
async def get_file_content(
    request: Request,
    fileId: UUID,
    principal: CurrentPrincipal,
    services: AppServices,
    version: Version = None,
    inside: Inside = "",
    inline: bool = False,
    range_: RangeHeader = None,
    known: KnownHeader = None,
    if_range: IfRangeHeader = None,
) -> Response:
    """To be saved; `inline` shows it, if it is of a kind that is safe to show. `inside`: a file in this archive. Answers
    ranges; its ETag is its SHA-256."""
    if inside:
        shown = _member(services, principal, await services.reader.place(principal, fileId, inside, version))
    else:
        shown = _file(services, await services.files.read(principal, fileId, version))
    return await _response(request, shown, inline, range_, known, if_range)


@router.post("/{fileId}/link")
async def make_file_link(
    fileId: UUID, body: LinkInput, principal: CurrentPrincipal, services: AppServices
) -> FileLinkView:
    """An address that opens this version for ten minutes without a session, in the name of the one who asked for it."""
    link = await services.file_links.make(principal, fileId, body.version)
    url = f"/api/files/linked?token={link.token}" + ("&inline=true" if body.inline else "")
    return FileLinkView(url=url, expires_at=link.expires_at)


def _file(services: Services, content: Content) -> Shown:
    async def read(start: int, stop: int) -> AsyncIterator[bytes]:
        return await services.files.open(content, start, stop)

    return Shown(content.file.name, content.version.media_type, content.version.size, content.version.hash, read)


def _member(services: Services, principal: Principal, place: StoredDocument) -> Shown:
    async def read(start: int, stop: int) -> AsyncIterator[bytes]:
        return services.reader.bytes(principal, place, start, stop)

    return Shown(place.name, place.key.media_type, place.size, place.key.hash, read)


async def _response(
    request: Request, shown: Shown, inline: bool, range_: str | None, known: str | None, if_range: str | None
) -> Response:
    tag = f'"{shown.hash}"'
    headers = headers_for(shown.name, shown.media_type, tag, inline=inline)
    if is_known(known, tag):
        return Response(status_code=304, headers=headers)
    try:
        span = asked_range(range_ if if_range in (None, tag) else None, shown.size)
    except Unsatisfiable:
        said = errors.body("invalidInput", f"This file has only {shown.size:,} bytes.", request.state.trace_id)
        return JSONResponse(said, 416, {"Content-Range": f"bytes */{shown.size}"})
    start, stop = span or (0, shown.size)
    headers["Content-Length"] = str(stop - start)
    if span is not None:
        headers["Content-Range"] = f"bytes {start}-{stop - 1}/{shown.size}"
    return StreamingResponse(await shown.open(start, stop), 206 if span else 200, headers, media_type=None)


def headers_for(name: str, kind: str, tag: str, *, inline: bool) -> dict[str, str]:
    """For untrusted bytes: to be saved, or shown if that is safe."""
    shown = inline and kind in SHOWN
    name = safe_name(name)
    plain = "".join(char if char.isascii() and char.isprintable() and char not in '"\\' else "_" for char in name)
    return {
        "Content-Type": ("text/plain; charset=utf-8" if kind == "text/plain" else kind) if shown else UNKNOWN_TYPE,
        "Content-Disposition": f"{'inline' if shown else 'attachment'}; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}",
        "Content-Security-Policy": POLICY,
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-cache",
        "ETag": tag,
        "Accept-Ranges": "bytes",
    }


def attachment_headers(name: str, media_type: str) -> dict[str, str]:
    """For a file that was made for this answer: to be saved."""
    headers = headers_for(name, media_type, "", inline=False)
    kept = ("Content-Disposition", "X-Content-Type-Options", "Cache-Control")
    return {"Content-Type": media_type, **{header: headers[header] for header in kept}}
