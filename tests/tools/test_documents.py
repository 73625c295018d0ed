"""What is in documents and archives, by tool: only what is asked for is read, once, and every piece says where it stands."""

from __future__ import annotations

import io
import zipfile
from collections import Counter

import pytest

from tests.documents.making import package, png, sheet, xlsx
from tests.documents.pdf.making import Bookmark, Page, PdfMaker
from tests.files.sending import content, make
from tests.tools.room import Room
from tests.world import World
from workroom.core.errors import InvalidInput, NotFound
from workroom.core.results import ToolResult
from workroom.core.sources import CITED, cited_in
from workroom.documents.errors import DocumentError, EncryptedDocument, OcrUnavailable
from workroom.tools.documents import (
    browse_container,
    extract_container_item,
    extract_content,
    read_content_objects,
    read_section,
    save_container_item,
)
from workroom.tools.files import read_file


@pytest.fixture
def room(world: World) -> Room:
    return Room(world)


def report(pages: int = 12, sections: int = 3) -> bytes:
    made = PdfMaker([Page().text(50, 80, f"This is page {n}.") for n in range(1, pages + 1)])
    size = pages // sections
    made.bookmarks = [Bookmark(f"{n + 1} Part {n + 1}", n * size) for n in range(sections)]
    return made.data()


def table_page() -> bytes:
    page = Page().text(50, 60, "Prices of fruit")
    xs, ys = (50, 200, 350), (100, 120, 140)
    page.grid(xs, ys)
    for row, cells in enumerate((("Fruit", "Price"), ("Apple", "3.20"))):
        for column, cell in enumerate(cells):
            page.text(xs[column] + 5, ys[row] + 15, cell)
    return PdfMaker([page]).data()


def counts(room: Room) -> Counter[str]:
    return room.world.services.reader._reader.counts


async def read(room: Room, **arguments: object) -> str:
    result: ToolResult = await room.call(read_content_objects, **arguments)
    return result.message


@pytest.mark.requirement("I7")
async def test_the_structure_of_a_document_is_seen_before_it_is_read(room: Room) -> None:
    await make(room.world, "bob", "report.pdf", report())
    result = await room.call(browse_container, fileId="report.pdf", show=True)
    assert result.message.startswith("report.pdf: application/pdf, ")
    assert "12 pages" in result.message
    assert "s2 2 Part 2 (pages 5-" in result.message
    assert result.actions[0].type == "openFile"
    assert counts(room) == {"scans": 1}


async def test_a_long_structure_comes_in_pages(room: Room) -> None:
    text = "\n\n".join(f"# Heading {n} {'x' * 100}\n\ntext" for n in range(400))
    await make(room.world, "bob", "long.md", text.encode())
    seen, page = "", 1
    while True:
        message = (await room.call(browse_container, fileId="long.md", page=page)).message
        assert len(message) < 20_000
        seen += message
        if f"browseContainer with page {page + 1}]" not in message:
            break
        page += 1
    assert page > 1
    assert all(f"Heading {n} x" in seen for n in range(400))
    with pytest.raises(InvalidInput, match="no page 9"):
        await room.call(browse_container, fileId="long.md", page=9)


@pytest.mark.requirement("I7")
async def test_an_archive_is_browsed_without_unpacking(room: Room) -> None:
    inner = package({"deep.txt": "Deep."})
    await make(room.world, "bob", "pack.zip", package({"docs/a.txt": "A.", "inner.zip": inner}))
    message = (await room.call(browse_container, fileId="pack.zip")).message
    assert "docs/a.txt (2 bytes)" in message
    assert "inner.zip (" in message
    assert counts(room)["members"] == 0
    assert "deep.txt" in (await room.call(browse_container, fileId="pack.zip", inside="inner.zip")).message


