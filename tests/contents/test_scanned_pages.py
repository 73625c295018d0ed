"""Pages and slides that are pictures, or empty: the structure and every quote say so, and whether OCR could read them."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from tests.contents.room import Desk
from tests.documents.making import png, pptx, relations, shape, slide
from tests.documents.open_making import PICTURE, frame, odp, page
from tests.documents.pdf.making import Page, PdfMaker
from tests.world import World
from workroom.contents.parts import PartSelection
from workroom.contents.quotes import quote
from workroom.contents.scanned_pages import with_page_notes
from workroom.documents import ocr
from workroom.documents.types import PageInfo, Structure

pytestmark = pytest.mark.requirement("I1", "I2")


@pytest.fixture(params=[False, True], ids=["without OCR", "with OCR"])
def has_ocr(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(ocr, "_program", lambda: "tesseract" if request.param else None)
    return bool(request.param)


async def quoted(world: World, desk: Desk, selection: PartSelection) -> str:
    reader, bob = world.services.reader, world["bob"].principal
    document = await reader.document(bob, await reader.place(bob, desk.file_id))
    return (await quote(document, selection, 10_000)).text


async def test_scanned_pages_say_that_they_are_images(world: World, has_ocr: bool) -> None:
    scan = Page().picture(0, 0, 595, 842)
    maker = PdfMaker([Page().text(60, 60, "A first page"), scan, scan, Page()])
    desk = await Desk.with_file(world, "scan.pdf", maker.data())
    can = "text recognition can read them" if has_ocr else "text recognition is not installed"
    assert (await desk.told("reading"))["structure"]["notes"] == [
        f"Pages 2-3 are images; {can}.",
        "Page 4 has no text.",
    ]
    said = await quoted(world, desk, PartSelection(pages=(2,)))
    if has_ocr:
        assert "[page 2 is an image; extractContent with mode ocr reads it, location page:2]" in said
    else:
        assert "[page 2 is an image; text recognition is not installed]" in said


async def test_what_is_installed_later_counts_at_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = await Desk.with_file(world, "scan.pdf", PdfMaker([Page().picture(0, 0, 595, 842)]).data())
    for program, said in ((None, "is not installed"), ("tesseract", "can read it"), (None, "is not installed")):
        monkeypatch.setattr(ocr, "_program", lambda program=program: program)
        (note,) = (await desk.told("reading"))["structure"]["notes"]
        assert note == f"Page 1 is an image; text recognition {said}."
    assert desk.did("scans") == 1


async def test_slides_that_are_pictures_say_so(world: World, has_ocr: bool) -> None:
    picture = '<p:pic><p:nvPicPr><p:cNvPr id="9" name="scan"/></p:nvPicPr><p:blipFill><a:blip r:embed="r9"/></p:blipFill></p:pic>'
    deck = pptx(
        [slide(shape("Said")), slide(picture)],
        {"ppt/media/scan.png": png(), "ppt/slides/_rels/slide2.xml.rels": relations(r9=("image", "../media/scan.png"))},
    )
    for name, content in (("deck.pptx", deck), ("deck.odp", odp(page(frame("Said")), page(PICTURE)))):
        desk = await Desk.with_file(world, name, content)
        (note,) = (await desk.told("reading"))["structure"]["notes"]
        assert note.startswith("Slide 2 is an image; ")
        assert ("not installed" in note) is not has_ocr
        assert "[slide 2 is an image; " in await quoted(world, desk, PartSelection(slides=(2,)))


async def test_the_pages_of_a_fax_are_images(world: World, has_ocr: bool) -> None:
    pages = [Image.new("1", (40, 60), 1) for _ in range(3)]
    made = io.BytesIO()
    pages[0].save(made, "TIFF", save_all=True, append_images=pages[1:])
    desk = await Desk.with_file(world, "fax.tiff", made.getvalue())
    (note,) = (await desk.told("reading"))["structure"]["notes"]
    assert note.startswith("Pages 1-3 are images; ")
    assert "[page 3 is an image; " in await quoted(world, desk, PartSelection(pages=(3,)))


def test_many_pages_are_named_in_one_line() -> None:
    def notes(*scanned: int) -> list[str]:
        pages = [
            PageInfo(page_index=index, text_length=0 if index + 1 in scanned else 9, has_images=True)
            for index in range(200)
        ]
        return with_page_notes(Structure(kind="pdf", page_map=pages)).notes

    assert notes() == []
    assert notes(3, 5, 6, 7, 9)[0].startswith("Pages 3, 5-7, 9 are images; ")
    (long,) = notes(*range(1, 200, 2))
    assert " and more are images; " in long
    assert len(long) < 200


def test_documents_that_flow_have_no_pages_to_speak_of() -> None:
    pages = [PageInfo(page_index=0, text_length=0, has_images=True)]
    assert with_page_notes(Structure(kind="docx", page_map=pages)).notes == []
