"""Completion of `@`: files, folders, and what lies in archives."""

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
) -> Suggestions:
    """What `@` and the text typed so far can mean; `archive.zip/` lists what lies in that archive."""
    return Suggestions(items=await services.mentions.suggest(principal, instanceId, q, limit))
