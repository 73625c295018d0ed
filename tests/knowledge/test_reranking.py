"""A reranking model looks again at the best of what was found, and search works without it."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import pytest

from tests.knowledge.room import Library
from workroom.identity.types import Principal
from workroom.knowledge.reranking import MOST_RERANKED
from workroom.knowledge.search import Search
from workroom.knowledge.types import Passage, Query
from workroom.models.ports import ModelFailed
from workroom.models.reranking.ports import Ranking, Reranker
from workroom.models.testing import FixedReranker


class OneReranker:
    def __init__(self, made: Reranker | None) -> None:
        self.made = made

    async def reranker(self, principal: Principal, instance_id: UUID) -> Reranker | None:
        return self.made


async def find(shelf: Library, reranker: Reranker | None, most: int = 15) -> list[Passage]:
    search = Search(shelf.world.services.db, shelf.embedders, OneReranker(reranker))
    query = Query("turbine inspected", shelf.world.instances["lab"].id, most_instance=most)
    return await search.find(shelf.world["bob"].principal, query)


@pytest.fixture
async def turbines(shelf: Library) -> Library:
    for name in ("north", "south", "east"):
        await shelf.put(f"{name}.md", f"The {name} turbine was inspected.")
    return shelf


@pytest.mark.requirement("H5")
async def test_its_order_counts_and_its_scores_are_shown(turbines: Library) -> None:
    reranker = FixedReranker({"east": 3.0, "north": 2.0, "south": 1.0})
    found = await find(turbines, reranker)
    assert [(hit.file_name, hit.why.reranked) for hit in found] == [
        ("east.md", 3.0),
        ("north.md", 2.0),
        ("south.md", 1.0),
    ]
    assert [hit.score for hit in found] == [3.0, 2.0, 1.0]
    ((query, texts),) = reranker.calls
    assert query == "turbine inspected"
    assert len(texts) == 3


async def test_what_would_not_have_been_shown_can_be(turbines: Library) -> None:
    """It is asked about more than is wanted in the end."""
    without = [hit.file_name for hit in await find(turbines, None, most=1)]
    scores = {name: 0.0 if without == [f"{name}.md"] else 1.0 for name in ("north", "south", "east")}
    (found,) = await find(turbines, FixedReranker(scores), most=1)
    assert found.file_name not in without


async def test_without_one_nothing_is_said_about_it(turbines: Library) -> None:
    assert {hit.why.reranked for hit in await find(turbines, None)} == {None}


async def test_when_it_fails_the_order_is_as_it_was(turbines: Library, caplog: pytest.LogCaptureFixture) -> None:
    expected = [(hit.file_name, hit.score) for hit in await find(turbines, None)]
    reranker = FixedReranker()
    reranker.failures.append(ModelFailed("It is away.", again=True))
    assert [(hit.file_name, hit.score) for hit in await find(turbines, reranker)] == expected
    assert "could not be reranked" in caplog.text
    assert "turbine" not in caplog.text, "what people ask is not in the log"


async def test_it_is_not_asked_to_order_one_thing_or_nothing(shelf: Library) -> None:
    reranker = FixedReranker()
    await find(shelf, reranker)
    await shelf.put("north.md", "The north turbine was inspected.")
    assert len(await find(shelf, reranker)) == 1
    assert reranker.calls == []


async def test_it_is_asked_about_fifty_and_the_rest_comes_after(shelf: Library) -> None:
    many = MOST_RERANKED + 10
    await shelf.put("many.md", "\n\n".join(f"# Part {n}\n\nThe turbine {n} was inspected." for n in range(many)))
    reranker = FixedReranker({"The turbine": 5.0})
    await find(shelf, reranker, most=many)
    ((_, texts),) = reranker.calls
    assert len(texts) == MOST_RERANKED


async def test_no_transaction_is_open_while_it_thinks(turbines: Library) -> None:
    """It may take seconds, and there are few connections."""
    idle: list[tuple[int, int]] = []
    db = turbines.world.services.db

    class Watching(FixedReranker):
        async def rerank(self, query: str, texts: Sequence[str]) -> Ranking:
            idle.append(db.idle_and_size)
            return await super().rerank(query, texts)

    await find(turbines, Watching())
    ((free, size),) = idle
    assert free == size
