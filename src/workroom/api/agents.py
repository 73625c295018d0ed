"""Agents of a workspace: shipped ones, one's own, and those that are shared. Deleting one puts it into a trash."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Path, Query
from pydantic import Field

from workroom.agent.config import Chatting, Cost, Rounds
from workroom.agent.planning.intents import Intent
from workroom.agent.ports import Strategy
from workroom.agents.types import (
    AgentContent,
    AgentDefinition,
    AgentFile,
    AgentInstructions,
    AgentVersion,
    ImportedAgent,
    ModelName,
    SetName,
    ToolName,
)
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import Listed, ListQuery, PageOf, page_of
from workroom.core.import_conflict import ImportConflict
from workroom.core.languages import DEFAULT_LANGUAGE, Language
from workroom.core.wire import Wire
from workroom.identity.sharing import Visibility
from workroom.models.ports import Forcing

router = APIRouter(prefix="/api/instances/{instanceId}/agents", tags=["agents"])

Spoken = Annotated[Language, Query(description="Of names and descriptions of shipped agents.")]

Number = Annotated[int, Path(ge=1, le=2**31 - 1)]


class AgentQuery(ListQuery):
    deleted: bool = False
    language: Language = DEFAULT_LANGUAGE


class NewAgent(AgentContent):
    """With whom it is shared from the beginning."""

    visibility: Visibility = Visibility.MY


class AgentInput(Wire):
    """`version` names the one the change was made from; if that is not the newest, nothing is overwritten. What is not named
    stays as it is."""

    version: int = Field(ge=1, le=2**31 - 1)
    name: str | None = Field(None, max_length=120)
    description: str | None = Field(None, max_length=1_000)
    glyph: str | None = Field(None, max_length=20)
    instructions: AgentInstructions | None = None
    strategy: Strategy | None = None
    intents: list[Intent] | None = Field(None, max_length=40)
    tool_sets: list[SetName] | None = Field(None, max_length=20)
    tool_names: list[ToolName] | None = Field(None, max_length=200)
    trusted_tools: list[ToolName] | None = Field(None, max_length=200)
    forcing: Forcing | None = None
    temperature: float | None = Field(None, ge=0, le=2)
    model: ModelName | None = None
    operation: Chatting | None = None
    max_rounds: Rounds | None = None
    max_cost_chf: Cost | None = None
    language: Language | None = None
    hands_to: list[UUID] | None = Field(None, max_length=20)

    @property
    def changes(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.model_fields_set if name != "version"}


class CopyInput(Wire):
    name: str | None = Field(None, max_length=120)
    language: Language = DEFAULT_LANGUAGE


class VisibilityInput(Wire):
    visibility: Visibility


@router.get("")
async def list_agents(
    instanceId: UUID, query: Annotated[AgentQuery, Query()], principal: CurrentPrincipal, services: AppServices
) -> PageOf[AgentDefinition]:
    """Those that can be chosen here, without the phrases of their intents, and with the instructions of a team's agents in the
    language asked for alone; `?deleted=true` lists the trash."""
    found = await services.agents.list(
        principal, instanceId, query.request(), deleted=query.deleted, language=query.language
    )
    return page_of(found, partial(_shortly, language=query.language))


@router.post("", status_code=201)
async def create_agent(
    instanceId: UUID, body: NewAgent, principal: CurrentPrincipal, services: AppServices
) -> AgentDefinition:
    content = AgentContent(**{name: getattr(body, name) for name in AgentContent.model_fields})
    return await services.agents.create(principal, instanceId, content, body.visibility)


@router.post("/import", status_code=201)
async def import_agent(
    instanceId: UUID,
    body: AgentFile,
    principal: CurrentPrincipal,
    services: AppServices,
    onConflict: ImportConflict = ImportConflict.FAIL,
) -> ImportedAgent:
    """Makes an agent of what another installation has exported; what is not known here is reported. If one of that name is
    here already it is refused with `agentExists`: `onConflict` then says whether to `replace` that one or to `keepBoth`."""
    return await services.agents.import_(principal, instanceId, body, onConflict)


@router.get("/{agentId}")
async def get_agent(
    instanceId: UUID,
    agentId: UUID,
    principal: CurrentPrincipal,
    services: AppServices,
    language: Spoken = DEFAULT_LANGUAGE,
) -> AgentDefinition:
    return await services.agents.get(principal, instanceId, agentId, language)


@router.patch("/{agentId}")
async def change_agent(
    instanceId: UUID, agentId: UUID, body: AgentInput, principal: CurrentPrincipal, services: AppServices
) -> AgentDefinition:
    """Makes a new version. Answers under way go on with the one they began with."""
    return await services.agents.change(principal, instanceId, agentId, body.version, body.changes)


@router.delete("/{agentId}", status_code=204)
async def delete_agent(instanceId: UUID, agentId: UUID, principal: CurrentPrincipal, services: AppServices) -> None:
    """It can be restored for thirty days."""
    await services.agents.delete(principal, instanceId, agentId)


@router.post("/{agentId}/restore")
async def restore_agent(
    instanceId: UUID, agentId: UUID, principal: CurrentPrincipal, services: AppServices
) -> AgentDefinition:
    return await services.agents.restore(principal, instanceId, agentId)


@router.post("/{agentId}/duplicate", status_code=201)
async def duplicate_agent(
    instanceId: UUID, agentId: UUID, body: CopyInput, principal: CurrentPrincipal, services: AppServices
) -> AgentDefinition:
    """A private copy of one's own, also of a shipped agent."""
    return await services.agents.duplicate(principal, instanceId, agentId, body.name, body.language)


@router.put("/{agentId}/visibility")
async def share_agent(
    instanceId: UUID, agentId: UUID, body: VisibilityInput, principal: CurrentPrincipal, services: AppServices
) -> AgentDefinition:
    """Who may use it: its owner, the members of the workspace, everybody."""
    return await services.agents.share(principal, instanceId, agentId, body.visibility)


@router.get("/{agentId}/export")
async def export_agent(
    instanceId: UUID, agentId: UUID, principal: CurrentPrincipal, services: AppServices
) -> AgentFile:
    return await services.agents.export(principal, instanceId, agentId)


@router.get("/{agentId}/versions")
async def list_agent_versions(
    instanceId: UUID, agentId: UUID, query: Listed, principal: CurrentPrincipal, services: AppServices
) -> PageOf[AgentVersion]:
    """Oldest first; `?order=desc` for the newest."""
    return page_of(
        await services.agents.versions(principal, instanceId, agentId, query.request()), lambda version: version
    )


@router.post("/{agentId}/versions/{version}/restore")
async def restore_agent_version(
    instanceId: UUID, agentId: UUID, version: Number, principal: CurrentPrincipal, services: AppServices
) -> AgentDefinition:
    """As it was then, as a new version."""
    return await services.agents.restore_version(principal, instanceId, agentId, version)


def _shortly(agent: AgentDefinition, language: Language) -> AgentDefinition:
    """Phrases are most of an agent that plans, phases in five languages most of a team's; a list shows none of them."""
    if agent.team:
        text = AgentInstructions.model_validate({language: agent.instructions.in_language(language)})
        return agent.model_copy(update={"instructions": text})
    if not agent.intents:
        return agent
    return agent.model_copy(update={"intents": [one.model_copy(update={"ways": []}) for one in agent.intents]})
