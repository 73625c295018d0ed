"""Budgets, as people see and set them: what counts for me, what is left of it, and what an administrator says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from workroom.core.changes import ChangeKind
from workroom.core.clock import now
from workroom.core.errors import InvalidInput, NotFound
from workroom.db import Database, UnitOfWork
from workroom.identity import audit
from workroom.identity.access import Target, decide, require
from workroom.identity.store import roles as roles_store
from workroom.identity.types import Action, Principal, Role
from workroom.usage.limits import Amount, Balance, BudgetLimits, BudgetScope, SetLimit, account, effective
from workroom.usage.store import accounts as accounts_store
from workroom.usage.store import limits as store

TARGET = Target("data.budget")
HIGHEST = Decimal(1_000_000)
FINEST = Decimal("0.0001")


@dataclass(frozen=True)
class BudgetStanding:
    """A person's budget. Without a balance where there is nothing to count yet: each run has its own."""

    scope: BudgetScope
    limit: Amount
    balance: Balance | None

    @property
    def left(self) -> Amount:
        if self.limit is None or self.balance is None:
            return self.limit
        return max(Decimal(0), self.limit - self.balance.spent - self.balance.reserved)


class Budgets:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def limits_for(self, uow: UnitOfWork, principal: Principal, instance_id: UUID | None = None) -> BudgetLimits:
        """A person's budgets now. A role held in a workspace counts for what is spent there, and there only."""
        return effective(await store.for_person(uow, principal.mandate_id, principal.user_id, instance_id))

    async def standing(self, principal: Principal, instance_id: UUID | None = None) -> list[BudgetStanding]:
        """Everybody may know their own; the whole organisation's only who may read budgets."""
        async with self._db.unit_of_work(principal.actor) as uow:
            limits = await self.limits_for(uow, principal, instance_id)
            shown = [
                BudgetStanding(BudgetScope.RUN, limits.run, None),
                BudgetStanding(BudgetScope.WORKFLOW, limits.workflow, None),
            ]
            counted = [account(BudgetScope.USER, principal.user_id, now())] if principal.user_id else []
            if decide(principal, Action.READ, TARGET):
                counted.append(account(BudgetScope.MANDATE, principal.mandate_id, now()))
            for one in counted:
                balance = await accounts_store.get(uow, principal.mandate_id, one)
                shown.append(BudgetStanding(one.scope, limits.of(one.scope), balance))
            return shown

    async def limits(self, principal: Principal) -> Mapping[UUID | None, Sequence[SetLimit]] | None:
        """What was set for everybody (None) and for roles; nothing for those who may not read it."""
        if not decide(principal, Action.READ, TARGET):
            return None
        async with self._db.unit_of_work(principal.actor) as uow:
            found: dict[UUID | None, list[SetLimit]] = {None: []}
            for one in await store.all_of(uow, principal.mandate_id):
                found.setdefault(one.role_id, []).append(one)
            return found

    async def set_for_mandate(self, principal: Principal, amounts: Mapping[BudgetScope, Amount]) -> Sequence[SetLimit]:
        """What is not named falls back to what is shipped."""
        require(principal, Action.UPDATE, TARGET)
        limits = _checked(amounts, None)
        async with self._db.unit_of_work(principal.actor) as uow:
            await store.replace(uow, principal.mandate_id, None, limits)
            await audit.record(
                uow, principal, "updated", ChangeKind.BUDGET, principal.mandate_id, details=_told(limits)
            )
        return limits

    async def set_for_role(
        self, principal: Principal, role_id: UUID, amounts: Mapping[BudgetScope, Amount]
    ) -> Sequence[SetLimit]:
        """What is not named falls back to what counts for everybody."""
        require(principal, Action.UPDATE, TARGET)
        limits = _checked(amounts, role_id)
        async with self._db.unit_of_work(principal.actor) as uow:
            role = await _role(uow, principal, role_id)
            await store.replace(uow, principal.mandate_id, role_id, limits)
            details = {"name": role.name, **_told(limits)}
            await audit.record(uow, principal, "updated", ChangeKind.BUDGET, role_id, details=details)
        return limits

    async def forget_role(self, principal: Principal, role_id: UUID) -> None:
        """From here on the role has no limits of its own. Doing it twice is doing it once."""
        require(principal, Action.UPDATE, TARGET)
        async with self._db.unit_of_work(principal.actor) as uow:
            role = await _role(uow, principal, role_id)
            if await store.replace(uow, principal.mandate_id, role_id, []):
                await audit.record(uow, principal, "removed", ChangeKind.BUDGET, role_id, name=role.name)


async def _role(uow: UnitOfWork, principal: Principal, role_id: UUID) -> Role:
    role = await roles_store.get(uow, principal.mandate_id, role_id)
    if role is None:
        raise NotFound("There is no such role.")
    return role


def _checked(amounts: Mapping[BudgetScope, Amount], role_id: UUID | None) -> list[SetLimit]:
    if role_id is not None and BudgetScope.MANDATE in amounts:
        raise InvalidInput("The budget of the whole organisation cannot be set for a role.", field="limits")
    for amount in amounts.values():
        if amount is not None and not (0 <= amount <= HIGHEST and amount == amount.quantize(FINEST)):
            raise InvalidInput(
                f"A budget is between 0 and {HIGHEST:,} CHF, with at most four decimals; or none at all.",
                field="limits",
            )
    return [SetLimit(scope, amount, role_id) for scope, amount in amounts.items()]


def _told(limits: Sequence[SetLimit]) -> dict[str, str]:
    return {f"per{one.scope.capitalize()}": "∞" if one.amount is None else format(one.amount, "f") for one in limits}
