"""What is on pages that are pictures is found: recognised once, page by page, in the background, and cut like any other text."""

from __future__ import annotations

import asyncio
import io

import pytest
from PIL import Image, ImageDraw, ImageFont

from tests.documents.making import png
from tests.files.sending import make
from tests.knowledge.embedders import Other, chosen
from tests.knowledge.recognition import Tesseract, ask, scanned, status, texts
from tests.knowledge.room import Library, library
from tests.lapsing import time_passes
from tests.world import World
from workroom.contents.service import DocumentReader
from workroom.core.errors import StorageFull
from workroom.db.work_scheduler import WorkScheduler
from workroom.documents import ocr
from workroom.documents.errors import DamagedDocument, OcrUnavailable
from workroom.files.types import OnConflict
from workroom.knowledge.citations import place_of, source_of
from workroom.knowledge.indexer import FILES, PAGES, SLOW_FILES, IndexWork
from workroom.knowledge.recognition import BY_ITSELF, MOST_TRIES, RecognitionBacklog
from workroom.knowledge.types import IndexState
from workroom.models.embeddings.static import StaticEmbedder

# What was recognised is found


@pytest.mark.requirement("H2", "I2")
async def test_a_scan_is_found_by_what_stands_on_its_pages(desk: Library, tesseract: Tesseract) -> None:
    file = await desk.put("deed.pdf", scanned("This is the cover", None, "This is the annex", None))
    assert tesseract.asked == [1, 3]
    (found,) = await desk.find("parchment of sheet 4", meaning=False, most_instance=1)
    assert (found.ref.page_index, found.ref.recognised) == (3, True)
    assert place_of(found).label == "page 4 of deed.pdf (recognised from a picture)"
    opens = source_of(found).opens
    assert opens is not None
    assert (opens.file_id, opens.page, opens.quote) == (file.id, 4, None), "there are no words on it to be marked"
    (cover,) = await desk.find("cover", meaning=False)
    assert (cover.ref.recognised, source_of(cover).label) == (None, "page 1 of deed.pdf")
    told = await texts(desk, file.id)
    assert [text.split(" speaks")[0] for text in told] == [
        "This is the cover",
        "The parchment of sheet 2",
        "This is the annex",
        "The parchment of sheet 4",
    ], "in the order of the document"
    after = await status(desk, file)
    assert (after.state, after.unread, after.pages_wanted, after.chunks) == (IndexState.INDEXED, 0, 0, 4)
    assert await desk.job.claim() is None


@pytest.mark.requirement("I2")
async def test_a_picture_is_found_by_what_is_written_on_it(desk: Library, tesseract: Tesseract) -> None:
    file = await desk.put("sign.png", png(30, 20))
    assert tesseract.asked == ["image"]
    (found,) = await desk.find("walruses")
    assert (found.file_id, found.ref.recognised) == (file.id, True)
    assert place_of(found).label == "sign.png (recognised from a picture)"


async def test_what_was_recognised_for_somebody_who_looked_at_a_page_is_found(
    asked: Library, tesseract: Tesseract
) -> None:
    world = asked.world
    file = await asked.put("deed.pdf", scanned("This is the cover", None, None))
    assert tesseract.asked == []
    assert (await status(asked, file)).unread == 2
    reader = DocumentReader(
        world.services.db, world.services.files, asked.reader, RecognitionBacklog(world.services.db).heard
    )
    bob = world["bob"].principal
    place = await reader.place(bob, file.id)
    for page, location in ((3, None), (None, "page:3")):  # one page, however it is named
        assert "sheet 3" in await reader.recognise(bob, place, page, location)
    await asked.settle()
    assert tesseract.asked == [2]
    (found, *_) = await asked.find("walruses", meaning=False)
    assert found.ref.page_index == 2
    assert (await status(asked, file)).unread == 1
    read = asked.indexing.counts["read"]
    await reader.recognise(bob, place, 3, None)
    await asked.settle()
    assert asked.indexing.counts["read"] == read, "nothing is new"


async def test_a_page_with_text_of_its_own_does_not_say_it_twice(asked: Library, tesseract: Tesseract) -> None:
    world, file = asked.world, await asked.put("deed.pdf", scanned("This is the cover"))
    reader = DocumentReader(
        world.services.db, world.services.files, asked.reader, RecognitionBacklog(world.services.db).heard
    )
    bob = world["bob"].principal
    assert await reader.recognise(bob, await reader.place(bob, file.id), 1, None)
    await asked.settle()
    assert await texts(asked, file.id) == ["This is the cover"]


