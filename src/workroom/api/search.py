"""One search over a workspace: files, conversations, agents, people, notes and todos."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.core.languages import DEFAULT_LANGUAGE, Language
from workroom.core.wire import Wire
from workroom.search.types import SearchKind, SearchResult

router = APIRouter(prefix="/api/workspace/{instanceId}/search", tags=["search"])

MOST = 50


class SearchParameters(Wire):
    """`kinds`: all of them unless some are named. `limit` is for each kind. `language` is that of shipped agents' names."""

    q: str = Field("", max_length=200)
    kinds: list[SearchKind] = Field([], max_length=len(SearchKind))
    limit: int = Field(5, ge=1, le=MOST)
    language: Language = DEFAULT_LANGUAGE


@router.get("")
async def search_workspace(
    instanceId: UUID, query: Annotated[SearchParameters, Query()], principal: CurrentPrincipal, services: AppServices
) -> SearchResult:
    """What has all the words of `q`, and the passages of files that answer it. `gaps` names kinds that could not be searched,
    were too slow, or were searched in part. Names (`file`, `conversation`, …) are found quicker than contents (`passage`,
    `message`): asked for in two requests, they can be shown at once. Without words, the newest of the names in `kinds`."""
    text = query.q.replace("\x00", "")
    kinds = query.kinds or (list(SearchKind) if text.strip() else [])
    return await services.search.find(principal, instanceId, text, kinds, query.limit, query.language)
