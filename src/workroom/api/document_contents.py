"""What is in files: structure, pages, sheets, pictures, members of archives. `inside` names a file in an archive or mail."""

from __future__ import annotations

import re
from typing import Annotated, Any
from uuid import UUID
from zlib import crc32

from fastapi import APIRouter, Depends, Path, Query
from fastapi.responses import Response
from pydantic import Field

from workroom.api.file_contents import BYTES, Inside, KnownHeader, Version, headers_for
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.ranges import is_known
from workroom.contents.document import MOST_OBJECTS
from workroom.contents.parts import selection_of
from workroom.contents.service import MOST_TAKEN
from workroom.contents.types import FileContentIndex, MemberInfo, Reading, StoredDocument
from workroom.core.errors import InvalidInput
from workroom.core.wire import Wire
from workroom.documents.types import ContentObject, Element, Hit, PageText
from workroom.files.types import File

router = APIRouter(prefix="/api/files/{fileId}", tags=["files"])

SVG = "image/svg+xml"
# What we drew ourselves may carry its own pictures and styles; nothing else, and no script.
DRAWN = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox"
PageNumber = Annotated[int, Path(ge=1, le=1_000_000)]
Width = Annotated[int, Query(ge=100, le=3_000)]
CURSOR = re.compile(r"(\d{1,7})\.(\d{1,9})")


async def _place(
    fileId: UUID, principal: CurrentPrincipal, services: AppServices, inside: Inside = "", version: Version = None
) -> StoredDocument:
    """What is asked about, if this person may read it."""
    return await services.reader.place(principal, fileId, inside, version)


Asked = Annotated[StoredDocument, Depends(_place)]


class ObjectsView(Wire):
    """`cut`: the file has more than is kept of it."""

    items: list[ContentObject]
    next_cursor: str | None
    cut: bool


class HitsView(Wire):
    hits: list[Hit]
    more: bool


class MembersView(Wire):
    items: list[MemberInfo]
    next_cursor: str | None


class TakeOutInput(Wire):
    """Paths as `members` lists them, below `inside`."""

    paths: list[Annotated[str, Field(min_length=1, max_length=4096)]] = Field(min_length=1, max_length=MOST_TAKEN)
    inside: str = Field("", max_length=4096)
    folder_id: UUID | None = None


class TakenOut(Wire):
    items: list[File]


class RecogniseInput(Wire):
    """A page from 1, or the location of a picture."""

    page: int | None = Field(None, ge=1, le=1_000_000)
    location: str | None = Field(None, min_length=1, max_length=500)
    inside: str = Field("", max_length=4096)


class Recognised(Wire):
    text: str


@router.get("/reading")
async def get_reading(place: Asked, principal: CurrentPrincipal, services: AppServices) -> Reading:
    """Its structure; scans the file now if that has not happened yet. What is wrong with a file is in `problem`."""
    return await services.reader.reading(principal, place)


@router.get("/index")
async def get_content_index(fileId: UUID, principal: CurrentPrincipal, services: AppServices) -> FileContentIndex:
    return await services.reader.index(principal, fileId)


@router.get("/objects")
async def list_content_objects(
    place: Asked,
    principal: CurrentPrincipal,
    services: AppServices,
    part: Annotated[str | None, Query(max_length=300)] = None,
    cursor: Annotated[str | None, Query(max_length=20)] = None,
    limit: Annotated[int, Query(ge=1, le=MOST_OBJECTS)] = 100,
) -> ObjectsView:
    """What a part contains: `page:47`, `slide:3`, `sheet:Q4`, `section:s1.2`; no part: the whole file. Only what is asked
    for is read, once."""
    found = await services.reader.passages(principal, place, selection_of(part), after=_after(cursor), most=limit)
    more = f"{found.more[0]}.{found.more[1]}" if found.more else None
    return ObjectsView(items=found.objects, next_cursor=more, cut=found.cut)


