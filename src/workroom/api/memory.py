"""What a conversation remembers: facts found for you, summaries of what is long ago, and the newest results of tools."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from fastapi import APIRouter

from workroom.agent.entities.types import EntityKey, EntitySource
from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.conversations.types import KeptSummary, Memory
from workroom.core.wire import Wire
from workroom.runs.types import RecentResult

router = APIRouter(prefix="/api/workspace/{instanceId}/conversations/{workflowId}/memory", tags=["memory"])


class EntityView(Wire):
    """`times`: in how many results of tools it stood; `callId` is the newest of those calls."""

    id: UUID
    key: EntityKey
    value: str
    source: EntitySource
    times: int
    created_at: datetime
    updated_at: datetime
    call_id: UUID | None

    @classmethod
    def of(cls, memory: Memory) -> EntityView:
        return cls(**{name: getattr(memory, name) for name in cls.model_fields})


class SummaryView(Wire):
    """Of the rounds from `first` to `last`, counted from 1; `messageId` is the answer they end with."""

    message_id: UUID
    first: int
    last: int
    text: str
    created_at: datetime

    @classmethod
    def of(cls, summary: KeptSummary) -> SummaryView:
        return cls(**{name: getattr(summary, name) for name in cls.model_fields})


class ResultView(Wire):
    """`label` is how the result begins. `untrusted`: it is what documents say."""

    call_id: UUID
    tool: str
    label: str
    at: datetime
    untrusted: bool

    @classmethod
    def of(cls, result: RecentResult) -> ResultView:
        return cls(**{name: getattr(result, name) for name in cls.model_fields})


class MemoryView(Wire):
    """`entities` and `results` are those your agents may see: what was read with the rights of others is not among them.
    `enabled` and `byModel` are what the workspace does with the next question."""

    entities: list[EntityView]
    summaries: list[SummaryView]
    results: list[ResultView]
    enabled: bool
    by_model: bool


class Forgotten(Wire):
    """How many are gone."""

    entities: int
    summaries: int


@router.get("")
async def get_memory(
    instanceId: UUID, workflowId: UUID, principal: CurrentPrincipal, services: AppServices
) -> MemoryView:
    kept = await services.memories.of(principal, instanceId, workflowId)
    results = await services.runs.recent_results(principal, instanceId, workflowId)
    config = await services.agent_configs.get(principal, instanceId)
    return MemoryView(
        entities=[EntityView.of(memory) for memory in kept.entities],
        summaries=[SummaryView.of(summary) for summary in kept.summaries],
        results=[ResultView.of(result) for result in results],
        enabled=config.entity_cache_enabled,
        by_model=config.entity_cache_by_model,
    )


@router.delete("")
async def forget_everything(
    instanceId: UUID, workflowId: UUID, principal: CurrentPrincipal, services: AppServices
) -> Forgotten:
    """Every fact found for you; and the summaries, if you may change the conversation. What was said stays."""
    entities, summaries = await services.memories.forget_all(principal, instanceId, workflowId)
    return Forgotten(entities=entities, summaries=summaries)


@router.delete("/{memoryId}", status_code=204)
async def forget_entity(
    instanceId: UUID, workflowId: UUID, memoryId: UUID, principal: CurrentPrincipal, services: AppServices
) -> None:
    """One fact. It comes back only if a tool finds it again."""
    await services.memories.forget(principal, instanceId, workflowId, memoryId)


@router.delete("/summaries/{messageId}", status_code=204)
async def forget_summary(
    instanceId: UUID, workflowId: UUID, messageId: UUID, principal: CurrentPrincipal, services: AppServices
) -> None:
    """The summaries that end with this answer, and those made of them. When one is due again, it is made anew."""
    await services.memories.forget_summary(principal, instanceId, workflowId, messageId)
