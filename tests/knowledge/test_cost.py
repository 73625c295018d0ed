"""What the vectors of a file cost is known of the file, as it was billed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from tests.knowledge.room import Library
from workroom.core.money import Price
from workroom.core.pages import PageRequest
from workroom.models.embeddings.metered import MeteredEmbedder
from workroom.models.embeddings.ports import Embedder
from workroom.models.ports import ModelFailed
from workroom.models.testing import FixedEmbedder
from workroom.usage.types import CostFilter, Spender

PRICE = Price(Decimal(200), Decimal(0), Decimal(200))
TEXT = "\n\n".join(f"# Part {n}\n\nThe turbine number {n} was inspected." for n in range(4))


def paid(shelf: Library, embedder: Embedder, person: str = "bob") -> MeteredEmbedder:
    world, principal = shelf.world, shelf.world[person].principal
    assert principal.user_id is not None
    spender = Spender(principal.mandate_id, principal.user_id, world.instances["lab"].id)
    return MeteredEmbedder(embedder, world.services.db, world.services.budgets, principal, spender)


async def shown(shelf: Library, file_id: UUID) -> Mapping[str, Any]:
    found: Mapping[str, Any] = (await shelf.world.call("bob", "GET", f"/api/files/{file_id}/knowledge")).json()
    return found


async def billed(shelf: Library) -> Decimal:
    page = await shelf.world.services.costs.list(shelf.world["bob"].principal, CostFilter(), PageRequest(limit=100))
    return sum((line.billed.cost_chf for line in page.items), Decimal(0))


@pytest.mark.requirement("C4")
async def test_a_file_says_what_was_billed_for_it(shelf: Library) -> None:
    shelf.embedders.made = paid(shelf, FixedEmbedder(384, price=PRICE, batch=2))
    file = await shelf.put("turbines.md", TEXT)
    found = await shown(shelf, file.id)
    assert Decimal(found["costCHF"]) == await billed(shelf) > 0
    assert found["costAssumed"] is False


async def test_copies_cost_nothing(shelf: Library) -> None:
    shelf.embedders.made = paid(shelf, FixedEmbedder(384, price=PRICE))
    first = await shelf.put("one.md", TEXT)
    second = await shelf.put("two.md", TEXT)
    assert Decimal((await shown(shelf, first.id))["costCHF"]) == await billed(shelf)
    assert Decimal((await shown(shelf, second.id))["costCHF"]) == 0


async def test_what_was_paid_before_it_went_wrong_counts(shelf: Library) -> None:
    fixed = FixedEmbedder(384, price=PRICE, batch=2)
    shelf.embedders.made = paid(shelf, fixed)
    fixed.failures = [ModelFailed("busy", again=True)]
    calls = 0
    real = fixed.embed

    async def second_fails(texts: Any, *, query: bool = False) -> Any:
        nonlocal calls
        calls += 1
        if calls == 1:
            kept, fixed.failures = fixed.failures, []
            made = await real(texts, query=query)
            fixed.failures = kept
            return made
        return await real(texts, query=query)

    fixed.embed = second_fails  # type: ignore[method-assign]
    file = await shelf.put("turbines.md", TEXT)
    found = await shown(shelf, file.id)
    assert found["state"] == "embedding"
    assert Decimal(found["costCHF"]) == await billed(shelf) > 0


async def test_another_model_costs_on_top_and_a_guess_is_called_one(shelf: Library) -> None:
    shelf.embedders.made = paid(shelf, FixedEmbedder(384, price=PRICE))
    file = await shelf.put("turbines.md", TEXT)
    once = Decimal((await shown(shelf, file.id))["costCHF"])
    shelf.embedders.choose(paid(shelf, FixedEmbedder(512, id="other", price=replace(PRICE, assumed=True))))
    await shelf.outdated.notice()
    await shelf.settle()
    found = await shown(shelf, file.id)
    assert Decimal(found["costCHF"]) == await billed(shelf) > once
    assert found["costAssumed"] is True
