"""Requests of tools that are paid by the request: what is in the ledger when they end, however they end."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.runs.bench import RunBench
from tests.world import World
from workroom.agent.testing import call, say
from workroom.agent.tool import ToolContext, tool
from workroom.core.money import ZERO
from workroom.usage.types import PaidRequest, Purpose
from workroom.websearch.errors import SearchFailed

PRICE = Decimal("0.25")


@tool("order", effect="read")
async def order(ctx: ToolContext, how: str) -> str:
    """Order something that costs money."""

    async def send() -> str:
        if how == "refused":
            raise SearchFailed("The key is wrong.", "acme", code="searchKeyRefused", refused=True)
        if how == "timed out":
            raise SearchFailed("It takes too long.", "acme", code="searchUnavailable")
        if how == "broken":
            raise RuntimeError("nobody knows whether it arrived")
        return "Delivered."

    return await ctx.pay(PaidRequest("acme", "delivery", Purpose.SEARCH, PRICE), send)


@pytest.mark.requirement("C4")
@pytest.mark.parametrize(
    ("how", "bill"),
    [
        ("fine", (PRICE, False, "answered")),
        ("refused", (ZERO, False, "failed")),
        ("timed out", (PRICE, True, "failed")),
        ("broken", (PRICE, True, "failed")),
    ],
)
async def test_what_is_answered_is_paid_and_what_is_unknown_assumed(
    world: World, how: str, bill: tuple[Decimal, bool, str]
) -> None:
    bench = RunBench(world, tool_names=frozenset({"order"}))
    accepted = await bench.ask("Order it.")
    await bench.advance(accepted, [call("order", how=how)], say("Done."), tools=(order,))
    [row] = await bench.rows(
        "select cost_chf, assumed, outcome, input_tokens + output_tokens as tokens, price_request from billing"
        " where run_id = $1 and provider = 'acme'",
        accepted.run_id,
    )
    assert (row["cost_chf"], row["assumed"], row["outcome"]) == bill
    assert (row["tokens"], row["price_request"]) == (0, bill[0])
    assert await bench.sql("select count(*) from reservations") == 0
    assert await bench.sql("select sum(reserved) from budget_accounts") in (None, ZERO)
