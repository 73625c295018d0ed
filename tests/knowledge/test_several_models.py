"""While files have vectors of several models, a question finds in all of them, and what it finds can be compared."""

from __future__ import annotations

import pytest

from tests.knowledge.room import Library
from workroom.knowledge.query_vectors import MOST_MODELS
from workroom.models.embeddings.ports import Floors
from workroom.models.embeddings.static import INFO as STATIC
from workroom.models.ports import ModelFailed
from workroom.models.testing import FixedEmbedder


def model(id: str, dimensions: int = 384, floor: float = 0.1) -> FixedEmbedder:
    return FixedEmbedder(dimensions, id=id, floors=Floors(floor, floor + 0.05))


async def shelved(shelf: Library, *models: FixedEmbedder) -> None:
    """A file for each of them; the last is the one that counts."""
    for one in models:
        shelf.embedders.choose(one)
        await shelf.put(f"{one.info.id}.md", f"The turbine was inspected, says {one.info.id}.")


@pytest.mark.requirement("H5")
async def test_each_file_is_found_by_the_vectors_it_has(shelf: Library) -> None:
    one, two = model("one", 384, 0.2), model("two", 512, 0.3)
    await shelved(shelf, one, two)
    found = {hit.file_name: hit for hit in await shelf.find("the turbine was inspected")}
    assert set(found) == {"one.md", "two.md"}
    assert all(hit.why.semantic is not None for hit in found.values())
    assert (found["one.md"].why.floor, found["two.md"].why.floor) == (0.2, 0.3)
    assert (one.queries, two.queries) == (1, 1)


async def test_what_is_not_alike_for_its_own_model_is_left_out(shelf: Library) -> None:
    low, high = model("low", 384, 0.0), model("high", 512, 0.99)
    await shelved(shelf, low, high)
    found = await shelf.find("turbine machinery outlook")
    assert [hit.file_name for hit in found if hit.why.semantic is not None and hit.why.semantic >= hit.why.floor] == [
        "low.md"
    ]


async def test_only_models_whose_vectors_are_there_are_asked(shelf: Library) -> None:
    """Right after the choice nothing has vectors of the new one, and a question to it would be paid for nothing."""
    one, two = model("one"), model("two", 512)
    await shelved(shelf, one)
    shelf.embedders.choose(two)
    assert [hit.file_name for hit in await shelf.find("turbine inspected")] == ["one.md"]
    assert (one.queries, two.queries) == (1, 0)
    assert await shelf.find("turbine inspected", "zoe", "den") == []
    assert (one.queries, two.queries) == (1, 0), "nobody is asked about an empty shelf"


async def test_a_question_goes_to_few_models_the_one_that_counts_first(shelf: Library) -> None:
    models = [model(f"m{n}") for n in range(MOST_MODELS + 1)]
    await shelved(shelf, *models)
    await shelf.find("turbine inspected")
    assert sum(one.queries for one in models) == MOST_MODELS
    assert models[-1].queries == 1


async def test_a_model_that_cannot_be_asked_any_more_is_skipped(shelf: Library) -> None:
    gone, away, here = model("gone"), model("away", 512), model("here", 768)
    await shelved(shelf, gone, away, here)
    shelf.embedders.others = [away]
    away.failures.append(ModelFailed("away", again=True))
    found = {hit.file_name: hit.why.semantic is not None for hit in await shelf.find("turbine was inspected")}
    assert found == {"gone.md": False, "away.md": False, "here.md": True}
    assert gone.queries == 0


async def test_vectors_of_a_model_that_is_not_complete_are_not_searched_beside_the_old_ones(shelf: Library) -> None:
    """Or half a file would be found by one model and half by another."""
    await shelf.put("static.md", "The turbine was inspected.")
    new = model("new")
    await shelved(shelf, new)
    file = await shelf.put("other.md", "The turbine was inspected twice.")
    async with shelf.world.services.db.unit_of_work(shelf.world["bob"].principal.actor) as uow:
        await uow.execute(
            "update knowledge_files set embedder = $1, wanted = $2 where file_id = $3",
            STATIC.ref,
            new.info.ref,
            file.id,
        )
    found = {hit.file_name: hit.why.semantic for hit in await shelf.find("turbine was inspected")}
    assert found["new.md"] is not None
    assert found["other.md"] is None


async def test_scores_are_in_one_order(shelf: Library) -> None:
    await shelved(shelf, model("one"), model("two", 512))
    found = await shelf.find("the turbine was inspected, says two.")
    assert [hit.file_name for hit in found] == ["two.md", "one.md"]
    assert found[0].score > found[1].score
