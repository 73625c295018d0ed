"""Drill R7: many runs of one person at once, on two workers, against one daily budget.

Holds when no more is spent than the budget and one model call, nothing stays set aside, and every run ends with words:
the model's, or ours where the money was gone.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from decimal import Decimal

import pytest

from tests.faults.two_houses import LOOK_AGAIN, SECONDS, TwoHouses
from workroom.core.tokens import Usage
from workroom.models.testing import Drip, Reply

USED = Usage(input_tokens=1000, output_tokens=1000)
ONE_CALL = Decimal("0.3")  # at 100 francs for a million tokens read and 200 for a million written
BUDGET = 10 * ONE_CALL
MODEL = "dear/words"


@pytest.fixture
async def limit(houses: TwoHouses) -> AsyncIterator[Decimal]:
    """What the administrator may spend today: what is spent already, and the budget."""
    limit = await spent(houses) + BUDGET
    provider = await houses.clients[0].post(
        "/api/model-providers",
        json={
            "kind": "endpoint",
            "name": "dear",
            "baseUrl": houses.provider.base_url,
            "allowPrivate": True,
            "models": [{"name": "words", "outputTokens": USED.output_tokens}],
        },
    )
    assert provider.status_code == 201, provider.text
    price = {"input": "100", "output": "200", "cached": "10"}
    await houses.put("/api/model-prices", {"model": MODEL, "price": price})
    await houses.put("/api/budgets/mandate", {"limits": [{"scope": "user", "limit": str(limit)}]})
    yield limit
    await houses.put("/api/budgets/mandate", {"limits": []})
    await houses.put("/api/model-prices", {"model": MODEL, "price": None})
    (await houses.clients[0].delete(f"/api/model-providers/{provider.json()['id']}")).raise_for_status()


@pytest.mark.requirement("A5")
@pytest.mark.requirement("M2")
@pytest.mark.parametrize("runs", [16, pytest.param(100, marks=pytest.mark.drill)])
async def test_a_budget_is_passed_by_one_call_at_most(houses: TwoHouses, limit: Decimal, runs: int) -> None:
    gate = asyncio.Event()
    houses.provider.behaviour = lambda _: Drip(Reply("Dear words.", usage=USED), gate)
    asked = await asyncio.gather(*[houses.ask(f"question {number}", number, model=MODEL) for number in range(runs)])
    await nothing_is_left(houses, limit)
    gate.set()
    states = await houses.ended(list(asked))
    counted = Counter(states.values())
    assert set(counted) == {"completed", "budgetExceeded"}, "some were paid, and not all"
    assert limit - BUDGET < await spent(houses) <= limit + ONE_CALL
    left = await houses.rows("select count(*) as open, (select sum(reserved) from budget_accounts) from reservations")
    assert tuple(left[0]) == (0, 0)
    for run_id in asked:
        events = [item["event"] for item in await houses.log(run_id)]
        words = [event["text"] for event in events if event["type"] == "message"]
        assert words
        assert words[-1].strip(), "last words"
        assert (events[-1]["type"], events[-1]["state"]) == ("complete", states[run_id])
    print(f"runs {runs}, {dict(counted)}, spent {await spent(houses) - limit + BUDGET} of {BUDGET}")


async def nothing_is_left(houses: TwoHouses, limit: Decimal) -> None:
    """All runs are under way at once, and what is not reserved pays no further answer."""
    under_way = (
        "select not exists (select from runs where state = 'queued') and"
        " exists (select from budget_accounts where scope = 'user' and spent + reserved > $1)"
    )
    async with asyncio.timeout(SECONDS):
        while not (await houses.rows(under_way, limit - ONE_CALL))[0][0]:  # noqa: ASYNC110 -- no event across processes
            await asyncio.sleep(LOOK_AGAIN)


async def spent(houses: TwoHouses) -> Decimal:
    rows = await houses.rows("select coalesce(sum(spent), 0) from budget_accounts where scope = 'user'")
    amount: Decimal = rows[0][0]
    return amount