async def test_it_is_there_again_after_the_file_is_indexed_anew_and_for_another_model(
    desk: Library, tesseract: Tesseract
) -> None:
    file = await desk.put("deed.pdf", scanned(None, None))
    before = await texts(desk, file.id)
    await desk.world.services.knowledge.again(desk.world["bob"].principal, file.id)
    await desk.settle()
    assert await texts(desk, file.id) == before
    await chosen(desk, Other())
    await desk.settle()
    assert (await status(desk, file)).embedder == "testing/other"
    assert await texts(desk, file.id) == before
    assert tesseract.asked == [0, 1]


@pytest.mark.requirement("H3")
async def test_a_file_of_equal_content_gets_copies(desk: Library, tesseract: Tesseract) -> None:
    await desk.put("one.pdf", scanned(None, "This is the annex"))
    embedded = desk.indexing.counts["embedded"]
    two = await desk.put("two.pdf", scanned(None, "This is the annex"), person="alice")
    (found,) = await desk.find("walruses", "alice", file_ids=(two.id,))
    assert (found.file_name, found.ref.page_index, found.ref.recognised) == ("two.pdf", 0, True)
    assert (tesseract.asked, desk.indexing.counts["copied"]) == ([0], 1)
    assert desk.indexing.counts["embedded"] == embedded


async def test_of_two_that_wait_together_each_page_is_recognised_once(desk: Library, tesseract: Tesseract) -> None:
    files = [await make(desk.world, person, "deed.pdf", scanned(None, None)) for person in ("bob", "alice")]
    await desk.settle()
    assert tesseract.asked == [0, 1]
    for file, person in zip(files, ("bob", "alice"), strict=True):
        (found, *_) = await desk.find("walruses", person, file_ids=(file.id,), meaning=False)
        assert found.file_id == file.id


# By itself


async def test_many_pages_wait_until_somebody_asks(desk: Library, tesseract: Tesseract) -> None:
    file = await desk.put("book.pdf", scanned(*[None] * (BY_ITSELF + 1)))
    assert tesseract.asked == []
    assert ((await status(desk, file)).unread, await desk.job.claim()) == (BY_ITSELF + 1, None)
    assert (await ask(desk, file)).json()["pagesWanted"] == BY_ITSELF + 1
    await desk.settle()
    assert tesseract.asked == list(range(BY_ITSELF + 1))
    assert (await status(desk, file)).unread == 0


async def test_so_many_that_are_few_are_recognised(desk: Library, tesseract: Tesseract) -> None:
    await desk.put("letter.pdf", scanned(*[None] * BY_ITSELF))
    assert len(tesseract.asked) == BY_ITSELF


async def test_where_tesseract_is_missing_nothing_is_begun_and_the_question_says_why(
    desk: Library, tesseract: Tesseract, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ocr, "_program", lambda: None)
    file = await desk.put("deed.pdf", scanned(None))
    told = await status(desk, file)
    assert (told.unread, told.pages_wanted, told.recognisable, tesseract.asked) == (1, 0, False, [])
    refused = await ask(desk, file)
    assert (refused.status_code, refused.json()["code"]) == (503, "ocrUnavailable")


async def test_if_it_goes_missing_on_the_way_that_is_said_and_can_be_asked_for_again(
    desk: Library, tesseract: Tesseract
) -> None:
    async def missing() -> None:
        raise OcrUnavailable("tesseract is not installed.")

    tesseract.before[1] = missing
    file = await desk.put("deed.pdf", scanned(None, None))
    told = await status(desk, file)
    assert (told.state, told.unread, told.pages_wanted) == (IndexState.INDEXED, 1, 0), "and what is done is done"
    assert await desk.names("walruses") == ["deed.pdf"]
    tesseract.before.clear()
    await ask(desk, file)
    await desk.settle()
    assert ((await status(desk, file)).unread, tesseract.asked) == (0, [0, 1, 1])


# On the way


async def test_how_far_it_is_can_be_seen_and_the_file_is_found_meanwhile(asked: Library, tesseract: Tesseract) -> None:
    file, seen = await asked.put("deed.pdf", scanned("This is the cover", None, None, None)), list[tuple[int, int]]()

    async def look() -> None:
        told = await status(asked, file)
        seen.append((told.pages_done, told.pages_wanted))
        assert told.state is IndexState.INDEXED
        assert await asked.names("cover", meaning=False) == ["deed.pdf"]

    tesseract.before = dict.fromkeys((1, 2, 3), look)
    await ask(asked, file)
    assert (await ask(asked, file)).status_code == 202, "asking twice is asking once"
    await asked.settle()
    assert seen == [(0, 3), (1, 3), (2, 3)]


