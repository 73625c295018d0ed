"""Structure and parts of documents: read once, and only what was asked for."""

from __future__ import annotations

import asyncio
import io
from datetime import timedelta
from pathlib import Path

import pytest
from PIL import Image

from tests.contents.room import Desk, numbered_pdf, scalar
from tests.documents.making import png, pptx, shape, sheet, slide, xlsx
from tests.documents.open_making import frame, odp, page
from tests.documents.pdf.making import BOLD, Bookmark, Page, PdfMaker
from tests.files.sending import make
from tests.world import World
from workroom.contents import content_cache, part_buffer
from workroom.documents.errors import DocumentTooLarge
from workroom.documents.workers.parsers import Parsers
from workroom.identity.sharing import Visibility


@pytest.mark.requirement("I1")
async def test_a_look_finds_the_structure_and_the_true_kind(world: World) -> None:
    desk = await Desk.with_file(world, "report.txt", numbered_pdf(60, ("One", 0), ("Two", 45)))
    found = await desk.told("reading")
    assert (found["mediaType"], found["problem"], found["isContainer"]) == ("application/pdf", None, False)
    assert "text/plain" in found["lie"]
    structure = found["structure"]
    assert (structure["kind"], structure["pages"], len(structure["pageMap"])) == ("pdf", 60, 60)
    assert [(s["id"], s["title"], s["startPage"], s["endPage"]) for s in structure["sections"]] == [
        ("s1", "One", 0, 44),
        ("s2", "Two", 45, 59),
    ]
    assert (await world.services.files.get(world["bob"].principal, desk.file_id)).media_type == "application/pdf"
    await desk.told("reading")
    assert desk.did("scans") == 1


@pytest.mark.requirement("I2", "I3")
async def test_page_47_reads_one_page_and_the_second_time_none(world: World) -> None:
    desk = await Desk.with_file(world, "report.pdf", numbered_pdf(60))
    for _ in range(2):
        assert await desk.texts(part="page:47") == ["This is page number 47"]
        assert desk.did("parts") == 1


@pytest.mark.requirement("I2")
async def test_a_section_reads_its_pages_but_for_those_that_are_kept(world: World) -> None:
    desk = await Desk.with_file(world, "report.pdf", numbered_pdf(30, ("One", 0), ("Two", 10), ("Three", 13)))
    await desk.texts(part="page:12")
    assert await desk.texts(part="section:s2") == [f"This is page number {n}" for n in (11, 12, 13)]
    assert desk.did("parts") == 3


@pytest.mark.requirement("I2")
async def test_a_section_ends_where_the_next_begins_on_the_same_page(world: World) -> None:
    page = Page().text(60, 60, "One", 20, BOLD).text(60, 100, "of the first").text(60, 300, "Two", 20, BOLD)
    maker = PdfMaker([page.text(60, 340, "of the second"), Page().text(60, 60, "and more of it")])
    maker.bookmarks = [Bookmark("One", 0), Bookmark("Two", 0, y=300)]
    desk = await Desk.with_file(world, "two.pdf", maker.data())
    assert "second" not in " ".join(await desk.texts(part="section:s1"))
    second = " ".join(await desk.texts(part="section:s2"))
    assert "of the second" in second
    assert "and more of it" in second
    assert "first" not in second


@pytest.mark.requirement("H3")
async def test_equal_content_is_read_once_whoever_stores_it_and_called_by_its_own_name(world: World) -> None:
    content = numbered_pdf(3)
    first = await Desk.with_file(world, "mine.pdf", content)
    second = await Desk.with_file(world, "hers.pdf", content, person="alice")
    await first.texts(part="page:2")
    found = await second.told("objects", part="page:2")
    assert (first.did("scans"), first.did("parts")) == (1, 1)
    assert found["items"][0]["ref"]["containerPath"] == "hers.pdf"


async def test_the_whole_is_read_as_far_as_the_list_goes(world: World) -> None:
    desk = await Desk.with_file(world, "report.pdf", numbered_pdf(23))
    texts, cursor, lists = list[str](), None, 0
    while True:
        found = await desk.told("objects", limit=7, cursor=cursor or "0.0")
        texts += [item["text"] for item in found["items"]]
        lists += 1
        if lists == 1:
            assert desk.did("parts") < 23, "nobody asked for the end yet"
        if (cursor := found["nextCursor"]) is None:
            break
    assert texts == [f"This is page number {n + 1}" for n in range(23)]
    assert desk.did("parts") == 23