async def test_an_archive_with_many_files_comes_in_pages(room: Room) -> None:
    await make(room.world, "bob", "many.zip", package({f"{n:04}.txt": "x" for n in range(700)}))
    pages = [(await room.call(browse_container, fileId="many.zip", page=n)).message for n in (1, 2, 3)]
    assert all(f"{n:04}.txt" in pages[n // 300] for n in range(700))
    assert "with page 2]" in pages[0]
    assert "there is more" not in pages[2]
    with pytest.raises(InvalidInput):
        await room.call(browse_container, fileId="many.zip", page=4)


def without_marks(text: str) -> str:
    return CITED.sub("", text).replace(" \n", "\n")


@pytest.mark.requirement("H5")
async def test_every_place_that_is_read_can_be_cited_and_opened(room: Room) -> None:
    file = await make(room.world, "bob", "report.pdf", report())
    first = await room.call(read_content_objects, fileId="report.pdf", filter={"pageIndex": [4, 6]})
    assert cited_in(first.message) == [source.mark for source in first.sources]
    assert [(s.label, s.opens.file_id, s.opens.page) for s in first.sources] == [
        ("page 5 of report.pdf", file.id, 5),
        ("page 7 of report.pdf", file.id, 7),
    ]
    again = await room.call(read_file, fileId="report.pdf", page=7)
    assert again.sources[0] == first.sources[1], "a place has one mark, whoever reads it"


@pytest.mark.requirement("I7")
@pytest.mark.requirement("I2")
async def test_asked_pages_are_read_once_and_no_others(room: Room) -> None:
    await make(room.world, "bob", "report.pdf", report())
    text = await read(room, fileId="report.pdf", filter={"pageIndex": [4, 6]})
    assert without_marks(text) == "[page 5 of report.pdf]\nThis is page 5.\n\n[page 7 of report.pdf]\nThis is page 7."
    assert counts(room)["parts"] == 2
    await read(room, fileId="report.pdf", filter={"pageIndex": [4]})
    assert counts(room)["parts"] == 2
    with pytest.raises(InvalidInput, match="has 12 pages"):
        await read(room, fileId="report.pdf", filter={"pageIndex": [12]})


@pytest.mark.requirement("I5")
async def test_one_kind_of_content(room: Room) -> None:
    await make(room.world, "bob", "page.pdf", PdfMaker([Page().text(50, 60, "Words").picture(50, 100, 80, 40)]).data())
    pictures = await read(room, fileId="page.pdf", filter={"contentType": "image"})
    assert "[image" in pictures
    assert "location page:1/" in pictures
    assert "Words" not in pictures
    assert "Words" in await read(room, fileId="page.pdf", filter={"contentType": "text"})
    assert "nothing of that kind" in await read(room, fileId="page.pdf", filter={"contentType": "audiostream"})


async def test_a_sheet_and_where_it_goes_on(room: Room) -> None:
    rows = {f"A{n}": f"value {n} {'x' * 40}" for n in range(1, 1_200)}
    await make(room.world, "bob", "book.xlsx", xlsx({"Q3": sheet({"A1": "autumn"}), "Q4": sheet(rows)}))
    assert "autumn" in await read(room, fileId="book.xlsx", filter={"sheet": "q3"})
    seen, cursor = "", ""
    while True:
        text = await read(room, fileId="book.xlsx", filter={"sheet": "Q4"}, cursor=cursor)
        seen += text
        if "with cursor `" not in text:
            break
        cursor = text.rsplit("`", 2)[1]
    assert cursor
    assert all(value in seen for value in rows.values())
    assert "autumn" not in seen
    with pytest.raises(InvalidInput, match="There is “Q3”, “Q4”"):
        await read(room, fileId="book.xlsx", filter={"sheet": "Q9"})
    with pytest.raises(InvalidInput, match="cursor"):
        await read(room, fileId="book.xlsx", cursor="somewhere")


@pytest.mark.requirement("I7")
@pytest.mark.parametrize("name", ["s2", "2", "Part 2", "2 part 2"])
async def test_a_section_by_id_number_or_title(room: Room, name: str) -> None:
    await make(room.world, "bob", "report.pdf", report())
    result = await room.call(read_section, fileId="report.pdf", sectionId=name, show=True)
    assert "This is page 5." in result.message
    assert "This is page 4." not in result.message
    assert "This is page 10." not in result.message
    assert result.actions[0].payload["section"] == "s2"


async def test_a_section_that_is_not_there_is_answered_with_those_that_are(room: Room) -> None:
    await make(room.world, "bob", "report.pdf", report())
    with pytest.raises(NotFound, match="There is: s1 1 Part 1; s2 2 Part 2"):
        await room.call(read_section, fileId="report.pdf", sectionId="s9")
    await make(room.world, "bob", "plain.txt", b"Just words.")
    with pytest.raises(NotFound, match="has no sections"):
        await room.call(read_section, fileId="plain.txt", sectionId="s1")


@pytest.mark.requirement("I7")
async def test_a_member_is_looked_into_and_kept(room: Room) -> None:
    await make(room.world, "bob", "pack.zip", package({"docs/report.pdf": report(3)}))
    result = await room.call(extract_container_item, fileId="pack.zip", path="docs/report.pdf", show=True)
    assert "3 pages" in result.message
    assert "This is page 1." in result.message
    assert result.actions[0].payload["inside"] == "docs/report.pdf"
    before = counts(room)["parts"]
    await room.call(extract_container_item, fileId="pack.zip", path="docs/report.pdf")
    assert counts(room)["parts"] == before
    with pytest.raises(NotFound, match="nothing at that path"):
        await room.call(extract_container_item, fileId="pack.zip", path="docs/other.pdf")
    with pytest.raises(InvalidInput):
        await room.call(extract_container_item, fileId="pack.zip", path="../../etc/passwd")


@pytest.mark.requirement("I7")
async def test_a_member_becomes_a_file_of_the_workspace(room: Room) -> None:
    await make(room.world, "bob", "pack.zip", package({"docs/a.txt": "Inside."}))
    result = await room.call(save_container_item, fileId="pack.zip", path="docs/a.txt", folder="Taken")
    [made] = result.files
    assert (await content(room.world, "bob", made.file_id)).text == "Inside."
    file = await room.world.services.files.get(room.principal, made.file_id)
    assert (file.name, file.description) == ("a.txt", "From pack.zip/docs/a.txt")
    assert room.committed is not None
    assert room.committed.files == [made]


@pytest.mark.requirement("I7")
async def test_tables_of_a_page_alone(room: Room) -> None:
    await make(room.world, "bob", "prices.pdf", table_page())
    table = (await room.call(extract_content, fileId="prices.pdf", mode="table", page=1)).message
    assert "| Apple | 3.20 |" in table
    assert "Prices of fruit" not in table
    text = (await room.call(extract_content, fileId="prices.pdf", mode="text", page=1)).message
    assert "Prices of fruit" in text
    await make(room.world, "bob", "report.pdf", report())
    assert "no table" in (await room.call(extract_content, fileId="report.pdf", mode="table", page=3)).message
    assert counts(room)["parts"] == 2


async def test_an_element_by_its_location(room: Room) -> None:
    await make(room.world, "bob", "report.pdf", report())
    text = (await room.call(extract_content, fileId="report.pdf", mode="text", location="page:3")).message
    assert "This is page 3." in text
    assert counts(room)["parts"] == 1
    for wrong in ({}, {"page": 1, "location": "page:1"}):
        with pytest.raises(InvalidInput, match="a page or a location"):
            await room.call(extract_content, fileId="report.pdf", mode="text", **wrong)


async def test_without_tesseract_that_is_said(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    await make(room.world, "bob", "scan.png", png(40, 40))
    with pytest.raises(OcrUnavailable) as caught:
        await room.call(extract_content, fileId="scan.png", mode="ocr", location="image")
    assert "esseract" in caught.value.message


@pytest.mark.parametrize("tool", [browse_container, read_content_objects, extract_container_item])
async def test_what_is_refused_is_refused_with_a_sentence(room: Room, tool: object) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("secret.txt", "x")
    locked = bytearray(made.getvalue())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.index(mark) + at] |= 1
    await make(room.world, "bob", "locked.zip", bytes(locked))
    with pytest.raises(EncryptedDocument, match="password"):
        await room.call(extract_container_item, fileId="locked.zip", path="secret.txt")
    await make(room.world, "bob", "broken.zip", b"PK\x03\x04 and nothing else")
    if tool is browse_container:
        assert "It cannot be read: " in (await room.call(browse_container, fileId="broken.zip")).message
    elif tool is read_content_objects:
        with pytest.raises(DocumentError):
            await room.call(read_content_objects, fileId="broken.zip")
    else:
        with pytest.raises(DocumentError):
            await room.call(extract_container_item, fileId="broken.zip", path="a.txt")


def test_what_comes_from_documents_is_marked() -> None:
    tools = (browse_container, read_content_objects, read_section, extract_container_item, extract_content)
    assert all(tool.untrusted for tool in tools)
