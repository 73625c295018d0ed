"""Traces: what a run did, round by round, and what it cost."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter

from workroom.api.frame.paging import Listed, PageOf, page_of
from workroom.api.frame.signed_in import Served, Who
from workroom.core.traces import AgentTrace

router = APIRouter(prefix="/api", tags=["traces"])


@router.get("/runs/{runId}/trace")
async def get_trace(runId: UUID, who: Who, served: Served) -> AgentTrace:
    return await served.traces.of_run(who, runId)


@router.get("/workspace/{instanceId}/conversations/{workflowId}/traces")
async def list_traces(
    instanceId: UUID, workflowId: UUID, query: Listed, who: Who, served: Served
) -> PageOf[AgentTrace]:
    """Of every run of a conversation."""
    page = await served.traces.of_conversation(who, instanceId, workflowId, query.request())
    return page_of(page, lambda trace: trace)
