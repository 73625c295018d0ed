"""Reserve and settle, one call at a time; many at once are in test_many_at_once.py."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.usage.budget_bench import DEAR, BudgetBench, call
from tests.world import World
from workroom.core.errors import BudgetExceeded, Conflict, NotFound
from workroom.core.money import FREE, Price
from workroom.core.tokens import Usage
from workroom.usage import budgets
from workroom.usage.limits import Balance, BudgetScope
from workroom.usage.types import Outcome, Purpose

TEN = Decimal(10)


@pytest.mark.requirement("A5")
async def test_a_call_is_paid_in_every_account_it_counts_in(world: World) -> None:
    budget = BudgetBench.of(world, run=TEN)
    held = await budget.reserve(1000, 2000)
    assert held.amount == 3
    assert set((await budget.balances()).values()) == {Balance(Decimal(0), Decimal(3))}
    billed = await budget.settle(held, 1000, 500)
    assert billed.cost_chf == Decimal("1.5")
    balances = await budget.balances()
    assert set(balances) == set(BudgetScope)
    assert set(balances.values()) == {Balance(Decimal("1.5"), Decimal(0))}


async def test_what_may_be_written_is_cut_to_what_is_left(world: World) -> None:
    budget = BudgetBench.of(world, run=Decimal("1.7"))
    held = await budget.reserve(1000, 8192)
    assert (held.max_output_tokens, held.amount) == (700, Decimal("1.7"))


@pytest.mark.requirement("A5")
@pytest.mark.parametrize("scope", list(BudgetScope))
async def test_every_budget_can_be_the_one_that_ends_it(world: World, scope: BudgetScope) -> None:
    budget = BudgetBench.of(world)
    budget.limits = replace(budget.limits, **{scope: Decimal(2)})
    await budget.settle(await budget.reserve(500, 500), 500, 500)
    held = await budget.reserve(300, 300)
    with pytest.raises(BudgetExceeded) as refused:
        await budget.reserve(200, 1000)
    told = refused.value.details
    assert told["scope"] == scope
    if scope is BudgetScope.MANDATE:
        assert set(told) == {"scope"}, "what others spend is not for everybody to know"
    else:
        assert (Decimal(told["limit"]), Decimal(told["spent"])) == (Decimal(2), Decimal("1.6"))
    assert [open_call.id for open_call in await budget.left_open()] == [held.id], "a refusal sets nothing aside"
    assert (await budget.balances())[scope].reserved == Decimal("0.6")


async def test_a_refusal_that_is_caught_leaves_nothing_behind(world: World) -> None:
    """The run goes on in the same transaction: it stores why it ends."""
    budget = BudgetBench.of(world, run=Decimal(1))
    async with world.services.db.unit_of_work(world["bob"].principal.actor) as uow:
        with pytest.raises(BudgetExceeded):
            await budgets.reserve(uow, budget.spender, budget.limits, call(), 2000, 500)
    assert set((await budget.balances()).values()) == {Balance()}


async def test_a_few_words_are_no_answer(world: World) -> None:
    budget = BudgetBench.of(world, run=Decimal("1.2"))
    with pytest.raises(BudgetExceeded):
        await budget.reserve(1000, 8192)
    assert (await budget.reserve(1000, 8192, least_output_tokens=200)).max_output_tokens == 200
    other = budget.another_run()
    assert (await other.reserve(1000, 100)).max_output_tokens == 100, "all that was wanted is enough, however little"


async def test_reading_alone_can_be_too_dear(world: World) -> None:
    budget = BudgetBench.of(world, run=Decimal(1))
    embedding = call(Price(Decimal(1000), Decimal(0), Decimal(0)), Purpose.EMBEDDING)
    with pytest.raises(BudgetExceeded):
        await budget.reserve(1001, 0, embedding)
    assert (await budget.reserve(1000, 0, embedding)).amount == 1


async def test_what_costs_nothing_is_never_refused(world: World) -> None:
    budget = BudgetBench.of(world, run=Decimal(0), user=Decimal(0), mandate=Decimal(0))
    with pytest.raises(BudgetExceeded):
        await budget.reserve(1, 300)
    held = await budget.reserve(100_000, 8192, call(FREE))
    billed = await budget.settle(held, 100_000, 10)
    assert (held.max_output_tokens, billed.cost_chf, billed.usage) == (8192, Decimal(0), Usage(100_000, 10))


async def test_settling_twice_bills_once(world: World) -> None:
    budget = BudgetBench.of(world)
    held = await budget.reserve(1000, 1000)
    first = await budget.settle(held, 1000, 10)
    second = await budget.settle(held, 5000, 5000, outcome=Outcome.FAILED)
    assert second == first
    assert (await budget.balances())[BudgetScope.RUN] == Balance(Decimal("1.01"), Decimal(0))
    assert await budget.sql("select count(*) from billing") == 1


async def test_what_was_never_reserved_cannot_be_settled(world: World) -> None:
    budget, stranger = BudgetBench.of(world), BudgetBench.of(world, "zoe")
    held = await budget.reserve(1000, 1000)
    forged = replace(held, spender=stranger.spender)
    with pytest.raises(NotFound):
        await stranger.settle(forged, 1, 1)
    assert await budget.left_open() == [held]


async def test_more_than_was_reserved_is_counted_and_the_next_call_pays_for_it(world: World) -> None:
    budget = BudgetBench.of(world, run=Decimal(2))
    held = await budget.reserve(1000, 1000)
    await budget.settle(held, 1500, 1000)
    assert (await budget.balances())[BudgetScope.RUN] == Balance(Decimal("2.5"), Decimal(0))
    with pytest.raises(BudgetExceeded):
        await budget.reserve(1, 300)


@pytest.mark.requirement("C4")
async def test_every_call_has_its_line_with_the_price_as_it_was(world: World) -> None:
    budget = BudgetBench.of(world)
    assumed = replace(DEAR, assumed=True)
    held = await budget.reserve(100, 300, call(assumed, round=2, attempt=3))
    async with world.services.db.unit_of_work(world["bob"].principal.actor) as uow:
        billed = await budgets.settle(
            uow, held, Usage(100, 20, cached_tokens=50), outcome=Outcome.FAILED, duration_ms=12
        )
    assert billed.cost_chf == Decimal("0.075"), "50 fresh, 50 cached at a tenth, 20 written"
    assert billed.assumed
    assert (billed.call.round, billed.call.attempt, billed.outcome) == (2, 3, Outcome.FAILED)
    again = await budget.settle(held, 0, 0)
    assert again == billed, "read back, it is the same to the last digit"


@pytest.mark.parametrize("purpose", list(Purpose))
@pytest.mark.requirement("A5")
async def test_calls_without_a_reservation_count_too(world: World, purpose: Purpose) -> None:
    budget = BudgetBench.of(world, workflow=Decimal(2))
    await budget.bill(1900, call(purpose=purpose))
    with pytest.raises(BudgetExceeded) as refused:
        await budget.reserve(1, 300)
    assert refused.value.details["scope"] == "workflow"


async def test_a_workflow_is_more_than_one_run(world: World) -> None:
    budget = BudgetBench.of(world, run=Decimal(2), workflow=Decimal(3))
    await budget.bill(2000)
    sibling = budget.another_run(same_workflow=True)
    assert (await sibling.reserve(0, 8192)).amount == 1, "a new run, but the conversation has CHF 1 left"


async def test_a_new_day_and_a_new_month_begin_at_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    budget = BudgetBench.of(world, user=Decimal(1), mandate=Decimal(3))

    def at(*moment: int) -> None:
        monkeypatch.setattr(budgets, "now", lambda: datetime(*moment, tzinfo=UTC))  # type: ignore[misc,arg-type]

    at(2026, 11, 29, 23, 59)
    late = await budget.reserve(1000, 0)
    with pytest.raises(BudgetExceeded):
        await budget.reserve(1, 0)
    at(2026, 11, 30, 0, 0)
    await budget.settle(await budget.reserve(1000, 0), 1000, 0)
    await budget.settle(late, 1000, 0)
    assert (await budget.balances(late.at))[BudgetScope.USER].spent == 1, "it counts for the day on which it began"
    at(2026, 12, 1)
    await budget.reserve(1000, 0)
    assert (await budget.balances(datetime(2026, 11, 30, tzinfo=UTC)))[BudgetScope.MANDATE].spent == 2
    assert (await budget.balances(datetime(2026, 12, 31, tzinfo=UTC)))[BudgetScope.MANDATE].reserved == 1


async def test_the_ledger_outlives_what_it_speaks_of_and_is_written_once(world: World) -> None:
    budget = BudgetBench.of(world)
    await budget.bill(1000)
    await world.services.users.delete(world["alice"].principal, world["bob"].user.id)
    assert await budget.sql("select cost_chf from billing where user_id = $1", budget.spender.user_id) == 1
    for statement in ("update billing set cost_chf = 0", "delete from billing"):
        with pytest.raises(Exception, match="permission denied"):
            await budget.sql(statement)


async def test_two_who_settle_the_same_call_at_once_bill_it_once(world: World) -> None:
    """The one who comes second waits, and finds it done."""
    budget = BudgetBench.of(world)
    held = await budget.reserve(1000, 1000)
    actor = world["bob"].principal.actor
    async with world.services.db.unit_of_work(actor) as first:
        billed = await budgets.settle(first, held, Usage(1000, 1), outcome=Outcome.ANSWERED, duration_ms=1)
        waiting = world.services.db.unit_of_work(actor)
        second = await waiting.__aenter__()
        await second.execute("set local lock_timeout = '50ms'")
        with pytest.raises(Exception, match="lock timeout"):
            await budgets.settle(second, held, Usage(9, 9), outcome=Outcome.LOST, duration_ms=1)
        with pytest.raises((RuntimeError, Conflict)):
            await waiting.__aexit__(None, None, None)
    assert await budget.settle(held, 9, 9, outcome=Outcome.LOST) == billed


@given(
    left=st.decimals(-1, 100, places=6),
    price_in=st.decimals(0, 500, places=4),
    price_out=st.decimals(0, 500, places=4),
    read=st.integers(0, 200_000),
    wanted=st.integers(0, 100_000),
)
def test_as_much_as_can_be_paid_and_not_one_token_more(
    left: Decimal, price_in: Decimal, price_out: Decimal, read: int, wanted: int
) -> None:
    price = Price(price_in, price_out, price_in)
    granted = budgets.affordable(price, left, read, wanted)
    assert granted <= wanted
    if granted < 0:
        assert price.of(Usage(read)) > left
    else:
        assert price.of(Usage(read, granted)) <= left
    if 0 <= granted < wanted:
        assert price.of(Usage(read, granted + 1)) > left


class LongIsDearer(Price):
    """As some providers have it: a long prompt doubles the price of the whole call."""

    def of(self, usage: Usage) -> Decimal:
        return self.at(usage).of(usage)

    def at(self, usage: Usage) -> Price:
        times = 2 if usage.input_tokens > 100 else 1
        return Price(self.input * times, self.output * times, self.cached * times)


async def test_a_price_that_depends_on_the_prompt_is_the_one_billed(world: World) -> None:
    budget = BudgetBench.of(world)
    stepped = call(LongIsDearer(DEAR.input, DEAR.output, DEAR.cached))
    short = await budget.settle(await budget.reserve(50, 10, stepped), 50, 10)
    long = await budget.settle(await budget.reserve(50, 10, stepped), 150, 10)
    assert (short.cost_chf, short.call.price.input) == (DEAR.of(Usage(50, 10)), DEAR.input)
    assert (long.cost_chf, long.call.price.input) == (2 * DEAR.of(Usage(150, 10)), 2 * DEAR.input)
    lost = await budget.reserve(150, 10, stepped)
    (found,) = await budget.left_open()
    assert found.id == lost.id
    assert found.call.price.input == 2 * DEAR.input, "also after a crash, from what was expected"


@pytest.mark.parametrize(
    ("read", "written"),
    [(10**30, 0), (1000, 10**30), (-5, 10), (1000, -1), (1000, 48_001), (34_001, 10), (float("nan"), 10)],
)
async def test_what_no_call_can_come_to_is_marked_and_billed_at_what_was_set_aside(
    world: World, read: int, written: int
) -> None:
    budget = BudgetBench.of(world, run=TEN)
    held = await budget.reserve(1000, 2000)
    billed = await budget.settle(held, read, written)
    assert (billed.assumed, billed.implausible) == (True, True)
    assert (billed.usage, billed.cost_chf) == (Usage(1000, 2000), held.amount), "the budget holds"
    assert (await budget.balances())[BudgetScope.USER].reserved == 0
    assert await budget.settle(held, 1, 1) == billed, "as it is stored"


@pytest.mark.parametrize(("read", "written"), [(34_000, 10), (1000, 48_000)])
async def test_what_pictures_and_thoughts_can_come_to_is_believed(world: World, read: int, written: int) -> None:
    budget = BudgetBench.of(world)
    billed = await budget.settle(await budget.reserve(1000, 2000), read, written)
    assert (billed.usage, billed.assumed, billed.implausible) == (Usage(read, written), False, False)
