"""Index jobs: claimed fairly, bounded in members and time, given up after some tries, and never paid for twice."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.files.sending import make
from tests.knowledge.room import Library, status, zipped
from tests.lapsing import time_passes
from workroom.core.errors import BudgetExceeded, Conflict
from workroom.db.work_scheduler import WorkScheduler
from workroom.knowledge import indexer, indexing
from workroom.knowledge.service import Knowledge
from workroom.knowledge.types import IndexState, IndexStatus
from workroom.models.embeddings.ports import Embeddings
from workroom.models.embeddings.static import StaticEmbedder


async def rows(shelf: Library, sql: str) -> list[Any]:
    async with shelf.world.services.db.unit_of_work(shelf.world["bob"].principal.actor) as uow:
        return await uow.fetch(sql)


class Counting(StaticEmbedder):
    def __init__(self) -> None:
        super().__init__()
        self.texts = 0

    async def embed(self, texts: Any, *, query: bool = False) -> Embeddings:
        self.texts += len(texts)
        return await super().embed(texts, query=query)


async def test_an_old_version_is_not_searched_when_the_newer_one_cannot_be_indexed(
    shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was taken out of a document must not be found in it for ever, because its content is away."""
    await shelf.put("salaries.md", "The salary of the boss is apples.")

    async def away(*_: object) -> None:
        raise BudgetExceeded("This month's budget is used up.")

    monkeypatch.setattr(shelf.indexing, "_extract", away)
    file = await shelf.put("salaries.md", "Nothing to see.")
    assert (await status(shelf, file.id)).state is IndexState.FAILED
    assert await shelf.names("apples", meaning=False) == []


