"""Another embedding model was chosen: files get its vectors in the background, and are found by the old ones until then."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from tests.files.sending import make
from tests.knowledge.embedders import BATCH, Other, chosen
from tests.knowledge.room import Library
from tests.lapsing import time_passes
from tests.models.embeddings.places import KEY, connection_to
from workroom.core.errors import BudgetExceeded, WorkroomError
from workroom.core.money import FREE
from workroom.db import UnitOfWork
from workroom.db.work_scheduler import WorkScheduler
from workroom.files.types import FileChange, FileStatus
from workroom.knowledge import tasks
from workroom.knowledge.reembedding import LONGEST_PAUSE, PAUSE
from workroom.knowledge.service import Knowledge
from workroom.knowledge.types import IndexState, IndexStatus
from workroom.models.embeddings.embedder_factory import embedder_of
from workroom.models.embeddings.offers import EmbeddingOffer
from workroom.models.embeddings.ports import EmbedderInfo, Floors
from workroom.models.embeddings.static import INFO as STATIC
from workroom.models.model_factory import client_for
from workroom.models.testing import FixedEmbedder, ScriptedAnswer, ScriptedProvider, Status, Vectors

PARTS = 6
TEXT = "\n\n".join(f"# Part {n}\n\nThe turbine number {n} was inspected in spring." for n in range(PARTS))
QUESTION = "turbine number inspected"


async def status(shelf: Library, file_id: UUID) -> IndexStatus:
    knowledge = Knowledge(shelf.world.services.db, shelf.world.services.files, shelf.embedders)
    return await knowledge.status(shelf.world["bob"].principal, file_id)


async def rows(shelf: Library, sql: str, *args: Any) -> list[Any]:
    async with shelf.world.services.db.unit_of_work(shelf.world["bob"].principal.actor) as uow:
        return await uow.fetch(sql, *args)


async def vectors(shelf: Library, dimensions: int) -> int:
    return int((await rows(shelf, f"select count(*) as n from vectors_{dimensions}"))[0]["n"])


@pytest.mark.requirement("H7")
async def test_files_get_the_vectors_of_the_model_that_counts_now(shelf: Library) -> None:
    file = await shelf.put("turbines.md", TEXT)
    other = Other()
    assert await chosen(shelf, other) == 1
    await shelf.settle()
    found = await status(shelf, file.id)
    assert (found.state, found.embedder, found.wanted) == (IndexState.INDEXED, "testing/other", None)
    assert (found.done, found.total) == (PARTS, PARTS)
    assert (await vectors(shelf, 256), await vectors(shelf, 384)) == (0, PARTS)
    assert shelf.indexing.counts["read"] == 1, "nothing is read again"
    (first, *_) = await shelf.find(QUESTION)
    assert first.why.semantic is not None
    assert await shelf.outdated.notice() == 0
    assert await shelf.job.claim() is None


async def test_old_vectors_are_searched_until_the_new_ones_are_complete(
    shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = await shelf.put("turbines.md", TEXT)
    before = [(hit.file_id, hit.why.semantic) for hit in await shelf.find(QUESTION)]
    other = Other(works=2)
    await chosen(shelf, other)
    await shelf.settle()
    found = await status(shelf, file.id)
    assert (found.state, found.embedder, found.wanted) == (IndexState.INDEXED, STATIC.ref, "testing/other")
    assert (found.problem_code, found.problem) == ("modelFailed", "The embedding service is away.")
    assert (await vectors(shelf, 256), await vectors(shelf, 384)) == (PARTS, 2 * BATCH), "what is made stays"
    assert [(hit.file_id, hit.why.semantic) for hit in await shelf.find(QUESTION)] == before
    assert await shelf.job.claim() is None, "later, not at once"
    other.works = 100
    await time_passes(shelf.world, "knowledge_files", minutes=2)
    await shelf.settle()
    found = await status(shelf, file.id)
    assert (found.state, found.embedder, found.problem) == (IndexState.INDEXED, "testing/other", None)
    assert other.texts == PARTS, "nothing is paid for twice"


async def test_how_far_it_is_can_be_seen_and_its_words_are_found(
    shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "TOLD_EVERY", timedelta(0))
    file = await shelf.put("turbines.md", TEXT)
    seen: list[tuple[IndexState, int, int, str | None]] = []

    class Watched(Other):
        async def between(self) -> None:
            found = await status(shelf, file.id)
            seen.append((found.state, found.done, found.total, found.embedder))
            assert await shelf.names(QUESTION, meaning=False)

    await chosen(shelf, Watched())
    await shelf.settle()
    assert seen == [(IndexState.EMBEDDING, done, PARTS, STATIC.ref) for done in (0, 2, 4)]


@pytest.mark.parametrize("batch", range(PARTS // BATCH))
async def test_a_crash_at_any_batch_loses_nothing(shelf: Library, monkeypatch: pytest.MonkeyPatch, batch: int) -> None:
    file = await shelf.put("turbines.md", TEXT)
    other = Other(works=batch, error=RuntimeError("killed"))
    await chosen(shelf, other)
    task = await shelf.job.claim()
    assert task is not None
    with pytest.raises(RuntimeError):
        await shelf.job.work(task)
    assert await shelf.job.claim() is None, "it is held"
    other.works = 100
    await time_passes(shelf.world, "knowledge_files", minutes=2)
    await shelf.settle()
    assert (await status(shelf, file.id)).embedder == "testing/other"
    assert other.texts == PARTS


async def test_pauses_grow(shelf: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    await shelf.put("turbines.md", TEXT)
    other = Other(works=0)
    await chosen(shelf, other)
    pauses = []
    for _ in range(12):
        await time_passes(shelf.world, "knowledge_files", hours=7)
        await shelf.settle()
        (row,) = await rows(shelf, "select not_before - clock_timestamp() as pause from knowledge_files")
        pauses.append(row["pause"])
    whole = [timedelta(minutes=round(pause / timedelta(minutes=1))) for pause in pauses]
    assert whole == [min(PAUSE * 2**n, LONGEST_PAUSE) for n in range(12)]
    assert len(other.calls) == 0


@pytest.mark.requirement("A5")
async def test_an_exhausted_budget_leaves_the_old_vectors_and_does_not_try_file_after_file(
    shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [await shelf.put(f"{n}.md", f"The turbine number {n}.") for n in range(5)]
    tried = 0

    class Poor(Other):
        async def between(self) -> None:
            nonlocal tried
            tried += 1

    poor = Poor(works=0, error=BudgetExceeded("Your budget for today is used up."))
    await chosen(shelf, poor)
    await shelf.settle()
    assert tried == 1, "what cannot be paid for one cannot be paid for the next"
    problems = [(await status(shelf, file.id)).problem_code for file in files]
    assert sorted(problems, key=str) == [None] * 4 + ["budgetExceeded"]
    assert await vectors(shelf, 256) == 5
    await time_passes(shelf.world, "knowledge_files", minutes=2)
    await shelf.settle()
    assert tried == 2
    poor.works = 100
    await time_passes(shelf.world, "knowledge_files", hours=1)
    await shelf.settle()
    assert {(await status(shelf, file.id)).embedder for file in files} == {"testing/other"}


BAD: dict[str, tuple[list[ScriptedAnswer], str]] = {
    "fewer vectors than texts": ([Vectors(384, missing=1)] * 4, "modelFailed"),
    "no numbers": ([Vectors(rows=[["NaN"] * 384] * BATCH)], "modelFailed"),
    "nothing but zeros": ([Vectors(rows=[[0.0] * 384] * BATCH)], "modelFailed"),
    "another dimension": ([Vectors(100)], "embeddingChanged"),
    "a refusal": ([Status(400)], "modelFailed"),
}


@pytest.mark.parametrize("bad", BAD)
async def test_a_provider_that_goes_wrong_half_way_harms_nothing(
    shelf: Library, monkeypatch: pytest.MonkeyPatch, bad: str
) -> None:
    file = await shelf.put("turbines.md", TEXT)
    faults, code = BAD[bad]
    async with ScriptedProvider([Vectors(384), *faults]) as provider:
        connection = connection_to(provider)
        line = client_for(connection)
        info = EmbedderInfo("scripted", "bge", 384, FREE, BATCH, 512, Floors(0.1, 0.1))
        made = embedder_of(EmbeddingOffer(info.ref, "bge", info, connection, listed=False), line, (0.0, 0.0, 0.0))
        await chosen(shelf, made)
        await shelf.settle()
        found = await status(shelf, file.id)
        assert (found.state, found.embedder, found.problem_code) == (IndexState.INDEXED, STATIC.ref, code)
        assert found.problem
        assert KEY not in found.problem
        assert (await vectors(shelf, 256), await vectors(shelf, 384)) == (PARTS, BATCH)
        provider.behaviour = lambda asked: Vectors(384)
        await time_passes(shelf.world, "knowledge_files", hours=1)
        await shelf.settle()
        assert (await status(shelf, file.id)).embedder == "scripted/bge"
        await line.retire()


async def test_vectors_that_no_table_holds_are_told(shelf: Library) -> None:
    file = await shelf.put("turbines.md", TEXT)
    await chosen(shelf, FixedEmbedder(8))
    await shelf.settle()
    found = await status(shelf, file.id)
    assert found.embedder == STATIC.ref
    assert "8 dimensions" in (found.problem or "")
    assert await shelf.names(QUESTION) == ["turbines.md"]


async def test_choosing_back_touches_nothing_that_is_still_of_the_old_model(shelf: Library) -> None:
    done = await shelf.put("done.md", "The turbine number 0.")
    await shelf.put("turbines.md", TEXT)
    other = Other(works=2)  # one for the short one; half-way through the long one
    first = shelf.embedders.made
    await chosen(shelf, other)
    await shelf.settle()
    if (await status(shelf, done.id)).embedder == STATIC.ref:  # by lot the long one came first
        assert await vectors(shelf, 384) == 2 * BATCH
    before = await rows(shelf, "select file_id, chunk, xmin::text from vectors_256 order by file_id, chunk")
    embedded = shelf.indexing.counts["embedded"]
    shelf.embedders.choose(first)
    await shelf.outdated.notice()
    left = await rows(
        shelf, "select wanted, embedder, state, problem from knowledge_files where embedder = $1", STATIC.ref
    )
    assert left
    assert {(row["wanted"], row["state"], row["problem"]) for row in left} == {(None, "indexed", None)}
    old = {(row["file_id"], row["chunk"], row["xmin"]) for row in before}
    after = await rows(shelf, "select file_id, chunk, xmin::text from vectors_256")
    assert {(row["file_id"], row["chunk"], row["xmin"]) for row in after} == old
    await shelf.settle()
    assert await vectors(shelf, 384) == 0
    assert await vectors(shelf, 256) == PARTS + 1
    assert shelf.indexing.counts["embedded"] - embedded == PARTS + 1 - len(old), (
        "only what the new model had is made again"
    )


async def test_who_is_at_it_stops_when_something_else_is_wanted(shelf: Library) -> None:
    file = await shelf.put("turbines.md", TEXT)
    first = shelf.embedders.made

    class Overtaken(Other):
        async def between(self) -> None:
            if self.texts == BATCH:
                shelf.embedders.choose(first)
                await shelf.outdated.notice()

    other = Overtaken()
    await chosen(shelf, other)
    await shelf.settle()
    found = await status(shelf, file.id)
    assert (found.state, found.embedder, found.wanted) == (IndexState.INDEXED, STATIC.ref, None)
    assert (await vectors(shelf, 256), await vectors(shelf, 384)) == (PARTS, 0)
    assert other.texts == 2 * BATCH


async def test_a_third_model_is_chosen_before_the_second_is_done(
    shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = await shelf.put("turbines.md", TEXT)
    await chosen(shelf, Other(works=1))
    await shelf.settle()
    await chosen(shelf, Other(id="third"))
    await shelf.settle()
    assert (await status(shelf, file.id)).embedder == "testing/third"
    assert {row["embedder"] for row in await rows(shelf, "select embedder from vectors_384")} == {"testing/third"}


async def test_one_name_that_stands_for_another_model_is_noticed(shelf: Library) -> None:
    """It was chosen anew, and gives vectors of another size."""
    shelf.embedders.made = FixedEmbedder(384, id="same")
    file = await shelf.put("turbines.md", TEXT)
    shelf.embedders.made = FixedEmbedder(512, id="same")
    assert await shelf.outdated.notice() == 1
    await shelf.settle()
    assert (await vectors(shelf, 384), await vectors(shelf, 512)) == (0, PARTS)
    assert (await status(shelf, file.id)).wanted is None


async def test_new_files_go_first_also_in_the_middle_of_a_file(shelf: Library) -> None:
    old = await shelf.put("turbines.md", TEXT)
    finished: list[str] = []

    class Interrupted(Other):
        async def between(self) -> None:
            if not finished and self.texts == BATCH:
                finished.append("asked")
                await make(shelf.world, "bob", "new.md", b"Something new about windmills.")
                look = await shelf.scanner.claim()
                assert look is not None
                await shelf.scanner.work(look)

    other = Interrupted()
    await chosen(shelf, other)
    task = await shelf.job.claim()
    assert task is not None
    assert task.file_id == old.id
    await shelf.job.work(task)
    assert (await status(shelf, old.id)).state is IndexState.EMBEDDING
    assert other.texts == 2 * BATCH
    new = await shelf.job.claim()
    assert new is not None
    assert new.wanted is None, "the new one first"
    await shelf.job.work(new)
    await shelf.settle()
    assert (await status(shelf, old.id)).embedder == "testing/other"
    assert other.texts == PARTS + 1


async def test_a_newer_version_is_indexed_at_once_while_the_older_one_gets_vectors(shelf: Library) -> None:
    file = await shelf.put("turbines.md", TEXT)
    other = Other()
    await chosen(shelf, other)
    stale = await shelf.job.claim()
    assert stale is not None
    await shelf.put("turbines.md", "Nothing but windmills.")
    found = await status(shelf, file.id)
    assert (found.version, found.state, found.embedder) == (2, IndexState.INDEXED, "testing/other")
    await WorkScheduler(shelf.job)._work_on(stale)
    assert (await vectors(shelf, 256), await vectors(shelf, 384)) == (0, 1)


@pytest.mark.requirement("H3")
async def test_equal_content_is_embedded_once(shelf: Library) -> None:
    await shelf.put("one.md", TEXT)
    await shelf.put("two.md", TEXT, person="alice")
    other = Other()
    assert await chosen(shelf, other) == 2
    await shelf.settle()
    assert other.texts == PARTS
    assert (await vectors(shelf, 256), await vectors(shelf, 384)) == (0, 2 * PARTS)


async def test_what_nobody_searches_is_not_embedded_anew(shelf: Library) -> None:
    world, bob = shelf.world, shelf.world["bob"].principal
    thrown, archived = [await shelf.put(name, f"About {name}.") for name in ("thrown.md", "archived.md")]
    await world.services.files.delete(bob, thrown.id)
    await world.services.files.change(bob, archived.id, FileChange(status=FileStatus.ARCHIVED))
    other = Other()
    await chosen(shelf, other)
    await shelf.settle()
    assert other.texts == 0
    await world.services.files.change(bob, archived.id, FileChange(status=FileStatus.ACTIVE))
    await shelf.settle()
    assert (await status(shelf, archived.id)).embedder == "testing/other"


async def test_nobody_pays_for_the_files_of_somebody_who_left(shelf: Library) -> None:
    world = shelf.world
    file = await shelf.put("handbook.md", "The answer is apples.")
    await world.call("bob", "PATCH", f"/api/files/{file.id}", {"visibility": "GROUP"})
    other = Other()
    await chosen(shelf, other)
    left = await world.call("alice", "PATCH", f"/api/users/{world['bob'].user.id}", {"status": "suspended"})
    assert left.status_code == 200
    await shelf.settle()
    assert await shelf.outdated.notice() == 0
    assert other.texts == 0
    (row,) = await rows(shelf, "select state, embedder, wanted from knowledge_files")
    assert (row["state"], row["embedder"], row["wanted"]) == ("indexed", STATIC.ref, None)


async def test_looking_for_them_takes_no_more_statements_for_more_files(
    shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = 0

    def counted(real: Any) -> Any:
        async def call(*args: Any, **options: Any) -> Any:
            nonlocal said
            said += 1
            return await real(*args, **options)

        return call

    async def statements() -> int:
        nonlocal said
        said = 0
        await shelf.outdated.notice()
        return said

    await shelf.put("first.md", "The turbine number 0.")
    for name in ("fetch", "fetchrow", "fetchval", "execute"):
        monkeypatch.setattr(UnitOfWork, name, counted(getattr(UnitOfWork, name)))
    nothing = await statements()
    shelf.embedders.choose(Other())
    one = await statements()
    for n in range(8):
        await shelf.put(f"{n}.md", f"The turbine number {n + 1}.")
    assert await statements() == nothing
    shelf.embedders.choose(Other(id="third"))
    assert await statements() == one


async def test_one_persons_trouble_does_not_keep_the_others_waiting(
    shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    await shelf.put("mine.md", "The turbine number 0.")
    hers = await shelf.put("hers.md", "The turbine number 1.", person="alice")
    other, real = Other(), shelf.embedders.embedder

    async def embedder(who: Any, instance_id: UUID) -> Any:
        if who.user_id == shelf.world["bob"].user.id:
            raise WorkroomError("a key that cannot be opened")
        return await real(who, instance_id)

    shelf.embedders.choose(other)
    monkeypatch.setattr(shelf.embedders, "embedder", embedder)
    assert await shelf.outdated.notice() == 1
    (row,) = await rows(shelf, "select file_id from knowledge_files where wanted is not null")
    assert row["file_id"] == hers.id


async def test_a_price_of_zero_is_no_cost(shelf: Library) -> None:
    file = await shelf.put("turbines.md", TEXT)
    found = await status(shelf, file.id)
    assert (found.cost_chf, found.cost_assumed) == (Decimal(0), False)
