"""Projects of the studio: content in phases. Deleting a project puts it into a trash, with everything in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import ListQuery, PageOf, page_of
from workroom.api.services import Services
from workroom.core.errors import NotFound
from workroom.core.languages import Language
from workroom.core.money import CHF
from workroom.core.wire import Wire
from workroom.identity.types import Principal
from workroom.studio.phases import PHASE_ORDER
from workroom.studio.project_phases import phase_name, phase_purpose, status_of
from workroom.studio.types import (
    LONGEST_DESCRIPTION,
    MOST_PHASES,
    BlockStatus,
    CreatorProfile,
    PhaseStatus,
    Project,
    ProjectChange,
    ProjectPhase,
)

router = APIRouter(prefix="/api/workspace/{instanceId}/studio/projects", tags=["studio"])
conversation = APIRouter(prefix="/api/workspace/{instanceId}/conversations/{workflowId}/project", tags=["studio"])

Spoken = Annotated[Language | None, Query(description="Of the names of phases; else the project's.")]


class ProjectQuery(ListQuery):
    """`sort` is `name`, `createdAt` or `updatedAt`."""

    deleted: bool = False


class PhaseView(Wire):
    """A phase of a project, as it is called there. `isOwn`: the project has added it. `ownName`: what the project calls it, if
    not what it is called everywhere."""

    code: str
    name: str
    own_name: str
    purpose: str
    hidden: bool
    is_own: bool
    status: PhaseStatus


class ProjectEntry(Project):
    """`blocks`: how many have which status."""

    blocks: dict[BlockStatus, int]


class ProjectView(Project):
    """`roadmap` has its phases in their order. `creatorProfile`: none, or that of `profileId` as far as it is not in the trash.
    `costCHF`: of all conversations about it."""

    roadmap: list[PhaseView]
    creator_profile: CreatorProfile | None
    cost_chf: CHF


class NewProject(Wire):
    """`language` is that of its content."""

    name: str = Field(max_length=200)
    description: str = Field("", max_length=LONGEST_DESCRIPTION)
    language: Language = "de"
    profile_id: UUID | None = None


class ProjectInput(Wire):
    """`version` names the one the change was made from; if that is not the newest, nothing is overwritten. What is not named
    stays as it is; `profileId` null takes the profile away. `phases` are all of them in their order; one with an unknown `code`
    is added under its name."""

    version: int = Field(ge=1, le=2**31 - 1)
    name: str | None = Field(None, max_length=200)
    description: str | None = Field(None, max_length=LONGEST_DESCRIPTION)
    language: Language | None = None
    profile_id: UUID | None = None
    phases: list[ProjectPhase] | None = Field(None, max_length=MOST_PHASES)

    def change(self) -> ProjectChange:
        without = "profile_id" in self.model_fields_set and self.profile_id is None
        return ProjectChange(self.name, self.description, self.language, self.profile_id, without, self.phases)


class AdvanceInput(Wire):
    """`targetPhase`: its code or a name of it; else the next one. `force`: also when blocks of the phase are empty."""

    target_phase: str | None = Field(None, min_length=1, max_length=200)
    force: bool = False


class ProjectConversation(Wire):
    """Your own conversation about the project."""

    workflow_id: UUID


class ConversationProject(Wire):
    """None: the conversation belongs to no project."""

    project: Project | None


@router.get("")
async def list_projects(
    instanceId: UUID, query: Annotated[ProjectQuery, Query()], principal: CurrentPrincipal, services: AppServices
) -> PageOf[ProjectEntry]:
    found = await services.studio.projects.list(principal, instanceId, query.request(), deleted=query.deleted)
    progress = await services.studio.projects.progress(principal, found.items)
    return page_of(found, lambda project: _entry(project, progress[project.id]))


@router.post("", status_code=201)
async def create_project(
    instanceId: UUID, body: NewProject, principal: CurrentPrincipal, services: AppServices
) -> ProjectView:
    made = await services.studio.projects.create(
        principal, instanceId, body.name, body.description, body.language, body.profile_id
    )
    return await project_view(services, principal, instanceId, made)


@router.get("/{projectId}")
async def get_project(
    instanceId: UUID, projectId: UUID, principal: CurrentPrincipal, services: AppServices, language: Spoken = None
) -> ProjectView:
    project = await services.studio.projects.get(principal, instanceId, projectId)
    return await project_view(services, principal, instanceId, project, language)


@router.patch("/{projectId}")
async def change_project(
    instanceId: UUID,
    projectId: UUID,
    body: ProjectInput,
    principal: CurrentPrincipal,
    services: AppServices,
    language: Spoken = None,
) -> ProjectView:
    changed = await services.studio.projects.change(principal, instanceId, projectId, body.version, body.change())
    return await project_view(services, principal, instanceId, changed, language)


@router.delete("/{projectId}", status_code=204)
async def delete_project(instanceId: UUID, projectId: UUID, principal: CurrentPrincipal, services: AppServices) -> None:
    """With everything in it. It can be restored for thirty days."""
    await services.studio.projects.delete(principal, instanceId, projectId)


@router.post("/{projectId}/restore")
async def restore_project(
    instanceId: UUID, projectId: UUID, principal: CurrentPrincipal, services: AppServices
) -> ProjectView:
    restored = await services.studio.projects.restore(principal, instanceId, projectId)
    return await project_view(services, principal, instanceId, restored)


@router.post("/{projectId}/advance")
async def advance_project(
    instanceId: UUID,
    projectId: UUID,
    body: AdvanceInput,
    principal: CurrentPrincipal,
    services: AppServices,
    language: Spoken = None,
) -> ProjectView:
    """Refused with `phaseIncomplete` while blocks of the phase are empty, unless `force`."""
    advanced = await services.studio.projects.advance(
        principal, instanceId, projectId, body.target_phase, force=body.force
    )
    return await project_view(services, principal, instanceId, advanced, language)


@router.post("/{projectId}/conversation")
async def open_project_conversation(
    instanceId: UUID, projectId: UUID, principal: CurrentPrincipal, services: AppServices
) -> ProjectConversation:
    """Made when you first ask for it; afterwards always the same."""
    opened = await services.studio.conversations.open(principal, instanceId, projectId)
    return ProjectConversation(workflow_id=opened)


@conversation.get("")
async def get_conversation_project(
    instanceId: UUID, workflowId: UUID, principal: CurrentPrincipal, services: AppServices
) -> ConversationProject:
    found = await services.studio.conversations.project_of(principal, instanceId, workflowId)
    return ConversationProject(project=found)


async def project_view(
    services: Services, principal: Principal, instance_id: UUID, project: Project, language: Language | None = None
) -> ProjectView:
    profile = None
    if project.profile_id is not None:
        try:
            profile = await services.studio.profiles.get(principal, instance_id, project.profile_id)
        except NotFound:
            profile = None
    return ProjectView(
        **_copied(project),
        roadmap=[_phase(project, phase, language or project.language) for phase in project.phases],
        creator_profile=profile,
        cost_chf=await services.studio.conversations.costs(principal, instance_id, project.id),
    )


def _entry(project: Project, blocks: Mapping[BlockStatus, int]) -> ProjectEntry:
    return ProjectEntry(**_copied(project), blocks=dict(blocks))


def _phase(project: Project, phase: ProjectPhase, language: Language) -> PhaseView:
    return PhaseView(
        code=phase.code,
        name=phase_name(project, phase.code, language),
        own_name=phase.name,
        purpose=phase_purpose(phase.code, language),
        hidden=phase.hidden,
        is_own=phase.code not in PHASE_ORDER,
        status=status_of(project, phase.code),
    )


def _copied(project: Project) -> dict[str, Any]:
    return {name: getattr(project, name) for name in Project.model_fields}