async def test_two_who_ask_at_once_share_one_reading(world: World) -> None:
    desk = await Desk.with_file(world, "report.pdf", numbered_pdf(5))
    asked = await asyncio.gather(*(desk.texts(part="page:3") for _ in range(5)))
    assert asked == [["This is page number 3"]] * 5
    assert (desk.did("scans"), desk.did("parts")) == (1, 1)


@pytest.mark.requirement("I5")
async def test_a_sheet_is_asked_for_by_name(world: World) -> None:
    book = xlsx({"Q3": sheet({"A1": "Autumn"}), "Q4": sheet({"A1": "Winter", "B1": "Cold"})})
    desk = await Desk.with_file(world, "book.xlsx", book)
    assert [s["name"] for s in (await desk.told("reading"))["structure"]["sheets"]] == ["Q3", "Q4"]
    found = await desk.told("objects", part="sheet:q4")
    assert [(item["ref"]["sheetName"], "Winter" in item["text"]) for item in found["items"]] == [("Q4", True)]
    assert desk.did("parts") == 1
    missing = await desk.ask("objects", part="sheet:Q7")
    assert missing.status_code == 422
    assert "“Q3”, “Q4”" in missing.json()["message"]


@pytest.mark.parametrize(
    ("name", "deck"),
    [
        ("deck.pptx", pptx([slide(shape("First")), slide(shape("Second"))])),
        ("deck.odp", odp(page(frame("First")), page(frame("Second"), notes="Said aloud"))),
    ],
)
async def test_a_slide_is_asked_for_by_number(world: World, name: str, deck: bytes) -> None:
    desk = await Desk.with_file(world, name, deck)
    assert (await desk.texts(part="slide:2"))[0] == "Second"
    image = await desk.ask("pages/2/image", width=800)
    assert image.status_code == 200
    assert image.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in image.headers["content-security-policy"]


@pytest.mark.parametrize("part", ["page:0", "page:4", "slide:1", "sheet:A", "section:s9"])
async def test_parts_that_are_not_there_are_refused_with_what_there_is(world: World, part: str) -> None:
    desk = await Desk.with_file(world, "report.pdf", numbered_pdf(3))
    refused = await desk.ask("objects", part=part)
    assert refused.status_code == 422
    assert "This document has" in refused.json()["message"]


@pytest.mark.parametrize("part", ["chapter:1", "page:x", "page:", "sheet:", "page:99999999"])
async def test_what_is_no_part_is_refused(world: World, part: str) -> None:
    desk = await Desk.with_file(world, "report.pdf", numbered_pdf(3))
    assert (await desk.ask("objects", part=part)).status_code == 422


async def test_a_large_text_is_read_by_sections(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workroom.contents.parts.LARGE", 100)
    text = "# One\n\nfirst\n\n# Two\n\nsecond\n\n## Below\n\ndeeper\n\n# Three\n\nthird\n" + "\nmore\n" * 40
    desk = await Desk.with_file(world, "notes.md", text.encode())
    found = "\n".join(await desk.texts(part="section:s2"))
    assert "second" in found
    assert "deeper" in found
    assert "first" not in found
    assert "third" not in found


async def test_a_small_text_is_read_whole_and_shown_by_sections(world: World) -> None:
    desk = await Desk.with_file(world, "notes.md", b"# One\n\nfirst\n\n# Two\n\nsecond\n")
    assert "first" not in "".join(await desk.texts(part="section:s2"))
    assert "first" in "".join(await desk.texts(part="section:s1"))
    assert desk.did("parts") == 1


async def test_more_than_is_kept_is_said(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part_buffer, "MOST_CHARACTERS", 30_000)
    rows = "\n".join(f"{n},some words in a row" for n in range(5_000))
    desk = await Desk.with_file(world, "long.csv", rows.encode())
    found = await desk.told("objects")
    assert found["cut"] is True
    assert 0 < sum(len(item["text"]) for item in found["items"]) <= 30_000


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("cut.pdf", numbered_pdf(3)[:200], "documentDamaged"),
        ("old.bin", b"\x7fELF" + bytes(200), "documentUnsupported"),
    ],
)
async def test_what_cannot_be_read_says_why_and_is_not_tried_again(
    world: World, name: str, content: bytes, code: str
) -> None:
    desk = await Desk.with_file(world, name, content)
    found = await desk.told("reading")
    assert (found["structure"], found["problem"]["code"]) == (None, code)
    refused = await desk.ask("objects")
    assert (refused.status_code, refused.json()["code"]) == (422, code)
    assert desk.did("scans") == 1
    assert desk.did("parts") == 0


