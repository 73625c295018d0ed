"""Traces: what a run did, round by round, and what it cost."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import Listed, PageOf, page_of
from workroom.core.traces import AgentTrace

router = APIRouter(prefix="/api", tags=["traces"])


@router.get("/runs/{runId}/trace")
async def get_trace(runId: UUID, principal: CurrentPrincipal, services: AppServices) -> AgentTrace:
    return await services.traces.of_run(principal, runId)


@router.get("/workspace/{instanceId}/conversations/{workflowId}/traces")
async def list_traces(
    instanceId: UUID, workflowId: UUID, query: Listed, principal: CurrentPrincipal, services: AppServices
) -> PageOf[AgentTrace]:
    """Of every run of a conversation."""
    page = await services.traces.of_conversation(principal, instanceId, workflowId, query.request())
    return page_of(page, lambda trace: trace)