@pytest.mark.parametrize("page", range(3))
async def test_a_process_that_dies_loses_no_page(
    asked: Library, tesseract: Tesseract, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    async def die() -> None:
        raise RuntimeError("killed")

    file = await asked.put("deed.pdf", scanned(None, None, None))
    await ask(asked, file)
    tesseract.before[page] = die
    with pytest.raises(RuntimeError):
        await asked.settle()
    assert await asked.job.claim() is None, "it is held"
    tesseract.before.clear()
    await time_passes(asked.world, "knowledge_files", minutes=2)
    await asked.settle()
    assert sorted(map(str, tesseract.asked)) == sorted(map(str, [0, 1, 2, page])), (
        "only the one it died of is done again"
    )
    told = await status(asked, file)
    assert (told.unread, told.pages_wanted, told.chunks) == (0, 0, 3)


async def test_what_ends_its_process_each_time_is_given_up(
    asked: Library, tesseract: Tesseract, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def die() -> None:
        raise RuntimeError("killed")

    file = await asked.put("deed.pdf", scanned(None, None))
    await ask(asked, file)
    tesseract.before[1] = die
    for _ in range(MOST_TRIES + 1):
        await time_passes(asked.world, "knowledge_files", hours=1)
        with pytest.raises(RuntimeError):
            await asked.settle()
    await time_passes(asked.world, "knowledge_files", hours=1)
    await asked.settle()
    told = await status(asked, file)
    assert (told.state, told.unread, told.pages_wanted, told.chunks) == (IndexState.INDEXED, 1, 0, 1)


async def test_a_disk_that_is_full_is_waited_for(
    asked: Library, tesseract: Tesseract, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full() -> None:
        raise StorageFull("There is no room.")

    file = await asked.put("deed.pdf", scanned(None))
    await ask(asked, file)
    tesseract.before[0] = full
    await asked.settle()
    assert (await status(asked, file)).pages_wanted == 1
    assert await asked.job.claim() is None, "later, not at once"
    tesseract.before.clear()
    await time_passes(asked.world, "knowledge_files", hours=1)
    await asked.settle()
    assert (await status(asked, file)).unread == 0


async def test_a_page_that_fails_is_noted_and_the_rest_goes_on(asked: Library, tesseract: Tesseract) -> None:
    async def fail() -> None:
        raise DamagedDocument("The text of this picture cannot be read: it is damaged.")

    file = await asked.put("deed.pdf", scanned(None, None, None))
    tesseract.before[1] = fail
    await ask(asked, file)
    await asked.settle()
    told = await status(asked, file)
    assert told.notes == ["Page 2: The text of this picture cannot be read: it is damaged."]
    assert (told.state, told.unread, told.chunks) == (IndexState.INDEXED, 0, 2)
    assert (await ask(asked, file)).status_code == 409, "there is nothing left to try"
    # Somebody who looks at the page tries it once more.
    world, bob = asked.world, asked.world["bob"].principal
    reader = DocumentReader(
        world.services.db, world.services.files, asked.reader, RecognitionBacklog(world.services.db).heard
    )
    tesseract.before.clear()
    assert await reader.recognise(bob, await reader.place(bob, file.id), 2, None)
    await asked.settle()
    told = await status(asked, file)
    assert (told.notes, told.chunks, tesseract.asked) == ([], 3, [0, 1, 2, 1])


async def test_it_can_be_called_off_and_what_is_done_is_found(asked: Library, tesseract: Tesseract) -> None:
    file = await asked.put("deed.pdf", scanned(None, None, None))

    async def call_off() -> None:
        assert (await ask(asked, file, method="DELETE")).status_code == 200

    tesseract.before[1] = call_off
    await ask(asked, file)
    await asked.settle()
    assert tesseract.asked == [0, 1], "the page somebody was at is kept, the next is not begun"
    told = await status(asked, file)
    assert (told.state, told.pages_wanted, told.unread, told.chunks) == (IndexState.INDEXED, 0, 1, 2)
    assert (await ask(asked, file, method="DELETE")).status_code == 200, "nothing to call off"


async def test_what_was_called_off_does_not_begin_by_itself(desk: Library, tesseract: Tesseract) -> None:
    file = await make(desk.world, "bob", "deed.pdf", scanned(None, None))

    async def call_off() -> None:
        await ask(desk, file, method="DELETE")

    tesseract.before[0] = call_off
    await desk.settle()
    await desk.world.services.knowledge.again(desk.world["bob"].principal, file.id)
    await desk.settle()
    assert tesseract.asked == [0]


async def test_whoever_is_at_a_page_is_stopped_when_it_is_called_off(asked: Library, tesseract: Tesseract) -> None:
    file, begun, ended = await asked.put("deed.pdf", scanned(None)), asyncio.Event(), asyncio.Event()

    async def for_ever() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    tesseract.before[0] = for_ever
    await ask(asked, file)
    task = await asked.job.claim()
    assert task is not None
    working = asyncio.create_task(WorkScheduler(asked.job)._work_on(task))
    await begun.wait()
    await ask(asked, file, method="DELETE")
    await ended.wait()
    await working
    assert await asked.job.claim() is None


async def test_people_take_turns_page_by_page(asked: Library, tesseract: Tesseract) -> None:
    one = await asked.put("deed.pdf", scanned(None, None, None, "one"))
    two = await asked.put("will.pdf", scanned(None, None, None, "two"))
    hers = await asked.put("letter.pdf", scanned(None, None, "three"), "alice")
    for file, person in ((one, "bob"), (two, "bob"), (hers, "alice")):
        await ask(asked, file, person)
    await asked.settle()
    assert tesseract.asked == [0, 0, 1, *range(3), 1, 2], "hers, his, hers, and then the rest of his"


async def test_pages_do_not_wait_for_new_files_nor_these_for_pages(asked: Library, tesseract: Tesseract) -> None:
    """A worker has a place for each."""
    scan = await asked.put("deed.pdf", scanned(None, None))
    await ask(asked, scan)
    new = await make(asked.world, "bob", "new.md", b"Something new about windmills.")
    look = await asked.scanner.claim()
    assert look is not None
    await asked.scanner.work(look)
    db, job = asked.world.services.db, asked.job
    places = [IndexWork(db, job._indexing, job._renewing, job._recognising, of) for of in (PAGES, FILES, SLOW_FILES)]
    found = [await place.claim() for place in places]
    assert [task and task.file_id for task in found] == [scan.id, new.id, None]


async def test_at_most_so_many_at_a_time(asked: Library, tesseract: Tesseract, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workroom.knowledge.service.MOST_PAGES", 2)
    file = await asked.put("deed.pdf", scanned(None, None, None))
    await ask(asked, file)
    await asked.settle()
    assert (tesseract.asked, (await status(asked, file)).unread) == ([0, 1], 1)
    await ask(asked, file)
    await asked.settle()
    assert tesseract.asked == [0, 1, 2]


async def test_a_new_version_is_another_matter(desk: Library, tesseract: Tesseract) -> None:
    file = await make(desk.world, "bob", "deed.pdf", scanned(None, None))

    async def replace() -> None:
        await make(desk.world, "bob", "deed.pdf", scanned("All is written now"), on_conflict=OnConflict.VERSION)

    tesseract.before[0] = replace
    await desk.settle()
    await desk.settle()  # the new version, which nobody has looked into yet
    told = await status(desk, file)
    assert (tesseract.asked, told.version, told.unread, told.pages_wanted) == ([0], 2, 0, 0)
    assert await texts(desk, file.id) == ["All is written now"]


# Rights


@pytest.mark.requirement("N2")
@pytest.mark.parametrize(("person", "refused"), [("rita", 403), ("zoe", 404), ("olaf", 404)])
async def test_who_may_not_change_a_file_may_not_ask(
    asked: Library, tesseract: Tesseract, person: str, refused: int
) -> None:
    file = await asked.put("deed.pdf", scanned(None))
    await asked.world.call("bob", "PATCH", f"/api/files/{file.id}", {"visibility": "GROUP"})
    for method in ("POST", "DELETE"):
        assert (await ask(asked, file, person, method)).status_code == refused
    assert (await status(asked, file)).pages_wanted == 0
    assert (await ask(asked, file)).status_code == 202


async def test_a_file_without_such_pages_has_nothing_to_ask_for(asked: Library, tesseract: Tesseract) -> None:
    file = await asked.put("notes.md", "# Notes")
    refused = await ask(asked, file)
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")


# For real


def drawn(*lines: str) -> bytes:
    """As a scanner makes it: each page a picture of its text."""
    pages = []
    for line in lines:
        page = Image.new("L", (1240, 1754), "white")
        ImageDraw.Draw(page).text((120, 200), line, fill="black", font=ImageFont.load_default(size=44))
        pages.append(page)
    made = io.BytesIO()
    pages[0].save(made, "PDF", resolution=150, save_all=True, append_images=pages[1:])
    return made.getvalue()


@pytest.mark.requirement("H2", "I2")
@pytest.mark.skipif(not ocr.is_available(), reason="tesseract is not installed")
async def test_a_real_scan_is_found(world: World) -> None:
    async with library(world, StaticEmbedder(), by_itself=BY_ITSELF) as shelf:
        await shelf.put("lease.pdf", drawn("The rent is due in January", "The caretaker is called Wagner"))
        (found, *_) = await shelf.find("caretaker", meaning=False)
        assert (found.file_name, found.ref.page_index, found.ref.recognised) == ("lease.pdf", 1, True)
        assert "Wagner" in found.text
