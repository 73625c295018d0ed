"""R7: a hundred runs of one user at once against one budget. What is spent and promised never passes the limit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from tests.usage.budget_bench import BudgetBench, call
from tests.world import World
from workroom.core.clock import now
from workroom.core.errors import BudgetExceeded
from workroom.core.money import Price
from workroom.core.tokens import Usage
from workroom.db import Database, DatabaseAddress
from workroom.usage import budgets
from workroom.usage.limits import BudgetLimits, BudgetScope
from workroom.usage.types import Outcome, Reservation

RUNS = 100
USERS = Decimal(20)
LIMITS = BudgetLimits(mandate=Decimal(30), user=USERS, workflow=Decimal(6), run=Decimal(1))
LAW = """
select count(*) from budget_accounts a where reserved < 0 or spent <> (
    select coalesce(sum(cost_chf), 0) from billing b where b.mandate_id = a.mandate_id and a.scope_id = case a.scope
        when 'run' then b.run_id when 'workflow' then b.conversation_id when 'user' then b.user_id else b.mandate_id end)
or reserved <> (
    select coalesce(sum(amount), 0) from reservations r where r.mandate_id = a.mandate_id and a.scope_id = case a.scope
        when 'run' then r.run_id when 'workflow' then r.conversation_id when 'user' then r.user_id else r.mandate_id end)"""


@pytest.fixture(autouse=True)
def _no_midnight(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it happens on one day, whenever it is run."""
    today = now()
    monkeypatch.setattr(budgets, "now", lambda: today)
    monkeypatch.setattr("tests.usage.budget_bench.now", lambda: today)


@pytest.fixture
async def wide(address: DatabaseAddress) -> AsyncIterator[Database]:
    """Enough connections for transactions to be truly under way beside each other."""
    opened = await Database.connect(address.application, max_size=30)
    yield opened
    await opened.close()


class Crowd:
    """Runs that reserve, settle and sometimes die, each with its own dice."""

    def __init__(self, seed: int, *, overrun: bool) -> None:
        self.seed = seed
        self.overrun = overrun
        self.refused = 0
        self.dearest = Decimal(0)
        self.over = Decimal(0)

    async def run(self, number: int, budget: BudgetBench) -> None:
        dice = Random(self.seed * 1_000 + number)
        for attempt in range(dice.randint(2, 6)):
            read, write, cached = (Decimal(dice.randint(0, 400)) for _ in range(3))
            price = Price(read, write, cached)
            expected = dice.randint(10, 3_000)
            try:
                held = await budget.reserve(expected, dice.randint(0, 4_000), call(price, attempt=attempt))
            except BudgetExceeded:
                self.refused += 1
                continue
            await self._look(budget)
            if dice.random() < 0.1:
                return  # its process died
            await self._settle(budget, held, dice)

    async def _settle(self, budget: BudgetBench, held: Reservation, dice: Random) -> None:
        read = held.input_tokens + (dice.randint(0, 300) if self.overrun else -dice.randint(0, held.input_tokens))
        used = Usage(read, dice.randint(0, held.max_output_tokens))
        cost = held.call.price.of(used)
        self.dearest = max(self.dearest, cost)
        self.over += max(Decimal(0), cost - held.amount)
        async with budget.db.unit_of_work(budget.actor) as uow:
            await budgets.settle(uow, held, used, outcome=Outcome.ANSWERED, duration_ms=1)

    async def _look(self, budget: BudgetBench) -> None:
        for scope, balance in (await budget.balances()).items():
            limit = LIMITS.of(scope)
            assert limit is not None
            assert balance.spent + balance.reserved <= limit + self.over, f"{scope}: {balance} of {limit}"


