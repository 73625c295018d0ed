"""Instructions for every agent: of the platform, the organisation, a workspace, and oneself."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter
from pydantic import Field

from workroom.agents.instructions.store import Subject
from workroom.agents.instructions.types import LONGEST, Instruction, InstructionVersion
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import Listed, PageOf, page_of
from workroom.core.pages import Page
from workroom.core.wire import Wire

router = APIRouter(prefix="/api/instructions", tags=["instructions"])
workspace = APIRouter(prefix="/api/instances/{instanceId}/instructions", tags=["instructions"])


class InstructionLevels(Wire):
    """In the order in which they count. `instance` only where a workspace is named."""

    platform: Instruction
    mandate: Instruction
    instance: Instruction | None = None
    user: Instruction | None = None


class InstructionInput(Wire):
    """`version` is the one that was read; 0 when there was none. An empty text takes them away."""

    text: str = Field(max_length=LONGEST)
    version: int = Field(ge=0, le=2**31 - 2)


@router.get("")
async def get_instructions(principal: CurrentPrincipal, services: AppServices) -> InstructionLevels:
    return _levels(await services.instructions.all(principal))


@router.get("/platform/versions")
async def list_platform_instructions(
    query: Listed, principal: CurrentPrincipal, services: AppServices
) -> PageOf[InstructionVersion]:
    return _page(await services.instructions.versions(principal, None, query.request()))


@router.put("/mandate")
async def put_mandate_instructions(
    body: InstructionInput, principal: CurrentPrincipal, services: AppServices
) -> Instruction:
    """For all agents of the organisation."""
    return await services.instructions.put(principal, Subject(principal.mandate_id), body.text, body.version)


@router.get("/mandate/versions")
async def list_mandate_instructions(
    query: Listed, principal: CurrentPrincipal, services: AppServices
) -> PageOf[InstructionVersion]:
    return _page(await services.instructions.versions(principal, Subject(principal.mandate_id), query.request()))


@router.put("/user")
async def put_own_instructions(
    body: InstructionInput, principal: CurrentPrincipal, services: AppServices
) -> Instruction:
    """For all agents that answer you."""
    return await services.instructions.put(
        principal, Subject(principal.mandate_id, user_id=principal.user_id), body.text, body.version
    )


@router.get("/user/versions")
async def list_own_instructions(
    query: Listed, principal: CurrentPrincipal, services: AppServices
) -> PageOf[InstructionVersion]:
    subject = Subject(principal.mandate_id, user_id=principal.user_id)
    return _page(await services.instructions.versions(principal, subject, query.request()))


@workspace.get("")
async def get_workspace_instructions(
    instanceId: UUID, principal: CurrentPrincipal, services: AppServices
) -> InstructionLevels:
    """Everything agents are told here beside what they are."""
    return _levels(await services.instructions.all(principal, instanceId))


@workspace.put("")
async def put_workspace_instructions(
    instanceId: UUID, body: InstructionInput, principal: CurrentPrincipal, services: AppServices
) -> Instruction:
    """For all agents of the workspace."""
    subject = Subject(principal.mandate_id, instance_id=instanceId)
    return await services.instructions.put(principal, subject, body.text, body.version)


@workspace.get("/versions")
async def list_workspace_instructions(
    instanceId: UUID, query: Listed, principal: CurrentPrincipal, services: AppServices
) -> PageOf[InstructionVersion]:
    subject = Subject(principal.mandate_id, instance_id=instanceId)
    return _page(await services.instructions.versions(principal, subject, query.request()))


def _levels(versions: list[Instruction]) -> InstructionLevels:
    return InstructionLevels(**{one.scope.value: one for one in versions})


def _page(versions: Page[InstructionVersion]) -> PageOf[InstructionVersion]:
    return page_of(versions, lambda version: version)
