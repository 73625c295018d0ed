"""What people change on the map of a conversation with their own hands. What agents do there is in the messages."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.conversations.types import MadeEdit
from workroom.core.map_edits import MapEdit
from workroom.core.wire import Wire
from workroom.runs.maps import Edits

router = APIRouter(prefix="/api/workspace/{instanceId}/conversations/{workflowId}/map", tags=["map"])


class MapEdits(Wire):
    """Oldest first, on all branches of the conversation: each counts after the actions of its message, on branches that have
    it. `mayEdit`: whether you may change the map."""

    edits: list[MadeEdit]
    may_edit: bool

    @classmethod
    def of(cls, state: Edits) -> MapEdits:
        return cls(edits=list(state.made), may_edit=state.may_edit)


class MapEditInput(Wire):
    """`afterMessageId` is the last message that was there when it was done."""

    after_message_id: UUID
    edit: MapEdit


@router.get("/edits")
async def get_map_edits(
    instanceId: UUID, workflowId: UUID, principal: CurrentPrincipal, services: AppServices
) -> MapEdits:
    return MapEdits.of(await services.maps.edits(principal, instanceId, workflowId))


@router.post("/edits")
async def edit_map(
    instanceId: UUID, workflowId: UUID, body: MapEditInput, principal: CurrentPrincipal, services: AppServices
) -> MapEdits:
    """The same thing done again after the same message takes the place of what was done before. Answers all there are."""
    return MapEdits.of(await services.maps.edit(principal, instanceId, workflowId, body.after_message_id, body.edit))
