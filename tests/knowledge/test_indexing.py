"""Files become searchable once, whatever happens on the way."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.contents.room import numbered_pdf
from tests.files.sending import make
from tests.knowledge.embedders import Interrupting
from tests.knowledge.room import Library, count
from tests.lapsing import time_passes
from workroom.core.actors import UserActor
from workroom.core.clock import now
from workroom.files.types import OnConflict
from workroom.knowledge import indexer, indexing
from workroom.knowledge.indexer import FILES, SLOW_FILES, IndexWork
from workroom.knowledge.store import states
from workroom.knowledge.types import IndexState, IndexStatus
from workroom.models.embeddings.ports import Embeddings
from workroom.models.embeddings.static import StaticEmbedder
from workroom.models.ports import ModelFailed


async def status(shelf: Library, file_id: object) -> IndexStatus:
    principal = shelf.world["bob"].principal
    async with shelf.world.services.db.unit_of_work(principal.actor) as uow:
        (found,) = await states.of_files(uow, principal.mandate_id, [file_id])  # type: ignore[list-item]
    return found


@pytest.mark.requirement("H2")
async def test_a_file_is_read_cut_counted_and_embedded(shelf: Library) -> None:
    file = await shelf.put("report.pdf", numbered_pdf(12))
    found = await status(shelf, file.id)
    assert (found.state, found.chunks, found.done, found.language) == (IndexState.INDEXED, 12, 12, "english")
    assert await count(shelf.world, "vectors_256") == 12
    assert shelf.indexing.counts == {"read": 1, "embedded": 12}


@pytest.mark.requirement("H3")
async def test_equal_content_is_copied_not_read_or_embedded_again(shelf: Library) -> None:
    await shelf.put("one.pdf", numbered_pdf(5))
    two = await shelf.put("two.pdf", numbered_pdf(5), person="alice")
    assert shelf.indexing.counts == {"read": 1, "embedded": 5, "copied": 1}
    assert await count(shelf.world, "vectors_256") == 10
    (found, *_) = await shelf.find("page number 3", "alice", file_ids=(two.id,))
    assert (found.file_name, found.ref.page_index) == ("two.pdf", 2)


async def test_a_new_version_replaces_what_was_said(shelf: Library) -> None:
    await shelf.put("notes.md", "The answer is apples.")
    await shelf.put("notes.md", "The answer is oranges.")
    assert await shelf.names("apples", meaning=False) == []
    assert await shelf.names("oranges", meaning=False) == ["notes.md"]
    assert await count(shelf.world, "chunks") == 1


async def test_all_goes_with_the_file(shelf: Library) -> None:
    file = await shelf.put("notes.md", "The answer is apples.")
    bob = shelf.world["bob"].principal
    await shelf.world.services.files.delete(bob, file.id)
    await shelf.world.services.files.delete(bob, file.id, forever=True)
    for table in ("knowledge_files", "chunks", "postings", "vectors_256"):
        assert await count(shelf.world, table) == 0


@pytest.mark.requirement("H2")
async def test_what_cannot_be_read_fails_with_the_reason(shelf: Library) -> None:
    file = await shelf.put("broken.pdf", b"%PDF-1.7 nothing")
    found = await status(shelf, file.id)
    assert (found.state, found.problem_code) == (IndexState.FAILED, "documentDamaged")
    assert shelf.indexing.counts["read"] == 0
    assert await shelf.job.claim() is None, "it is not tried for ever"


class FailingEmbedder(StaticEmbedder):
    """Away after some batches, and back when it is told so."""

    def __init__(self, works: int) -> None:
        super().__init__()
        self.works, self.asked = works, list[int]()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Embeddings:
        if not self.works:
            raise ModelFailed("The embedding service is away.", again=True)
        self.works -= 1
        self.asked.append(len(texts))
        return await super().embed(texts, query=query)


async def test_words_are_found_before_the_vectors_are_there_and_nothing_is_embedded_twice(
    shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = FailingEmbedder(works=0)
    shelf.embedders.made = failing
    file = await make(shelf.world, "bob", "report.pdf", numbered_pdf(12))
    await shelf.settle()
    assert (await status(shelf, file.id)).state is IndexState.EMBEDDING
    assert await shelf.names("page number 7", meaning=False)
    assert await shelf.job.claim() is None, "later, not at once"
    failing.works = 100
    await time_passes(shelf.world, "knowledge_files", minutes=5)
    await shelf.settle()
    assert (await status(shelf, file.id)).state is IndexState.INDEXED
    assert sum(failing.asked) == 12
    assert shelf.indexing.counts["read"] == 1


async def test_a_provider_that_stays_away_is_told_at_last(shelf: Library) -> None:
    shelf.embedders.made = FailingEmbedder(works=0)
    file = await make(shelf.world, "bob", "notes.md", b"# Notes")
    for _ in range(indexer.MOST_TRIES):
        await shelf.settle()
        await time_passes(shelf.world, "knowledge_files", hours=1)
    found = await status(shelf, file.id)
    assert (found.state, found.problem) == (IndexState.FAILED, "The embedding service is away.")
    assert await shelf.names("notes", meaning=False) == ["notes.md"], "its words are found all the same"


async def test_a_file_that_comes_back_from_the_trash_while_it_is_indexed_waits_for_nobody(shelf: Library) -> None:
    files, bob = shelf.world.services.files, shelf.world["bob"].principal
    file = await make(shelf.world, "bob", "notes.md", b"# Notes")
    while (look := await shelf.scanner.claim()) is not None:
        await shelf.scanner.work(look)
    task = await shelf.job.claim()
    assert task is not None
    await files.delete(bob, file.id)
    await shelf.job.work(task)
    await files.restore(bob, file.id)
    await shelf.settle()
    assert (await status(shelf, file.id)).state is IndexState.INDEXED
    assert await shelf.names("notes", meaning=False) == ["notes.md"]


async def test_the_first_pages_are_found_while_the_last_are_being_read(
    shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = list[IndexStatus]()
    monkeypatch.setattr(indexing, "AHEAD", 1)  # the reader stops at 200 pages, however fast it is

    async def look() -> None:
        seen.append(await status(shelf, file.id))
        assert await shelf.names("page number 7", meaning=False) == ["long.pdf"]
        assert await count(shelf.world, "content_parts") < 240

    shelf.embedders.made = Interrupting(look)
    file = await make(shelf.world, "bob", "long.pdf", numbered_pdf(240))
    await shelf.settle()
    assert [(one.state, 0 < one.chunks < 240) for one in seen] == [(IndexState.PENDING, True)]
    assert (await status(shelf, file.id)).state is IndexState.INDEXED
    assert await count(shelf.world, "vectors_256") == await count(shelf.world, "chunks") == 240


async def test_a_document_whose_reading_broke_off_is_read_to_its_end(
    shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the process dies: some passages are there, with vectors, and the file is nobody's any more."""

    async def die() -> None:
        raise RuntimeError("killed")

    shelf.embedders.made = Interrupting(die)
    file = await make(shelf.world, "bob", "long.pdf", numbered_pdf(240))
    with pytest.raises(RuntimeError, match="killed"):
        await shelf.settle()
    assert 0 < await count(shelf.world, "chunks") < 240
    await time_passes(shelf.world, "knowledge_files", minutes=5)
    await shelf.settle()
    found = await status(shelf, file.id)
    assert (found.state, found.chunks) == (IndexState.INDEXED, 240)
    assert await count(shelf.world, "vectors_256") == await count(shelf.world, "chunks") == 240
    (passage, *_) = await shelf.find("page number 239", meaning=False)
    assert passage.ref.page_index == 238


