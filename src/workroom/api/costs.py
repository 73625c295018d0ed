"""Costs: every call that was paid for, one by one or summed up."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, Field

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.api.frame.paging import ListQuery, PageOf, page_of
from workroom.core.money import CHF
from workroom.core.wire import Wire
from workroom.usage.types import CostFilter, CostLine, CostSum, GroupBy, Outcome, Purpose

router = APIRouter(prefix="/api/costs", tags=["costs"])


class CostFilters(Wire):
    """`to` is not included."""

    instance_id: UUID | None = None
    workflow_id: UUID | None = None
    run_id: UUID | None = None
    user_id: UUID | None = None
    purpose: Purpose | None = None
    model: str | None = Field(None, max_length=200, pattern=r"^[^\x00]+$")
    since: AwareDatetime | None = Field(None, alias="from")
    until: AwareDatetime | None = Field(None, alias="to")

    def wanted(self) -> CostFilter:
        return CostFilter(
            self.instance_id,
            self.workflow_id,
            self.run_id,
            self.user_id,
            self.purpose,
            self.model,
            self.since,
            self.until,
        )


class CostListQuery(ListQuery, CostFilters):
    pass


class CostSummaryQuery(CostFilters):
    by: GroupBy = GroupBy.DAY


class PriceView(Wire):
    """CHF per million tokens; `request` is for the call itself."""

    input: CHF
    output: CHF
    cached: CHF
    written: CHF | None
    request: CHF
    assumed: bool


class CostView(Wire):
    """One call. `assumed`: its price, or what it used, is not known exactly. `implausible`: the provider reported far more than
    was asked; billed is the most that was allowed. `instanceId` null: it was about no workspace."""

    id: UUID
    at: datetime
    user_id: UUID
    user_name: str | None
    instance_id: UUID | None
    workflow_id: UUID | None
    run_id: UUID | None
    message_id: UUID | None
    provider: str
    model: str
    purpose: Purpose
    round: int | None
    attempt: int | None
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    written_tokens: int
    price: PriceView
    cost_chf: CHF = Field(alias="costCHF")
    assumed: bool
    implausible: bool
    outcome: Outcome
    duration_ms: int

    @classmethod
    def of(cls, line: CostLine) -> CostView:
        billed = line.billed
        spender, call, usage = billed.spender, billed.call, billed.usage
        return cls(
            id=billed.id,
            at=billed.at,
            user_id=spender.user_id,
            user_name=line.user_name,
            instance_id=spender.instance_id,
            workflow_id=spender.conversation_id,
            run_id=spender.run_id,
            message_id=billed.message_id,
            provider=call.provider,
            model=call.model,
            purpose=call.purpose,
            round=call.round,
            attempt=call.attempt,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cached_tokens=usage.cached_tokens,
            written_tokens=usage.written_tokens,
            price=PriceView(**{name: getattr(call.price, name) for name in PriceView.model_fields}),
            cost_chf=billed.cost_chf,
            assumed=billed.assumed,
            implausible=billed.implausible,
            outcome=billed.outcome,
            duration_ms=billed.duration_ms,
        )


class CostSumView(Wire):
    """`key` is the day, purpose, model or id; null where there is none. `label`: its name, if you may know it."""

    key: str | None
    label: str | None
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost_chf: CHF = Field(alias="costCHF")
    assumed: bool

    @classmethod
    def of(cls, summed: CostSum) -> CostSumView:
        return cls(
            key=summed.key,
            label=summed.label,
            calls=summed.calls,
            input_tokens=summed.usage.input_tokens,
            output_tokens=summed.usage.output_tokens,
            cached_tokens=summed.usage.cached_tokens,
            cost_chf=summed.cost_chf,
            assumed=summed.assumed,
        )


class CostSummary(Wire):
    items: list[CostSumView]


@router.get("")
async def list_costs(
    query: Annotated[CostListQuery, Query()], principal: CurrentPrincipal, services: AppServices
) -> PageOf[CostView]:
    """One's own calls; others' only with the right to."""
    return page_of(await services.costs.list(principal, query.wanted(), query.request()), CostView.of)


@router.get("/summary")
async def summarise_costs(
    query: Annotated[CostSummaryQuery, Query()], principal: CurrentPrincipal, services: AppServices
) -> CostSummary:
    """The same calls, summed up by day, purpose, model, user or workflow: the costliest first, days in their order."""
    sums = await services.costs.summary(principal, query.wanted(), query.by)
    return CostSummary(items=[CostSumView.of(summed) for summed in sums])
