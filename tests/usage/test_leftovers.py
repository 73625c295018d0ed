"""What dead processes had reserved: found by whoever takes the run over, or swept when the run is over."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from tests.usage.budget_bench import BudgetBench
from tests.world import World
from workroom.core.clock import now
from workroom.core.tokens import Usage
from workroom.models.model_factory import ANSWER_SECONDS
from workroom.runs.service import Input
from workroom.usage import budgets
from workroom.usage.jobs import AFTER_RUN, WITHOUT_RUN, settle_leftovers
from workroom.usage.limits import BudgetScope
from workroom.usage.types import Outcome


async def of_a_run(world: World) -> BudgetBench:
    """A budget of a run that really exists."""
    budget = BudgetBench.of(world)
    accepted = await world.services.runs.input(world["bob"].principal, world.instances["lab"].id, Input("hello"))
    return replace(
        budget, spender=replace(budget.spender, conversation_id=accepted.conversation_id, run_id=accepted.run_id)
    )


def ago(monkeypatch: pytest.MonkeyPatch, age: timedelta) -> None:
    moment = now() - age
    monkeypatch.setattr(budgets, "now", lambda: moment)


async def test_whoever_takes_a_run_over_finds_its_open_calls(world: World) -> None:
    budget, other = BudgetBench.of(world), BudgetBench.of(world)
    held = [await budget.reserve(1000, 2000), await budget.reserve(10, 20)]
    await other.reserve(1, 1)
    assert await budget.left_open() == held, "to the last digit, and no other run's"
    assert held[0].guess() == Usage(1000, 256)
    assert held[0].guess(700) == Usage(1000, 700)
    assert held[1].guess() == Usage(10, 20)
    billed = await budget.settle(held[0], 1000, 256, outcome=Outcome.LOST, assumed=True)
    assert (billed.assumed, billed.outcome) == (True, Outcome.LOST)
    assert await budget.left_open() == held[1:]


@pytest.mark.requirement("A5")
async def test_the_sweep_settles_what_ended_runs_left(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    budget = await of_a_run(world)
    ago(monkeypatch, 2 * AFTER_RUN)
    held = await budget.reserve(1000, 2000)
    assert await settle_leftovers(world.services.db) == 0, "its run waits"
    await world.services.runs.stop(world["bob"].principal, held.spender.run_id)  # type: ignore[arg-type]
    assert await settle_leftovers(world.services.db) == 1
    assert await settle_leftovers(world.services.db) == 0
    balance = (await budget.balances(held.at))[BudgetScope.RUN]
    assert (balance.reserved, balance.spent) == (Decimal(0), held.call.price.of(Usage(1000, 256)))
    assert await budget.sql("select outcome || assumed::text from billing") == "losttrue"


@pytest.mark.requirement("A5")
async def test_the_run_shows_what_the_sweep_settled_and_a_late_worker_adds_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget = await of_a_run(world)
    ago(monkeypatch, 2 * AFTER_RUN)
    held = await budget.reserve(1000, 2000)
    await world.services.runs.stop(world["bob"].principal, held.spender.run_id)  # type: ignore[arg-type]
    await settle_leftovers(world.services.db)
    await budget.settle(held, 1000, 1500)
    shown = "select cost_chf = (select sum(cost_chf) from billing) and cost_chf > 0 and cost_assumed from runs"
    assert await budget.sql(shown)
    assert await budget.sql("select input_tokens || '/' || output_tokens from runs") == "1000/256"


def test_the_sweep_comes_after_the_longest_call() -> None:
    """Or a slow summary, which its worker is still going to settle, would be billed by guess."""
    assert min(AFTER_RUN, WITHOUT_RUN) > timedelta(seconds=ANSWER_SECONDS)


async def test_the_sweep_leaves_the_young_alone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    budget = BudgetBench.of(world)  # of a run that is gone
    ago(monkeypatch, AFTER_RUN / 2)
    await budget.reserve(10, 10)
    assert await settle_leftovers(world.services.db) == 0
    ago(monkeypatch, AFTER_RUN * 2)
    await budget.reserve(10, 10)
    assert await settle_leftovers(world.services.db) == 1


async def test_calls_without_a_run_have_longer(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    budget = BudgetBench.of(world, "zoe")
    budget.spender = replace(budget.spender, conversation_id=None, run_id=None)
    for age, settled in ((WITHOUT_RUN / 2, 0), (WITHOUT_RUN * 2, 1)):
        ago(monkeypatch, age)
        await budget.reserve(10, 10)
        assert await settle_leftovers(world.services.db) == settled
