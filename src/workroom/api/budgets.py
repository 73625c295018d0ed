"""Budgets: what is left of mine, and what an administrator set for everybody and for roles."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import Field, field_validator

from workroom.api.frame.authentication import AppServices, CurrentPrincipal
from workroom.core.money import CHF
from workroom.core.wire import Wire
from workroom.usage.limits import SHIPPED, Amount, BudgetScope, SetLimit
from workroom.usage.service import BudgetStanding

router = APIRouter(prefix="/api/budgets", tags=["budgets"])


class Limit(Wire):
    """In CHF; null: no limit. `mandate` counts per calendar month, `user` per day, both UTC."""

    scope: BudgetScope
    limit: CHF | None


class Budget(Limit):
    """`spent` and `reserved` are null for `run` and `workflow`: each has its own. `reserved`: calls under way."""

    spent: CHF | None
    reserved: CHF | None
    left: CHF | None

    @classmethod
    def of(cls, standing: BudgetStanding) -> Budget:
        balance = standing.balance
        return cls(
            scope=standing.scope,
            limit=standing.limit,
            spent=balance.spent if balance else None,
            reserved=balance.reserved if balance else None,
            left=standing.left,
        )


class RoleLimits(Wire):
    role_id: UUID
    limits: list[Limit]


class LimitTable(Wire):
    """What was set; a scope that is not listed falls back: a role's to the mandate's, the mandate's to the shipped one."""

    shipped: list[Limit]
    mandate: list[Limit]
    roles: list[RoleLimits]


class BudgetsView(Wire):
    """`mandate` is among mine, and `table` is not null, only for those who may read budgets."""

    mine: list[Budget]
    table: LimitTable | None


class LimitInput(Wire):
    scope: BudgetScope
    limit: Decimal | None = Field(ge=0, max_digits=11, decimal_places=4)


class LimitsInput(Wire):
    """The whole of it: a scope that is not listed falls back."""

    limits: list[LimitInput] = Field(max_length=len(BudgetScope))

    @field_validator("limits")
    @classmethod
    def _each_once(cls, limits: list[LimitInput]) -> list[LimitInput]:
        if len({one.scope for one in limits}) != len(limits):
            raise ValueError("each scope may be listed once")
        return limits

    def amounts(self) -> dict[BudgetScope, Amount]:
        return {one.scope: one.limit for one in self.limits}


class LimitsSet(Wire):
    limits: list[Limit]


@router.get("")
async def get_budgets(
    principal: CurrentPrincipal, services: AppServices, instanceId: Annotated[UUID | None, Query()] = None
) -> BudgetsView:
    """What counts for me, in a workspace if one is named: a role held there counts there."""
    mine = [Budget.of(standing) for standing in await services.budgets.standing(principal, instanceId)]
    limits = await services.budgets.limits(principal)
    if limits is None:
        return BudgetsView(mine=mine, table=None)
    roles = [RoleLimits(role_id=role_id, limits=_limits(own)) for role_id, own in limits.items() if role_id is not None]
    shipped = [Limit(scope=scope, limit=SHIPPED.of(scope)) for scope in BudgetScope]
    return BudgetsView(mine=mine, table=LimitTable(shipped=shipped, mandate=_limits(limits[None]), roles=roles))


@router.put("/mandate")
async def set_mandate_budgets(body: LimitsInput, principal: CurrentPrincipal, services: AppServices) -> LimitsSet:
    """The limits of everybody whose roles say nothing else."""
    return LimitsSet(limits=_limits(await services.budgets.set_for_mandate(principal, body.amounts())))


@router.put("/roles/{roleId}")
async def set_role_budgets(
    roleId: UUID, body: LimitsInput, principal: CurrentPrincipal, services: AppServices
) -> LimitsSet:
    """The limits of people with this role; of several roles the most generous counts."""
    return LimitsSet(limits=_limits(await services.budgets.set_for_role(principal, roleId, body.amounts())))


@router.delete("/roles/{roleId}", status_code=204)
async def delete_role_budgets(roleId: UUID, principal: CurrentPrincipal, services: AppServices) -> None:
    await services.budgets.forget_role(principal, roleId)


def _limits(limits: Iterable[SetLimit]) -> list[Limit]:
    return [Limit(scope=one.scope, limit=one.amount) for one in limits]
