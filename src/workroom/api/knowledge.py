"""Search over what the files of a workspace say, and how far each file has come."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.core.wire import Wire
from workroom.knowledge.search import LONGEST_QUERY
from workroom.knowledge.types import ContentChunk, IndexStatus, Passage
from workroom.knowledge.types import Query as Asked

workspace = APIRouter(prefix="/api/workspace/{instanceId}/knowledge", tags=["knowledge"])
router = APIRouter(prefix="/api/files/{fileId}/knowledge", tags=["knowledge"])

MOST = 50
MOST_FILES = 200
MOST_CHUNKS = 100


class SearchQuery(Wire):
    """`meaning=false`: only the words are searched. `fileId`: only in these files."""

    q: str = Field(min_length=1, max_length=LONGEST_QUERY)
    limit: int = Field(15, ge=1, le=MOST)
    shared: int = Field(10, ge=0, le=MOST)
    meaning: bool = True
    file_id: list[UUID] = Field([], max_length=MOST_FILES)


class Passages(Wire):
    """Best first."""

    items: list[Passage]


class StatusesInput(Wire):
    file_ids: list[UUID] = Field(max_length=MOST_FILES)


class Statuses(Wire):
    items: list[IndexStatus]


class ContentChunks(Wire):
    """In reading order."""

    items: list[ContentChunk]
    next_cursor: str | None


@workspace.get("/search")
async def search_knowledge(
    instanceId: UUID, query: Annotated[SearchQuery, Query()], principal: CurrentPrincipal, services: AppServices
) -> Passages:
    """Passages of this workspace (at most `limit`) and of what everybody shares (at most `shared`), each with its place and
    why it was found."""
    asked = Asked(query.q, instanceId, query.limit, query.shared, tuple(query.file_id), query.meaning)
    return Passages(items=await services.knowledge.search(principal, asked))


@workspace.post("/status")
async def get_index_statuses(
    instanceId: UUID, body: StatusesInput, principal: CurrentPrincipal, services: AppServices
) -> Statuses:
    """Of several files at once; those one may not read are left out."""
    return Statuses(items=await services.knowledge.statuses(principal, instanceId, body.file_ids))


@router.get("")
async def get_index_status(fileId: UUID, principal: CurrentPrincipal, services: AppServices) -> IndexStatus:
    return await services.knowledge.status(principal, fileId)


@router.get("/chunks")
async def list_content_chunks(
    fileId: UUID,
    principal: CurrentPrincipal,
    services: AppServices,
    cursor: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_CHUNKS)] = MOST_CHUNKS,
) -> ContentChunks:
    """The passages the index has of this file, with their places. None while it is not indexed yet."""
    items, more = await services.knowledge.chunks(principal, fileId, cursor, limit)
    return ContentChunks(items=list(items), next_cursor=None if more is None else str(more))


@router.post("/again", status_code=202)
async def index_again(fileId: UUID, principal: CurrentPrincipal, services: AppServices) -> IndexStatus:
    """After what kept it from being indexed is mended."""
    return await services.knowledge.again(principal, fileId)


@router.post("/recognition", status_code=202)
async def recognise_pages(fileId: UUID, principal: CurrentPrincipal, services: AppServices) -> IndexStatus:
    """Recognises the text of pages that are pictures (`unread`), in the background, at most 500 at a time; then it is found."""
    return await services.knowledge.recognise(principal, fileId)


@router.delete("/recognition")
async def call_off_recognition(fileId: UUID, principal: CurrentPrincipal, services: AppServices) -> IndexStatus:
    """The pages that are done stay recognised."""
    return await services.knowledge.call_off(principal, fileId)
