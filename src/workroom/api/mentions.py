"""Completion of `@`: files, folders, what lies in archives, and in the conversation about a project its blocks."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.contents.mentions import Suggestion
from workroom.core.wire import Wire

router = APIRouter(prefix="/api/workspace/{instanceId}", tags=["files"])


class Suggestions(Wire):
    items: list[Suggestion]


@router.get("/mentions")
async def list_mentions(
    instanceId: UUID,
    principal: CurrentPrincipal,
    services: AppServices,
    q: Annotated[str, Query(max_length=500)] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
    workflowId: UUID | None = None,
) -> Suggestions:
    """What `@` and the text typed so far can mean; `archive.zip/` lists what lies in that archive. With the conversation that is
    written in (`workflowId`), also the blocks of its project, which come first."""
    files = await services.mentions.suggest(principal, instanceId, q, limit)
    if workflowId is None:
        return Suggestions(items=files)
    blocks = await services.studio.mentions.suggest(principal, instanceId, workflowId, q, limit)
    return Suggestions(items=[*blocks[: max(limit - len(files), (limit + 1) // 2)], *files][:limit])
