"""Recognition (OCR) of pages under crashes, concurrent readers and missing programs: it ends, loses no page, pays once, and says
what went wrong."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.documents.making import png
from tests.files.sending import make
from tests.knowledge.recognition import Tesseract, ask, scanned, status, texts
from tests.knowledge.room import Library
from tests.lapsing import time_passes
from workroom.contents import store as content_store
from workroom.contents.content_cache import ContentCache
from workroom.contents.recognised import (
    PICTURE,
    KeptPicture,
    PictureLocation,
    object_of,
    picture_location,
    recognised_parts_by_part,
)
from workroom.contents.service import DocumentReader
from workroom.core.clock import now
from workroom.core.errors import BudgetExceeded, NotFound, StorageFull, WorkroomError
from workroom.db import DatabaseAddress, migrator
from workroom.db.connection import connect
from workroom.db.roles import OWNER
from workroom.documents.errors import DamagedDocument, OcrUnavailable
from workroom.documents.types import PageInfo, Structure
from workroom.files.types import File, OnConflict
from workroom.knowledge import indexing
from workroom.knowledge.indexing import Indexing
from workroom.knowledge.passage_writer import PassageWriter
from workroom.knowledge.recognition import BY_ITSELF, GIVEN_UP, MOST_TRIES, Recognition, RecognitionBacklog
from workroom.knowledge.tasks import IndexTask
from workroom.knowledge.types import IndexState

MOST_CLAIMS = 30


async def ended(shelf: Library) -> int:
    """How many claims it took until nothing was left to do; not for ever."""
    for count in range(MOST_CLAIMS):
        task = await shelf.job.claim()
        if task is None:
            return count
        await shelf.job.work(task)
    raise AssertionError("it does not end")


def looking(shelf: Library, reader: ContentCache | None = None) -> DocumentReader:
    services = shelf.world.services
    return DocumentReader(services.db, services.files, reader or shelf.reader, RecognitionBacklog(services.db).heard)


async def look_at(shelf: Library, file: File, page: int, reader: ContentCache | None = None) -> str:
    principal, eyes = shelf.world["bob"].principal, looking(shelf, reader)
    return await eyes.recognise(principal, await eyes.place(principal, file.id), page, None)


# It ends


async def test_a_process_that_dies_before_the_end_leaves_only_the_end_to_do(
    asked: Library, tesseract: Tesseract, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def die(self: Recognition, task: IndexTask, error: WorkroomError | None = None) -> None:
        raise RuntimeError("killed")

    file = await asked.put("deed.pdf", scanned("This is the cover", None))
    await ask(asked, file)
    with monkeypatch.context() as dying:
        dying.setattr(Recognition, "_end", die)
        with pytest.raises(RuntimeError):
            await asked.settle()
    await time_passes(asked.world, "knowledge_files", minutes=2)
    assert await ended(asked) == 2, "the end, and the passages"
    told = await status(asked, file)
    assert (told.state, told.unread, told.pages_wanted, told.chunks) == (IndexState.INDEXED, 0, 0, 2)
    assert tesseract.asked == [1]


async def test_a_file_that_is_indexed_anew_before_the_end_comes_to_it(
    asked: Library, tesseract: Tesseract, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, end = await asked.put("deed.pdf", scanned("This is the cover", None)), Recognition._end

    async def again(self: Recognition, task: IndexTask, error: WorkroomError | None = None) -> None:
        monkeypatch.setattr(Recognition, "_end", end)
        await asked.world.services.knowledge.again(asked.world["bob"].principal, file.id)
        await end(self, task, error)

    monkeypatch.setattr(Recognition, "_end", again)
    await ask(asked, file)
    await ended(asked)
    told = await status(asked, file)
    assert (told.state, told.unread, told.pages_wanted, told.chunks) == (IndexState.INDEXED, 0, 0, 2)


# Looking at a page


async def test_who_looks_while_it_is_indexed_does_not_interrupt_that_and_it_catches_up_at_its_end(
    asked: Library, tesseract: Tesseract, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [f"This is page {number} about windmills" for number in range(4)]
    file = await asked.put("book.pdf", scanned(*pages, None, None))
    monkeypatch.setattr(indexing, "FIRST_STORED", 2)
    monkeypatch.setattr(indexing, "PARTS_AT_ONCE", 1)
    await look_at(asked, file, 5)
    task, add, held = await asked.job.claim(), PassageWriter.add, list[bool]()
    assert task is not None

    async def look_meanwhile(self: PassageWriter, chunks: Sequence[Any]) -> bool:
        done = await add(self, chunks)
        if done and not held:
            await look_at(asked, file, 6)
            held.append(await asked.job.is_wanted(task))
        return done

    monkeypatch.setattr(PassageWriter, "add", look_meanwhile)
    await asked.job.work(task)
    assert held == [True], "whoever indexes it goes on"
    assert await ended(asked) == 1, "and once more with the other page"
    assert ((await status(asked, file)).chunks, (await status(asked, file)).unread) == (6, 0)


async def test_who_looks_at_what_is_recognised_already_begins_nothing(asked: Library, tesseract: Tesseract) -> None:
    world, heard = asked.world, list[UUID]()
    file, bob = await make(world, "bob", "deed.pdf", scanned("This is the cover", None)), world["bob"].principal

    async def hear(mandate_id: UUID, file_id: UUID) -> None:
        heard.append(file_id)

    eyes = DocumentReader(world.services.db, world.services.files, asked.reader, hear)
    place = await eyes.place(bob, file.id)
    for _ in range(3):
        await eyes.recognise(bob, place, 2, None)
    assert (heard, tesseract.asked) == ([file.id], [1])


async def test_a_file_that_failed_is_not_begun_by_whoever_looks_at_it(
    asked: Library, tesseract: Tesseract, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = list[int]()

    async def fail(self: Indexing, task: IndexTask, embedder: Any) -> None:
        begun.append(task.tries)
        raise DamagedDocument("It is broken in the middle.")

    file = await asked.put("book.pdf", scanned("This is the cover", None, None, None))
    monkeypatch.setattr(Indexing, "_extract", fail)
    for page in (2, 3, 4):
        await look_at(asked, file, page)
        await ended(asked)
    assert (len(begun), (await status(asked, file)).state) == (1, IndexState.FAILED)


async def test_all_files_of_equal_content_catch_up(asked: Library, tesseract: Tesseract) -> None:
    files = [await asked.put(name, scanned("This is the cover", None)) for name in ("one.pdf", "two.pdf")]
    await look_at(asked, files[0], 2)
    await ended(asked)
    assert [(await status(asked, file)).unread for file in files] == [0, 0]
    for file in files:
        assert "The parchment of sheet 2 speaks of walruses." in await texts(asked, file.id)


async def test_what_waits_to_be_asked_for_stays_so_however_many_pages_are_looked_at(
    desk: Library, tesseract: Tesseract
) -> None:
    file = await desk.put("book.pdf", scanned(*[None] * (BY_ITSELF + 2)))
    for page in (1, 2, 3):
        await look_at(desk, file, page)
        await ended(desk)
    assert (tesseract.asked, (await status(desk, file)).unread) == ([0, 1, 2], BY_ITSELF - 1)
    await ask(desk, file)
    await ended(desk)
    assert (await status(desk, file)).unread == 0


# In two processes


async def test_a_failure_does_not_replace_what_somebody_else_recognised_meanwhile(
    asked: Library, tesseract: Tesseract
) -> None:
    services = asked.world.services
    file = await asked.put("deed.pdf", scanned("This is the cover", None))

    async def fail_after_somebody_had_success() -> None:
        tesseract.before.clear()
        other = ContentCache(services.db, services.files, asked.reader.parsers, asked.reader._scratch)
        assert "sheet 2" in await look_at(asked, file, 2, other)
        raise DamagedDocument("It took too long.")

    tesseract.before[1] = fail_after_somebody_had_success
    await ask(asked, file)
    await ended(asked)
    told = await status(asked, file)
    assert (told.notes, told.unread, told.chunks) == ([], 0, 2)


async def test_a_page_that_is_kept_after_it_was_called_off_is_found(asked: Library, tesseract: Tesseract) -> None:
    file = await asked.put("deed.pdf", scanned(None, None, None))

    async def call_off_and_cut() -> None:
        await ask(asked, file, method="DELETE")
        await ended(asked)

    tesseract.before[1] = call_off_and_cut
    await ask(asked, file)
    await ended(asked)
    told = await status(asked, file)
    assert (told.unread, told.chunks, tesseract.asked) == (1, 2, [0, 1])


# Vectors


async def _vectors(shelf: Library, file: File) -> list[tuple[int, str, str]]:
    principal = shelf.world["bob"].principal
    async with shelf.world.services.db.unit_of_work(principal.actor) as uow:
        rows = await uow.fetch(
            "select v.chunk, c.text, v.vector::text as vector from vectors_256 v"
            " left join chunks c using (mandate_id, file_id, chunk)"
            " where v.mandate_id = $1 and v.file_id = $2 order by v.chunk",
            principal.mandate_id,
            file.id,
        )
    return [(row["chunk"], row["text"], row["vector"]) for row in rows]


@pytest.mark.parametrize("at_once", [1, 2, 100])
async def test_passages_that_shift_keep_their_vectors(
    asked: Library, tesseract: Tesseract, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(indexing, "FIRST_STORED", at_once)
    monkeypatch.setattr(indexing, "PARTS_AT_ONCE", 1)
    monkeypatch.setattr("workroom.knowledge.passage_writer.STORED_AT_ONCE", at_once)
    same = "This stands here twice"
    pages = ["The first windmill", same, "The second windmill", same, "The third windmill", "A harbour", "The end"]
    file = await asked.put("book.pdf", scanned(None, *pages[:4], None, *pages[4:], None))
    known = {text: vector for _, text, vector in await _vectors(asked, file)}
    for page in (10, 6, 1):
        embedded = asked.indexing.counts["embedded"]
        await look_at(asked, file, page)
        await ended(asked)
        assert asked.indexing.counts["embedded"] - embedded == 1, "only what is new"
        stored = await _vectors(asked, file)
        assert [number for number, _, _ in stored] == list(range((await status(asked, file)).chunks)), "and none beside"
        assert known.items() <= {text: vector for _, text, vector in stored}.items()


async def test_what_is_cut_anew_after_somebody_died_over_it_is_whole(
    asked: Library, tesseract: Tesseract, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "FIRST_STORED", 2)
    monkeypatch.setattr(indexing, "PARTS_AT_ONCE", 1)
    file = await asked.put("book.pdf", scanned(None, *[f"This is page {number}" for number in range(6)]))
    await look_at(asked, file, 1)
    add = PassageWriter.add

    async def die(self: PassageWriter, chunks: Sequence[Any]) -> bool:
        if await add(self, chunks):
            raise RuntimeError("killed")
        return False

    with monkeypatch.context() as dying:
        dying.setattr(PassageWriter, "add", die)
        with pytest.raises(RuntimeError):
            await ended(asked)
    await time_passes(asked.world, "knowledge_files", minutes=2)
    await ended(asked)
    assert [number for number, _, _ in await _vectors(asked, file)] == list(range(7))


# What is said


async def _archived(shelf: Library, file: File, monkeypatch: pytest.MonkeyPatch) -> None:
    await shelf.world.call("bob", "PATCH", f"/api/files/{file.id}", {"status": "archived"})


async def _failed(shelf: Library, file: File, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broke(*_: Any, **__: Any) -> None:
        raise BudgetExceeded("There is no money left.")

    monkeypatch.setattr(shelf.indexing._embedding, "embed", broke)
    await shelf.world.services.knowledge.again(shelf.world["bob"].principal, file.id)
    await ended(shelf)


async def _replaced(shelf: Library, file: File, monkeypatch: pytest.MonkeyPatch) -> None:
    await make(shelf.world, "bob", "deed.pdf", scanned("Another cover", None), on_conflict=OnConflict.VERSION)


@pytest.mark.parametrize(
    ("happens", "said"),
    [(_archived, "is archived"), (_failed, "could not be indexed"), (_replaced, "A newer version")],
    ids=["archived", "failed", "replaced"],
)
async def test_where_nothing_can_come_of_it_the_question_says_why(
    asked: Library, tesseract: Tesseract, monkeypatch: pytest.MonkeyPatch, happens: Any, said: str
) -> None:
    file = await asked.put("deed.pdf", scanned("This is the cover", None))
    await happens(asked, file, monkeypatch)
    refused = await ask(asked, file)
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert said in refused.json()["message"]
    assert (await status(asked, file)).pages_wanted == 0


async def test_why_it_was_given_up_is_said(
    asked: Library, tesseract: Tesseract, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full() -> None:
        raise StorageFull("There is no room.")

    file = await asked.put("deed.pdf", scanned(None, None))
    tesseract.before[1] = full
    await ask(asked, file)
    for _ in range(MOST_TRIES + 2):
        await time_passes(asked.world, "knowledge_files", hours=1)
        await ended(asked)
    told = await status(asked, file)
    assert (told.state, told.unread, told.pages_wanted, told.chunks) == (IndexState.INDEXED, 1, 0, 1)
    assert (told.problem_code, told.problem) == ("storageFull", "There is no room.")
    tesseract.before.clear()
    await ask(asked, file)
    assert (await status(asked, file)).problem is None
    await ended(asked)
    told = await status(asked, file)
    assert (told.problem, told.unread) == (None, 0)


async def test_that_it_ended_its_process_again_and_again_is_said(
    asked: Library, tesseract: Tesseract, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def die() -> None:
        raise RuntimeError("killed")

    file = await asked.put("deed.pdf", scanned(None))
    await ask(asked, file)
    tesseract.before[0] = die
    for _ in range(MOST_TRIES):
        await time_passes(asked.world, "knowledge_files", hours=1)
        with pytest.raises(RuntimeError):
            await ended(asked)
    await time_passes(asked.world, "knowledge_files", hours=1)
    await ended(asked)
    assert (await status(asked, file)).problem == GIVEN_UP


async def test_that_it_went_missing_on_the_way_is_still_said_when_the_rest_was_cut(
    asked: Library, tesseract: Tesseract
) -> None:
    async def missing() -> None:
        raise OcrUnavailable("tesseract is not installed.")

    tesseract.before[1] = missing
    file = await asked.put("deed.pdf", scanned(None, None))
    await ask(asked, file)
    await ended(asked)
    told = await status(asked, file)
    assert (told.problem, told.chunks, told.unread) == ("tesseract is not installed.", 1, 1)


async def test_a_page_that_is_not_there_is_noted_and_the_rest_goes_on(asked: Library, tesseract: Tesseract) -> None:
    async def nowhere() -> None:
        raise NotFound("There is no page 2.")

    tesseract.before[1] = nowhere
    file = await asked.put("deed.pdf", scanned(None, None, None))
    await ask(asked, file)
    await ended(asked)
    told = await status(asked, file)
    assert (told.notes, told.unread, told.chunks) == (["Page 2: There is no page 2."], 0, 2)


async def test_who_waits_for_another_model_is_recognised_all_the_same_and_waits_on(
    asked: Library, tesseract: Tesseract
) -> None:
    principal, file = asked.world["bob"].principal, await asked.put("deed.pdf", scanned("This is the cover", None))
    async with asked.world.services.db.unit_of_work(principal.actor) as uow:
        await uow.execute(
            "update knowledge_files set wanted = 'testing/away', setbacks = 9, problem = 'It is away.',"
            " problem_code = 'away', not_before = $3 where mandate_id = $1 and file_id = $2",
            principal.mandate_id,
            file.id,
            now() + timedelta(hours=6),
        )
    await ask(asked, file)
    assert (await status(asked, file)).problem == "It is away."
    task = await asked.job.claim()
    assert task is not None
    assert (task.pages, task.tries) == (1, 1)
    async with asked.world.services.db.unit_of_work(principal.actor) as uow:
        sql = "select setbacks from knowledge_files where mandate_id = $1 and file_id = $2"
        assert await uow.fetchval(sql, principal.mandate_id, file.id) == 9
    await asked.job.work(task)
    assert tesseract.asked == [1]


# One picture, however it is called


def test_a_picture_is_one_whatever_it_is_called() -> None:
    picture, fax, scan = Structure(kind="image"), Structure(kind="image", pages=2), Structure(kind="pdf", pages=2)
    alone = PictureLocation(location=PICTURE)
    assert [picture_location(picture, *said) for said in ((0, None), (None, "page:1"), (None, PICTURE))] == [alone] * 3
    assert [picture_location(fax, *said) for said in ((0, None), (None, "page:1"), (None, PICTURE))] == [
        PictureLocation(page=0)
    ] * 3
    assert picture_location(picture, None, "page:3") == PictureLocation(page=2)
    assert picture_location(scan, None, "page:2") == PictureLocation(page=1)
    assert picture_location(scan, None, "page:2/image:1") == PictureLocation(location="page:2/image:1")


def test_a_picture_on_a_page_that_was_recognised_says_nothing_twice() -> None:
    pages = [PageInfo(page_index=n, text_length=5 * (n == 2), has_images=True) for n in range(3)]
    structure = Structure(kind="pdf", pages=3, page_map=pages)
    spots = [
        PictureLocation(page=0),
        PictureLocation(location="page:1/image:1"),
        PictureLocation(location="page:2/image:1"),
        PictureLocation(page=2),
        PictureLocation(location="page:3/image:1"),
    ]
    kept = [KeptPicture(spot.part, object_of(spot, "deed.pdf", "words")) for spot in spots]
    failed = KeptPicture(
        PictureLocation(page=1).part, object_of(PictureLocation(page=1), "deed.pdf", "", "It is damaged.")
    )
    assert recognised_parts_by_part(structure, [*kept, failed]) == {
        "page:1": [spots[0].part],
        "page:2": [spots[2].part],
        "page:3": [spots[4].part],
    }


# Databases from before


async def test_what_was_indexed_before_pages_were_recognised_learns_of_them(
    asked: Library, tesseract: Tesseract, address: DatabaseAddress
) -> None:
    principal = asked.world["bob"].principal
    picture, scan = await asked.put("sign.png", png(30, 20)), await asked.put("scan.pdf", scanned(None, None))
    twin, notes = await asked.put("twin.pdf", scanned(None, None)), await asked.put("notes.md", "# Notes")
    by_location = "ocr:" + hashlib.sha256(b"page:1").hexdigest()
    async with asked.world.services.db.unit_of_work(principal.actor) as uow:
        rows = await uow.fetch(
            "select content_id, media_type from contents where mandate_id = $1", principal.mandate_id
        )
        for row in rows:
            old = object_of(PictureLocation(page=0), "x", "Old words of walruses")
            for part in ("ocr:page:1",) if row["media_type"] == "image/png" else (by_location, "ocr:page:2"):
                if row["media_type"] != "text/markdown":
                    said = object_of(PictureLocation(page=1), "x", "Kept words") if part == "ocr:page:2" else old
                    await content_store.keep(
                        uow, principal.mandate_id, row["content_id"], part, [said], cut=False, now=now()
                    )
        await uow.execute("update knowledge_files set unread = 0 where mandate_id = $1", principal.mandate_id)
    await _repeat_the_end_of(25, address)
    read = asked.indexing.counts["read"]
    await ended(asked)
    assert asked.indexing.counts["read"] - read == 2, "not what has no pages, and equal content once"
    assert (await status(asked, notes)).state is IndexState.INDEXED
    assert [(await status(asked, file)).unread for file in (picture, scan, twin)] == [1, 1, 1]
    assert (await texts(asked, picture.id), await texts(asked, scan.id)) == ([], ["Kept words"])
    for file in (picture, scan):
        await ask(asked, file)
    await ended(asked)
    assert await texts(asked, picture.id) == ["The parchment of the picture speaks of walruses."]
    assert await texts(asked, scan.id) == ["The parchment of sheet 1 speaks of walruses.", "Kept words"]


async def _repeat_the_end_of(number: int, address: DatabaseAddress) -> None:
    """What a migration does with rows, after it has made its columns."""
    (migration,) = [one for one in migrator.shipped() if one.number == number]
    _, rows = migration.sql.split("where pages_wanted > 0;\n")
    rows = rows.replace("claim = claim", "lease_epoch = lease_epoch").replace(
        "held_until", "not_before"
    )  # as they are called now
    assert address.migration is not None
    connection = await connect(address.migration)
    try:
        await connection.execute(f"set role {OWNER}; set search_path = workroom, public")
        await connection.execute(rows)
    finally:
        await connection.close()