async def crowd(world: World, db: Database, seed: int, *, overrun: bool) -> tuple[Crowd, list[BudgetBench]]:
    first = replace(BudgetBench.of(world), db=db, limits=LIMITS)
    # Every fourth run begins a conversation, the others go on in one.
    bounded_runs = [first]
    for number in range(1, RUNS):
        bounded_runs.append(bounded_runs[-1].another_run(same_workflow=number % 4 != 0))
    many = Crowd(seed, overrun=overrun)
    async with asyncio.timeout(120), asyncio.TaskGroup() as group:
        for number, budget in enumerate(bounded_runs):
            group.create_task(many.run(number, budget))
    return many, bounded_runs


@pytest.mark.requirement("M2")
@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_a_budget_holds_under_a_hundred_runs(world: World, wide: Database, seed: int) -> None:
    many, bounded_runs = await crowd(world, wide, seed, overrun=False)
    budget = bounded_runs[0]
    assert many.refused > 0, "the dice were too kind: nothing was tested"
    assert await budget.sql(LAW) == 0, "accounts say what ledger and reservations say"
    left = [held for each in bounded_runs for held in await each.left_open()]
    assert left, "somebody died"
    for held in left:
        await budget.settle(held, *_tokens(held.guess()), outcome=Outcome.LOST, assumed=True)
    balances = await budget.balances()
    assert await budget.sql("select coalesce(sum(reserved), 0) from budget_accounts") == 0
    assert await budget.sql(LAW) == 0
    assert Decimal(15) < balances[BudgetScope.USER].spent <= USERS, "used, and not passed"


@pytest.mark.parametrize("seed", [4, 5])
async def test_estimates_that_were_too_low_pass_it_only_by_what_they_were_too_low(
    world: World, wide: Database, seed: int
) -> None:
    many, bounded_runs = await crowd(world, wide, seed, overrun=True)
    balances = await bounded_runs[0].balances()
    total = balances[BudgetScope.USER].spent + balances[BudgetScope.USER].reserved
    assert many.refused > 0
    assert total <= USERS + many.over
    assert await bounded_runs[0].sql(LAW) == 0


async def test_nobody_waits_in_a_circle_when_the_month_ends(
    world: World, wide: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every run settles a call of the old month and reserves for the new one, in one transaction, all at the same time."""
    first = replace(BudgetBench.of(world), db=wide)
    bounded_runs = [first.another_run(same_workflow=number % 2 == 0) for number in range(RUNS)]
    monkeypatch.setattr(budgets, "now", lambda: datetime(2026, 11, 30, 23, 59, tzinfo=UTC))
    held = await asyncio.gather(*(budget.reserve(10, 10) for budget in bounded_runs))
    monkeypatch.setattr(budgets, "now", lambda: datetime(2026, 12, 1, tzinfo=UTC))

    async def go_on(budget: BudgetBench, old: Reservation) -> None:
        async with wide.unit_of_work(budget.actor) as uow:
            await budgets.settle(uow, old, Usage(10, 10), outcome=Outcome.ANSWERED, duration_ms=1)
            await budgets.reserve(uow, budget.spender, budget.limits, call(), 20, 20)

    beside = (budget.another_run().reserve(5, 5) for budget in bounded_runs)
    await asyncio.gather(*(go_on(budget, old) for budget, old in zip(bounded_runs, held, strict=True)), *beside)
    new = (await first.balances(datetime(2026, 12, 1, tzinfo=UTC)))[BudgetScope.MANDATE]
    assert new.reserved == RUNS * (Decimal("0.04") + Decimal("0.01"))


async def test_the_last_franc_is_given_to_one(world: World, wide: Database) -> None:
    """Each of a hundred could be paid alone; together they could not."""
    first = replace(BudgetBench.of(world, user=Decimal(1)), db=wide)
    bounded_runs = [first.another_run() for _ in range(RUNS)]
    made: list[Any] = await asyncio.gather(
        *(budget.reserve(700, 300) for budget in bounded_runs), return_exceptions=True
    )
    granted = [one for one in made if isinstance(one, Reservation)]
    assert len(granted) == 1
    assert all(isinstance(one, BudgetExceeded) for one in made if one not in granted)


def _tokens(usage: Usage) -> tuple[int, int]:
    return usage.input_tokens, usage.output_tokens