@router.get("/element", response_class=Response, responses=BYTES)
async def get_element(
    place: Asked,
    principal: CurrentPrincipal,
    services: AppServices,
    location: Annotated[str, Query(min_length=1, max_length=500)],
    known: KnownHeader = None,
) -> Response:
    """A picture, recording or embedded object, by the location of its content object."""
    tag = f'"{place.key.hash}-{crc32(location.encode())}"'
    if is_known(known, tag):
        return Response(status_code=304, headers=headers_for(place.name, "", tag, inline=True))
    element = await services.reader.element(principal, place, location)
    return _bytes(element, element.name or place.name, tag)


@router.get("/pages/{page}/image", response_class=Response, responses=BYTES)
async def get_page_image(
    place: Asked,
    page: PageNumber,
    principal: CurrentPrincipal,
    services: AppServices,
    width: Width = 1_000,
    known: KnownHeader = None,
) -> Response:
    """A page or slide as a picture."""
    tag = f'"{place.key.hash}-{page}-{width}"'
    if is_known(known, tag):
        return Response(status_code=304, headers=headers_for(place.name, "", tag, inline=True))
    element = await services.reader.page_image(principal, place, page, width)
    response = _bytes(element, f"{place.name}-{page}", tag)
    if element.media_type == SVG:
        response.headers["Content-Type"] = SVG
        response.headers["Content-Security-Policy"] = DRAWN
    return response


@router.get("/pages/{page}/text")
async def get_page_text(place: Asked, page: PageNumber, principal: CurrentPrincipal, services: AppServices) -> PageText:
    """The words of a page and where they stand on it."""
    return await services.reader.page_text(principal, place, page)


@router.get("/find")
async def find_in_file(
    place: Asked,
    principal: CurrentPrincipal,
    services: AppServices,
    q: Annotated[str, Query(min_length=1, max_length=200)],
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    page: Annotated[int | None, Query(ge=1, le=1_000_000)] = None,
) -> HitsView:
    """Where a text occurs in this file, or on one page of it."""
    hits, more = await services.reader.search(principal, place, q, limit, page)
    return HitsView(hits=hits, more=more)


@router.get("/members")
async def list_file_members(
    place: Asked,
    principal: CurrentPrincipal,
    services: AppServices,
    q: Annotated[str, Query(max_length=200)] = "",
    cursor: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 1_000,
) -> MembersView:
    """What lies in an archive or a mail, in its own order; nothing is unpacked for that."""
    items, more = await services.reader.members(principal, place, start=cursor, limit=limit, text=q)
    return MembersView(items=items, next_cursor=None if more is None else str(more))


@router.post("/members/extract", status_code=201)
async def take_out_members(
    fileId: UUID, body: TakeOutInput, principal: CurrentPrincipal, services: AppServices
) -> TakenOut:
    """Makes files of members, in the workspace the archive belongs to; all of them or none."""
    paths = [f"{body.inside}/{path}" if body.inside else path for path in body.paths]
    return TakenOut(items=list(await services.reader.take_out(principal, fileId, paths, body.folder_id)))


@router.post("/ocr")
async def recognise_text(
    fileId: UUID, body: RecogniseInput, principal: CurrentPrincipal, services: AppServices
) -> Recognised:
    """Reads the text in a scanned page or a picture, once; what was read is kept."""
    place = await services.reader.place(principal, fileId, body.inside)
    return Recognised(text=await services.reader.recognise(principal, place, body.page, body.location))


def _after(cursor: str | None) -> tuple[int, int]:
    if cursor is None:
        return 0, 0
    if not (found := CURSOR.fullmatch(cursor)):
        raise InvalidInput("This is not a place where a list goes on.", field="cursor")
    return int(found[1]), int(found[2])


def _bytes(element: Element, name: str, tag: str) -> Response:
    headers: dict[str, Any] = headers_for(name, element.media_type, tag, inline=True)
    headers.pop("Accept-Ranges")
    return Response(element.data, headers=headers)
