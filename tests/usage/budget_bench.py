"""A spender on a real database: short ways to reserve, settle and read balances."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from tests.world import World
from workroom.core.actors import UserActor
from workroom.core.clock import now
from workroom.core.ids import new_id
from workroom.core.money import Price
from workroom.core.tokens import Usage
from workroom.db import Database
from workroom.usage import budgets
from workroom.usage.limits import Balance, BudgetLimits, BudgetScope, accounts_of
from workroom.usage.store import accounts
from workroom.usage.types import BillingTransaction, Call, Outcome, Purpose, Reservation, Spender

NO_LIMITS = BudgetLimits(None, None, None, None)
# CHF 1 per thousand tokens read or written, so that sums can be done in one's head.
DEAR = Price(Decimal(1000), Decimal(1000), Decimal(100))


def call(price: Price = DEAR, purpose: Purpose = Purpose.ROUND, **more: Any) -> Call:
    return Call("scripted", "scripted-1", purpose, price, **more)


@dataclass
class BudgetBench:
    db: Database
    spender: Spender
    limits: BudgetLimits = field(default=NO_LIMITS)

    @classmethod
    def of(cls, world: World, name: str = "bob", **limits: Any) -> BudgetBench:
        """A new run in a new conversation, with these limits and no others."""
        principal, lab = world[name].principal, world.instances["den" if name in ("zoe", "yann") else "lab"].id
        assert principal.user_id is not None
        spender = Spender(principal.mandate_id, principal.user_id, lab, new_id(), new_id())
        return cls(world.services.db, spender, replace(NO_LIMITS, **limits))

    def another_run(self, *, same_workflow: bool = False) -> BudgetBench:
        workflow = self.spender.conversation_id if same_workflow else new_id()
        return replace(self, spender=replace(self.spender, conversation_id=workflow, run_id=new_id()))

    async def reserve(
        self, input_tokens: int, output_tokens: int, what: Call | None = None, **more: Any
    ) -> Reservation:
        async with self.db.unit_of_work(self.actor) as uow:
            return await budgets.reserve(
                uow, self.spender, self.limits, what or call(), input_tokens, output_tokens, **more
            )

    async def settle(self, held: Reservation, input_tokens: int, output_tokens: int, **more: Any) -> BillingTransaction:
        given = {"outcome": Outcome.ANSWERED, "duration_ms": 7, **more}
        async with self.db.unit_of_work(self.actor) as uow:
            return await budgets.settle(uow, held, Usage(input_tokens, output_tokens), **given)

    async def bill(self, input_tokens: int, what: Call | None = None, **more: Any) -> BillingTransaction:
        async with self.db.unit_of_work(self.actor) as uow:
            return await budgets.bill(uow, self.spender, what or call(), Usage(input_tokens), duration_ms=7, **more)

    async def balances(self, at: datetime | None = None) -> dict[BudgetScope, Balance]:
        async with self.db.unit_of_work(self.actor) as uow:
            return {
                account.scope: await accounts.get(uow, self.spender.mandate_id, account)
                for account in accounts_of(self.spender, at or now())
            }

    async def left_open(self) -> list[Reservation]:
        assert self.spender.run_id is not None
        async with self.db.unit_of_work(self.actor) as uow:
            return await budgets.left_open(uow, self.spender.mandate_id, self.spender.run_id)

    async def sql(self, statement: str, *args: Any) -> Any:
        async with self.db.unit_of_work(self.actor) as uow:
            return await uow.fetchval(statement, *args, writes=not statement.startswith("select"))

    @property
    def actor(self) -> UserActor:
        return UserActor(self.spender.mandate_id, self.spender.user_id)