async def test_an_empty_file_is_read_as_empty(world: World) -> None:
    desk = await Desk.with_file(world, "empty.pdf", b"")
    found = await desk.told("reading")
    assert (found["structure"]["kind"], found["problem"]) == ("empty", None)
    assert await desk.texts() == []


async def test_a_newer_reader_reads_anew(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = await Desk.with_file(world, "report.pdf", numbered_pdf(3))
    await desk.texts(part="page:1")
    monkeypatch.setattr(content_cache, "READER", content_cache.READER + 1)
    assert await desk.texts(part="page:1") == ["This is page number 1"]
    assert (desk.did("scans"), desk.did("parts")) == (2, 2)


async def test_what_was_too_slow_once_is_tried_again_later(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = await Desk.with_file(world, "report.pdf", numbered_pdf(3))

    async def slow(*_: object, **__: object) -> None:
        raise DocumentTooLarge("It took too long.")

    with monkeypatch.context() as patched:
        patched.setattr(Parsers, "scan", slow)
        assert (await desk.told("reading"))["problem"]["code"] == "documentTooLarge"
    assert (await desk.told("reading"))["problem"], "not at once"
    monkeypatch.setattr(content_cache, "TRIED_AGAIN", timedelta(0))
    assert (await desk.told("reading"))["structure"]["pages"] == 3


async def test_what_belongs_to_no_page_is_read_with_the_whole(world: World) -> None:
    maker = PdfMaker([Page().text(60, 60, "The page"), Page().text(60, 60, "Another")])
    maker.attachments = {"data.txt": b"attached"}
    desk = await Desk.with_file(world, "with.pdf", maker.data())
    found = (await desk.told("objects"))["items"]
    assert [item["contentType"] for item in found] == ["text", "text", "other"]


async def test_an_older_version_is_read_as_it_was(world: World) -> None:
    desk = await Desk.with_file(world, "notes.md", b"# Before\n")
    await make(world, "bob", "notes.md", b"# After\n")
    assert await desk.texts() == ["# After"]
    assert await desk.texts(version=1) == ["# Before"]


async def test_pictures_come_by_their_place_and_are_known_the_second_time(world: World) -> None:
    desk = await Desk.with_file(world, "picture.png", png(40, 30))
    (item,) = (await desk.told("objects"))["items"]
    first = await desk.ask("element", location=item["ref"]["location"])
    assert first.content == png(40, 30)
    assert first.headers["content-type"] == "image/png"
    assert first.headers["x-content-type-options"] == "nosniff"
    async with world.client("bob", {"If-None-Match": first.headers["etag"]}) as client:
        again = await client.get(f"/api/files/{desk.file_id}/element", params={"location": item["ref"]["location"]})
    assert again.status_code == 304
    assert (await desk.ask("element", location="page:9/image:1")).status_code == 404


async def test_a_page_is_shown_as_a_picture_with_its_words(world: World) -> None:
    desk = await Desk.with_file(world, "report.pdf", numbered_pdf(3))
    image = await desk.ask("pages/2/image", width=300)
    assert image.headers["content-type"] in ("image/png", "image/jpeg")
    words = await desk.told("pages/2/text")
    assert [line["text"] for line in words["lines"]] == ["This is page number 2"]
    line = words["lines"][0]
    assert 0 <= line["x"] < words["width"]
    assert 0 <= line["y"] < words["height"] / 4
    assert (await desk.ask("pages/4/image")).status_code == 404
    assert (await desk.ask("pages/4/text")).status_code == 404


async def test_a_scan_no_browser_shows_is_shown_page_by_page(world: World) -> None:
    pages = [Image.new("L", (600, 400), shade) for shade in (0, 255)]
    made = io.BytesIO()
    pages[0].save(made, "TIFF", save_all=True, append_images=pages[1:])
    desk = await Desk.with_file(world, "scan.tiff", made.getvalue())
    shown = await desk.ask("pages/2/image", width=300)
    assert shown.headers["content-type"] == "image/png"
    with Image.open(io.BytesIO(shown.content)) as picture:
        assert (picture.size, picture.getpixel((5, 5))) == ((300, 200), 255)
    assert (await desk.ask("pages/3/image")).status_code == 404


async def test_a_text_is_found_on_its_pages(world: World) -> None:
    desk = await Desk.with_file(world, "report.pdf", numbered_pdf(30))
    found = await desk.told("find", q="NUMBER 2")
    assert [hit["part"] for hit in found["hits"]] == ["page:2", *(f"page:{n}" for n in range(20, 30))]
    assert found["hits"][0]["boxes"]
    assert [hit["part"] for hit in (await desk.told("find", q="number", page=7))["hits"]] == ["page:7"]
    assert (await desk.told("find", q="number", page=31))["hits"] == []
    few = await desk.told("find", q="number", limit=4)
    assert (len(few["hits"]), few["more"]) == (4, True)


async def test_the_index_tells_what_is_known(world: World) -> None:
    desk = await Desk.with_file(world, "report.pdf", numbered_pdf(3), visibility=Visibility.GROUP)
    before = await desk.told("index")
    assert (before["status"], before["totalObjects"], before["extractedAt"]) == ("structured", 0, None)
    await desk.texts(part="page:2")
    after = await desk.told("index")
    assert (after["status"], after["totalObjects"], after["isShared"]) == ("extracted", 1, False)
    assert after["objectSummary"][0]["summary"] == "This is page number 2"
    assert (after["fileName"], after["mimeType"], after["structure"]["pages"]) == ("report.pdf", "application/pdf", 3)


async def test_what_is_not_yours_is_not_there(world: World) -> None:
    desk = await Desk.with_file(world, "report.pdf", numbered_pdf(3))
    stranger = Desk(world, desk.file_id, "rita")
    for what in ("reading", "index", "objects", "pages/1/image", "pages/1/text", "members"):
        assert (await stranger.ask(what)).status_code == 404
    assert (await stranger.ask("find", q="page")).status_code == 404
    assert (await stranger.ask("element", location="page:1/image:1")).status_code == 404
    assert (await stranger.post("ocr", page=1)).status_code == 404
    assert desk.did("scans") == 0, "nothing is looked into for somebody who may not see it"


async def test_the_large_report_page_by_page(world: World, test_data: Path) -> None:
    content = (test_data / "unstructured/pdf/DA-619p.pdf").read_bytes()
    desk = await Desk.with_file(world, "DA.pdf", content)
    structure = (await desk.told("reading"))["structure"]
    assert (structure["pages"], len(structure["pageMap"])) == (619, 619)
    for _ in range(2):
        assert len("".join(await desk.texts(part="page:47"))) > 200
        assert desk.did("parts") == 1


@pytest.mark.parametrize("one_by_one", [True, False])
async def test_a_small_file_that_spells_out_much_is_not_kept_whole(
    world: World, monkeypatch: pytest.MonkeyPatch, one_by_one: bool
) -> None:
    """Also where there is no quota: it must not be a thousand times the file."""
    monkeypatch.setattr(part_buffer, "LEAST_IN_ALL", 50_000)
    cells = {f"A{n}": "x" * 1_000 for n in range(1, 41)}
    desk = await Desk.with_file(world, "bomb.xlsx", xlsx({f"S{n}": sheet(cells) for n in range(8)}))
    if one_by_one:
        for number in range(8):
            await desk.told("objects", part=f"sheet:S{number}")
    else:
        place = await world.services.reader.place(world["bob"].principal, desk.file_id)
        await world.services.reader.read_whole(world["bob"].principal, place)
    size = (await world.services.files.get(world["bob"].principal, desk.file_id)).size
    kept = await scalar(world, "select sum(length(text)) from content_objects")
    assert 0 < kept <= max(50_000, part_buffer.TIMES_ITS_SIZE * size)
    assert (await desk.told("objects", part="sheet:S7"))["cut"]
