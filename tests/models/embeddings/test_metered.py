"""Who pays for vectors: reserved before, settled after, refused when there is nothing left."""

from __future__ import annotations

import asyncio
from decimal import Decimal

import pytest

from tests.models.embeddings.places import PRICE
from tests.world import World
from workroom.core.errors import BudgetExceeded
from workroom.core.pages import PageRequest
from workroom.core.tokens import Usage
from workroom.models.embeddings.metered import MeteredEmbedder
from workroom.models.embeddings.ports import Embedder, EmbedderInfo, Embeddings
from workroom.models.ports import ModelFailed
from workroom.models.testing import FixedEmbedder
from workroom.usage.limits import BudgetScope
from workroom.usage.types import CostFilter, CostLine, Outcome, Purpose, Spender

BUSY = ModelFailed("busy", again=True)


@pytest.fixture
def fixed() -> FixedEmbedder:
    return FixedEmbedder(price=PRICE, batch=2)


@pytest.fixture
def metered(world: World, fixed: FixedEmbedder) -> MeteredEmbedder:
    return paid(world, fixed)


def paid(world: World, embedder: Embedder) -> MeteredEmbedder:
    bob, lab = world["bob"].principal, world.instances["lab"].id
    assert bob.user_id is not None
    spender = Spender(bob.mandate_id, bob.user_id, lab)
    return MeteredEmbedder(embedder, world.services.db, world.services.budgets, bob, spender)


async def ledger(world: World) -> list[CostLine]:
    page = await world.services.costs.list(world["bob"].principal, CostFilter(), PageRequest(limit=50))
    return sorted(page.items, key=lambda line: line.billed.at)


async def reserved(world: World) -> Decimal:
    standing = await world.services.budgets.standing(world["bob"].principal)
    return next(one.balance.reserved for one in standing if one.scope is BudgetScope.USER and one.balance)


@pytest.mark.requirement("C4")
async def test_every_request_is_a_line_in_the_ledger(world: World, metered: MeteredEmbedder) -> None:
    got = await metered.embed(["12345678", "1234", "1234"])
    assert len(got.vectors) == 3
    assert got.usage.input_tokens == 4
    lines = await ledger(world)
    assert [line.billed.usage.input_tokens for line in lines] == [3, 1]
    assert [line.billed.cost_chf for line in lines] == [Decimal("0.000006"), Decimal("0.000002")]
    for line in lines:
        assert (line.billed.call.purpose, line.billed.outcome) == (Purpose.EMBEDDING, Outcome.ANSWERED)
        assert line.billed.call.model == "fixed"
        assert line.billed.spender.user_id == world["bob"].principal.user_id
    assert await reserved(world) == 0


async def test_blanks_are_not_billed(world: World, metered: MeteredEmbedder) -> None:
    got = await metered.embed(["", "  "])
    assert not any(vector.any() for vector in got.vectors)
    assert await ledger(world) == []


@pytest.mark.requirement("A5")
async def test_without_money_nobody_is_asked(world: World, fixed: FixedEmbedder, metered: MeteredEmbedder) -> None:
    await world.services.budgets.set_for_mandate(world["alice"].principal, {BudgetScope.USER: Decimal(0)})
    with pytest.raises(BudgetExceeded):
        await metered.embed(["one"])
    assert fixed.calls == []
    assert await ledger(world) == []


async def test_what_failed_costs_nothing_and_what_was_done_stays_paid(
    world: World, fixed: FixedEmbedder, metered: MeteredEmbedder
) -> None:
    await metered.embed(["one"])
    fixed.failures.append(BUSY)
    with pytest.raises(ModelFailed):
        await metered.embed(["one", "two", "three"])
    lines = await ledger(world)
    assert [line.billed.outcome for line in lines] == [Outcome.ANSWERED, Outcome.FAILED]
    assert lines[1].billed.cost_chf == 0
    assert await reserved(world) == 0


async def test_a_useless_answer_is_billed(world: World, fixed: FixedEmbedder, metered: MeteredEmbedder) -> None:
    fixed.failures.append(ModelFailed("no vectors", again=True, used=Usage(input_tokens=3)))
    with pytest.raises(ModelFailed):
        await metered.embed(["one"])
    (line,) = await ledger(world)
    assert (line.billed.outcome, line.billed.assumed, line.billed.usage.input_tokens) == (Outcome.FAILED, True, 3)
    assert await reserved(world) == 0


class Stuck:
    """Never answers."""

    def __init__(self, info: EmbedderInfo) -> None:
        self.info = info
        self.asked = asyncio.Event()

    async def embed(self, texts: object, *, query: bool = False) -> Embeddings:
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError


async def test_what_is_given_up_is_billed_by_guess(world: World, fixed: FixedEmbedder) -> None:
    stuck = Stuck(fixed.info)
    asking = asyncio.create_task(paid(world, stuck).embed(["12345678"]))
    async with asyncio.timeout(60):
        await stuck.asked.wait()
    assert await reserved(world) == Decimal("0.000004")
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    (line,) = await ledger(world)
    assert (line.billed.outcome, line.billed.assumed, line.billed.usage.input_tokens) == (Outcome.LOST, True, 2)
    assert await reserved(world) == 0