async def test_a_file_that_breaks_its_reader_is_given_up(shelf: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error nobody has thought of, or a process that dies each time: not tried for ever, before everybody else's files."""

    async def broken(*_: object) -> None:
        raise ValueError("a text that no database takes")

    monkeypatch.setattr(shelf.indexing, "_extract", broken)
    file = await make(shelf.world, "bob", "poison.md", b"# Poison")
    look = await shelf.scanner.claim()
    assert look is not None
    await shelf.scanner.work(look)
    worked = 0
    for _ in range(2 * indexer.MOST_TRIES):
        await time_passes(shelf.world, "knowledge_files", hours=1)
        if (task := await shelf.job.claim()) is not None:
            worked += 1
            await WorkScheduler(shelf.job)._work_on(task)
    assert worked <= indexer.MOST_TRIES + 1
    assert (await status(shelf, file.id)).state is IndexState.FAILED


async def test_the_shared_file_of_somebody_who_left_can_still_be_searched(
    shelf: Library,
) -> None:
    """Its owner cannot pay for vectors any more; it must not wait for ever, nor be tried every minute."""
    world = shelf.world
    file = await make(world, "bob", "handbook.md", b"The answer is apples.")
    await world.call("bob", "PATCH", f"/api/files/{file.id}", {"visibility": "GROUP"})
    left = await world.call("alice", "PATCH", f"/api/users/{world['bob'].user.id}", {"status": "suspended"})
    assert left.status_code == 200
    for _ in range(3):
        await time_passes(shelf.world, "knowledge_files", hours=1)
        await shelf.settle()
    found = await status(shelf, file.id, "alice")
    assert found.state in (IndexState.INDEXED, IndexState.FAILED)
    assert await shelf.names("apples", "alice", meaning=False) == ["handbook.md"]


async def test_archives_in_archives_share_one_budget_of_members(
    shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """2,000 archives of 2,000 files each would keep everybody else's files waiting for days."""
    monkeypatch.setattr(indexing, "MOST_MEMBERS", 6)
    inner = {f"{n}.zip": zipped({f"{n}-{m}.bin": bytes([n, m]) for m in range(5)}) for n in range(5)}
    file = await shelf.put("nested.zip", zipped(inner))
    taken = shelf.indexing._reader.counts["members"]
    assert taken <= 6
    assert any("first" in note for note in (await status(shelf, file.id)).notes)


async def test_an_archive_that_takes_too_long_lets_the_next_file_go_first(
    shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a TAR.GZ every member costs all that lie before it."""
    monkeypatch.setattr(indexing, "MOST_TIME", timedelta(0))
    file = await shelf.put("slow.zip", zipped({f"{n}.txt": f"number {n}".encode() for n in range(5)}))
    found = await status(shelf, file.id)
    assert found.state is IndexState.INDEXED
    assert found.chunks < 5
    assert any("too long" in note for note in found.notes)


async def test_indexing_again_does_not_make_the_owner_pay_again(shelf: Library) -> None:
    """Whoever may write to a shared file may ask for that as often as they like."""
    counting = Counting()
    shelf.embedders.made = counting
    file = await shelf.put("handbook.md", "The answer is apples.")
    paid = counting.texts
    assert paid
    knowledge = Knowledge(shelf.world.services.db, shelf.world.services.files, shelf.embedders)
    for _ in range(3):
        await knowledge.again(shelf.world["bob"].principal, file.id)
        await shelf.settle()
    assert (await status(shelf, file.id)).state is IndexState.INDEXED
    assert counting.texts == paid
    assert await shelf.names("apples") == ["handbook.md"]


async def test_a_worker_that_was_overtaken_writes_nothing(shelf: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its hold has lapsed, another has finished: it must not take the file out of the index again."""
    file = await make(shelf.world, "bob", "notes.md", b"The answer is apples.")
    look = await shelf.scanner.claim()
    assert look is not None
    await shelf.scanner.work(look)
    slow = await shelf.job.claim()
    await time_passes(shelf.world, "knowledge_files", hours=1)
    quick = await shelf.job.claim()
    assert slow is not None
    assert quick is not None
    await shelf.job.work(quick)
    assert (await status(shelf, file.id)).state is IndexState.INDEXED

    async def dies(*_: object) -> None:
        raise RuntimeError("killed")

    monkeypatch.setattr(shelf.indexing._embedding, "embed", dies)
    await WorkScheduler(shelf.job)._work_on(slow)
    assert (await status(shelf, file.id)).state is IndexState.INDEXED
    assert await rows(shelf, "select chunk from vectors_256")


async def test_asking_twice_for_the_index_does_not_make_two_work_at_it(shelf: Library) -> None:
    """Both have seen that it was done; the second comes when somebody is at it again already."""
    file = await shelf.put("notes.md", "The answer is apples.")
    knowledge = Knowledge(shelf.world.services.db, shelf.world.services.files, shelf.embedders)
    bob = shelf.world["bob"].principal
    await knowledge.again(bob, file.id)
    assert await shelf.job.claim() is not None

    class Late(Knowledge):
        async def status(self, who: Any, file_id: UUID) -> IndexStatus:
            seen = await super().status(who, file_id)
            return seen.model_copy(update={"state": IndexState.INDEXED})

    late = Late(shelf.world.services.db, shelf.world.services.files, shelf.embedders)
    with pytest.raises(Conflict):
        await late.again(bob, file.id)
    assert await shelf.job.claim() is None


async def test_one_file_does_not_wait_for_a_thousand_of_somebody_else(shelf: Library) -> None:
    """Neither to be looked into nor to be indexed: of two that are claimed one is theirs."""
    world = shelf.world
    first = await make(world, "alice", "first.txt", b"hello")
    alice = world["alice"].principal
    async with world.services.db.unit_of_work(alice.actor) as uow:
        await uow.execute(
            "insert into files (mandate_id, file_id, instance_id, owner_id, name, version, hash, size, media_type, created_at,"
            " updated_at) select mandate_id, gen_random_uuid(), instance_id, owner_id, n || '.txt', 1, hash, size, media_type,"
            " created_at + n * interval '1 microsecond', updated_at from files, generate_series(1, 600) as n"
            " where mandate_id = $1 and file_id = $2",
            alice.mandate_id,
            first.id,
        )
    mine = await make(world, "bob", "mine.txt", b"other")
    looks = [await shelf.scanner.claim() for _ in range(2)]
    assert mine.id in {look.file_id for look in looks if look is not None}
    async with world.services.db.unit_of_work(alice.actor) as uow:
        await uow.execute("update files set scanned = version where mandate_id = $1", alice.mandate_id)
    tasks = [await shelf.job.claim() for _ in range(2)]
    assert mine.id in {task.file_id for task in tasks if task is not None}


async def test_being_given_back_is_no_failed_try(shelf: Library) -> None:
    """However often the worker is restarted meanwhile, nobody gives up a file for that."""
    await make(shelf.world, "bob", "notes.md", b"The answer is apples.")
    look = await shelf.scanner.claim()
    assert look is not None
    await shelf.scanner.work(look)
    for _ in range(2 * indexer.MOST_TRIES):
        task = await shelf.job.claim()
        assert task is not None
        assert task.tries == 1
        await shelf.job.release(task)
    await shelf.settle()
    assert await shelf.names("apples", meaning=False) == ["notes.md"]
