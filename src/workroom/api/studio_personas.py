"""Personas of a project, and how its content was judged."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter
from pydantic import Field

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import Listed, PageOf, page_of
from workroom.core.wire import Wire
from workroom.studio.types import LONGEST_NAME, AudiencePersona, ContentEvaluation, Line, PersonaContent

PREFIX = "/api/workspace/{instanceId}/studio/projects/{projectId}"
router = APIRouter(prefix=f"{PREFIX}/personas", tags=["studio"])
evaluations = APIRouter(prefix=f"{PREFIX}/evaluations", tags=["studio"])

Lines = Annotated[list[Line] | None, Field(max_length=12)]


class PersonaInput(Wire):
    """`version` names the one the change was made from; if that is not the newest, nothing is overwritten. What is not named
    stays as it is."""

    version: int = Field(ge=1, le=2**31 - 1)
    name: str | None = Field(None, max_length=LONGEST_NAME)
    summary: str | None = Field(None, max_length=1_000)
    situation: str | None = Field(None, max_length=2_000)
    goals: Lines = None
    pains: Lines = None
    habits: Lines = None
    basis: str | None = Field(None, max_length=1_000)

    def changes(self) -> dict[str, Any]:
        return {name: value for name in PersonaContent.model_fields if (value := getattr(self, name)) is not None}


class ContentEvaluationView(ContentEvaluation):
    """`average` of its scores."""

    average: float

    @classmethod
    def of(cls, made: ContentEvaluation) -> ContentEvaluationView:
        copied = {name: getattr(made, name) for name in ContentEvaluation.model_fields}
        return cls(**copied, average=made.overall)


@router.get("")
async def list_personas(
    instanceId: UUID, projectId: UUID, principal: CurrentPrincipal, services: AppServices, deleted: bool = False
) -> list[AudiencePersona]:
    """Oldest first. `deleted`: those in the trash."""
    return await services.studio.personas.list(principal, instanceId, projectId, deleted=deleted)


@router.post("", status_code=201)
async def add_persona(
    instanceId: UUID, projectId: UUID, body: PersonaContent, principal: CurrentPrincipal, services: AppServices
) -> AudiencePersona:
    return await services.studio.personas.add(principal, instanceId, projectId, body)


@router.patch("/{personaId}")
async def change_persona(
    instanceId: UUID,
    projectId: UUID,
    personaId: UUID,
    body: PersonaInput,
    principal: CurrentPrincipal,
    services: AppServices,
) -> AudiencePersona:
    return await services.studio.personas.change(
        principal, instanceId, projectId, personaId, body.version, body.changes()
    )


@router.delete("/{personaId}", status_code=204)
async def delete_persona(
    instanceId: UUID, projectId: UUID, personaId: UUID, principal: CurrentPrincipal, services: AppServices
) -> None:
    """It can be restored for thirty days."""
    await services.studio.personas.delete(principal, instanceId, projectId, personaId)


@router.post("/{personaId}/restore")
async def restore_persona(
    instanceId: UUID, projectId: UUID, personaId: UUID, principal: CurrentPrincipal, services: AppServices
) -> AudiencePersona:
    return await services.studio.personas.restore(principal, instanceId, projectId, personaId)


@evaluations.get("")
async def list_content_evaluations(
    instanceId: UUID, projectId: UUID, query: Listed, principal: CurrentPrincipal, services: AppServices
) -> PageOf[ContentEvaluationView]:
    """Sorted by `madeAt`."""
    found = await services.studio.evaluations.list(principal, instanceId, projectId, query.request())
    return page_of(found, ContentEvaluationView.of)


@evaluations.get("/{evaluationId}")
async def get_content_evaluation(
    instanceId: UUID, projectId: UUID, evaluationId: UUID, principal: CurrentPrincipal, services: AppServices
) -> ContentEvaluationView:
    return ContentEvaluationView.of(
        await services.studio.evaluations.get(principal, instanceId, projectId, evaluationId)
    )