async def test_a_shorter_version_leaves_nothing_of_a_longer_one(shelf: Library) -> None:
    await shelf.put("long.pdf", numbered_pdf(240))
    await make(shelf.world, "bob", "long.pdf", numbered_pdf(3), on_conflict=OnConflict.VERSION)
    await shelf.settle()
    assert await count(shelf.world, "vectors_256") == await count(shelf.world, "chunks") == 3
    assert shelf.indexing.counts["embedded"] == 240, "what says the same keeps its vector"


async def test_what_takes_too_long_to_read_is_tried_again_at_low_priority(shelf: Library) -> None:
    file = await make(shelf.world, "bob", "notes.md", b"The answer is apples.")
    while (look := await shelf.scanner.claim()) is not None:
        await shelf.scanner.work(look)
    parts = shelf.world.services.db, shelf.indexing, shelf.job._renewing, shelf.job._recognising
    impatient, patient = IndexWork(*parts, FILES, 0), IndexWork(*parts, SLOW_FILES)
    task = await impatient.claim()
    assert task is not None
    await impatient.work(task)
    assert await impatient.claim() is None, "not among the first tries"
    again = await patient.claim()
    assert again is not None
    assert (again.file_id, again.tries) == (file.id, task.tries)
    await patient.work(again)
    assert await shelf.names("apples", meaning=False) == ["notes.md"]


async def test_people_take_turns_and_words_go_before_vectors_of_ones_own(shelf: Library) -> None:
    owners = {"1.md": "bob", "2.md": "bob", "3.md": "bob", "4.md": "alice", "5.md": "alice"}
    files = {(await make(shelf.world, owner, name, name.encode())).id: name for name, owner in owners.items()}
    while (look := await shelf.scanner.claim()) is not None:
        await shelf.scanner.work(look)
    order = list[str]()
    while (task := await shelf.job.claim()) is not None:
        if not order:  # of the first one only the vectors are left to do
            async with shelf.world.services.db.unit_of_work(UserActor(task.mandate_id)) as uow:
                await states.progress(uow, task.mandate_id, task.file_id, IndexState.EMBEDDING, 0, 1, now())
                await states.release(uow, task.mandate_id, task.file_id, task.epoch)
        order.append(files[task.file_id])
    assert order == ["4.md", "1.md", "5.md", "2.md", "4.md", "3.md"]
