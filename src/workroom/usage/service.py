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
from workroom.usage.limits import Amount, Balance, Limits, Said, Scope, account, effective
from workroom.usage.store import accounts as accounts_store
from workroom.usage.store import limits as store

TARGET = Target("data.budget")
HIGHEST = Decimal(1_000_000)
FINEST = Decimal("0.0001")


@dataclass(frozen=True)
class Standing:
    """A budget of somebody's. Without a balance where there is nothing to count yet: each run has its own."""

    scope: Scope
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

    async def limits_for(self, uow: UnitOfWork, who: Principal, instance_id: UUID | None = None) -> Limits:
        """What counts for somebody now. A role held in a workspace counts for what is spent there, and there only."""
        return effective(await store.for_person(uow, who.mandate_id, who.user_id, instance_id))

    async def standing(self, who: Principal, instance_id: UUID | None = None) -> list[Standing]:
        """Everybody may know their own; the whole organisation's only who may read budgets."""
        async with self._db.unit_of_work(who.actor) as uow:
            limits = await self.limits_for(uow, who, instance_id)
            shown = [Standing(Scope.RUN, limits.run, None), Standing(Scope.WORKFLOW, limits.workflow, None)]
            counted = [account(Scope.USER, who.user_id, now())] if who.user_id else []
            if decide(who, Action.READ, TARGET):
                counted.append(account(Scope.MANDATE, who.mandate_id, now()))
            for one in counted:
                balance = await accounts_store.get(uow, who.mandate_id, one)
                shown.append(Standing(one.scope, limits.of(one.scope), balance))
            return shown

    async def said(self, who: Principal) -> Mapping[UUID | None, Sequence[Said]] | None:
        """What was set for everybody (None) and for roles; nothing for those who may not read it."""
        if not decide(who, Action.READ, TARGET):
            return None
        async with self._db.unit_of_work(who.actor) as uow:
            found: dict[UUID | None, list[Said]] = {None: []}
            for one in await store.all_of(uow, who.mandate_id):
                found.setdefault(one.role_id, []).append(one)
            return found

    async def set_for_mandate(self, who: Principal, amounts: Mapping[Scope, Amount]) -> Sequence[Said]:
        """What is not named falls back to what is shipped."""
        require(who, Action.UPDATE, TARGET)
        said = _checked(amounts, None)
        async with self._db.unit_of_work(who.actor) as uow:
            await store.replace(uow, who.mandate_id, None, said)
            await audit.record(uow, who, "updated", ChangeKind.BUDGET, who.mandate_id, details=_told(said))
        return said

    async def set_for_role(self, who: Principal, role_id: UUID, amounts: Mapping[Scope, Amount]) -> Sequence[Said]:
        """What is not named falls back to what counts for everybody."""
        require(who, Action.UPDATE, TARGET)
        said = _checked(amounts, role_id)
        async with self._db.unit_of_work(who.actor) as uow:
            role = await _role(uow, who, role_id)
            await store.replace(uow, who.mandate_id, role_id, said)
            details = {"name": role.name, **_told(said)}
            await audit.record(uow, who, "updated", ChangeKind.BUDGET, role_id, details=details)
        return said

    async def forget_role(self, who: Principal, role_id: UUID) -> None:
        """From here on the role has no limits of its own. Doing it twice is doing it once."""
        require(who, Action.UPDATE, TARGET)
        async with self._db.unit_of_work(who.actor) as uow:
            role = await _role(uow, who, role_id)
            if await store.replace(uow, who.mandate_id, role_id, []):
                await audit.record(uow, who, "removed", ChangeKind.BUDGET, role_id, name=role.name)


async def _role(uow: UnitOfWork, who: Principal, role_id: UUID) -> Role:
    role = await roles_store.get(uow, who.mandate_id, role_id)
    if role is None:
        raise NotFound("There is no such role.")
    return role


def _checked(amounts: Mapping[Scope, Amount], role_id: UUID | None) -> list[Said]:
    if role_id is not None and Scope.MANDATE in amounts:
        raise InvalidInput("The budget of the whole organisation cannot be set for a role.", field="limits")
    for amount in amounts.values():
        if amount is not None and not (0 <= amount <= HIGHEST and amount == amount.quantize(FINEST)):
            raise InvalidInput(
                f"A budget is between 0 and {HIGHEST:,} CHF, with at most four decimals; or none at all.",
                field="limits",
            )
    return [Said(scope, amount, role_id) for scope, amount in amounts.items()]


def _told(said: Sequence[Said]) -> dict[str, str]:
    return {f"per{one.scope.capitalize()}": "∞" if one.amount is None else format(one.amount, "f") for one in said}
