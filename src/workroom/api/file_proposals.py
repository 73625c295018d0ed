"""Changes to files that agents propose without waiting for an answer: looked at, accepted in whole or in part, rejected."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter
from pydantic import Field

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.contents.file_edits import LARGEST
from workroom.contents.types import FileProposal, OpenProposal
from workroom.core.wire import Wire

router = APIRouter(prefix="/api/files/{fileId}/proposals", tags=["files"])


class FileProposalList(Wire):
    """Oldest first."""

    items: list[OpenProposal]


class DecisionInput(Wire):
    """`text` is what is accepted when that is only a part of the proposal: `before` with some of its changes."""

    accepted: bool
    text: str | None = Field(None, max_length=LARGEST)


@router.get("")
async def list_file_proposals(fileId: UUID, principal: CurrentPrincipal, services: AppServices) -> FileProposalList:
    """Those that wait for a decision, without their texts."""
    return FileProposalList(items=list(await services.file_proposals.open_ones(principal, fileId)))


@router.get("/{proposalId}")
async def get_file_proposal(
    fileId: UUID, proposalId: UUID, principal: CurrentPrincipal, services: AppServices
) -> FileProposal:
    return await services.file_proposals.get(principal, fileId, proposalId)


@router.post("/{proposalId}/decision")
async def decide_file_proposal(
    fileId: UUID, proposalId: UUID, body: DecisionInput, principal: CurrentPrincipal, services: AppServices
) -> FileProposal:
    """Once. What is accepted is merged with the newest version; `fileChanged` with `details.lines` says where that has changed
    the same lines. Then the proposal stays open."""
    decide = services.file_proposals.decide
    return await decide(principal, fileId, proposalId, accepted=body.accepted, text=body.text)
