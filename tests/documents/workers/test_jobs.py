"""What readers in processes of their own can be asked beside structure and content: places, finding, text in pictures."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from tests.documents.corpus import source
from tests.documents.fake_tesseract import install
from tests.documents.making import png, pptx, shape, slide, stored
from tests.documents.pdf.making import Page, PdfMaker, one_page
from workroom.core.errors import InvalidInput
from workroom.documents import ocr
from workroom.documents.errors import DocumentTooLarge, OcrUnavailable, UnsupportedDocument
from workroom.documents.types import SourceFile
from workroom.documents.workers.parsers import Parsers

PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"


@pytest.fixture
async def parsers() -> AsyncIterator[Parsers]:
    async with Parsers(processes=1) as made:
        yield made


@pytest.fixture
def page(tmp_path: Path) -> SourceFile:
    return one_page(tmp_path / "page.pdf", Page().text(60, 100, "Lake Constance 1848", size=36))


async def test_the_text_of_a_page_with_its_places(parsers: Parsers, page: SourceFile) -> None:
    found = await parsers.page_text(page, 0)
    assert [line.text for line in found.lines] == ["Lake Constance 1848"]


async def test_kinds_without_places_say_so(parsers: Parsers, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedDocument):
        await parsers.page_text(stored(tmp_path, "words", "text/plain"), 0)


async def test_hits_arrive_as_they_are_found(parsers: Parsers, tmp_path: Path) -> None:
    document = PdfMaker([Page().text(60, 100, "needle") for _ in range(5)]).save(tmp_path / "five.pdf")
    assert [hit.part async for hit in parsers.find(document, "needle", most=3)] == ["page:1", "page:2", "page:3"]
    async with aclosing(parsers.find(document, "needle")) as hits:
        assert (await anext(hits)).part == "page:1"
    text = stored(tmp_path, "a needle in hay", "text/plain", "hay.txt")
    assert [(hit.before, hit.match, hit.after) async for hit in parsers.find(text, "Needle")] == [
        ("a ", "needle", " in hay")
    ]
    with pytest.raises(InvalidInput):
        assert [hit async for hit in parsers.find(text, "")] == []


async def test_a_slide_is_a_picture(parsers: Parsers, tmp_path: Path) -> None:
    deck = stored(tmp_path, pptx([slide(shape("Hello", top=1_000_000))]), PPTX, "deck.pptx")
    drawn = await parsers.page_image(deck, 0, 640)
    assert drawn.media_type == "image/svg+xml"
    assert b"Hello" in drawn.data


async def test_text_in_pictures_is_read_in_the_child(
    page: SourceFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKROOM_SECRET_KEY", "secret")
    install(tmp_path, monkeypatch, "print(picture[1:4].decode(), 'WORKROOM_SECRET_KEY' in os.environ)")
    async with Parsers(processes=1) as parsers:
        assert await parsers.ocr(page, page_index=0) == "PNG False"
        picture = stored(tmp_path, png(30, 20), "image/png", "picture.png")
        assert await parsers.ocr(picture) == "PNG False"
        assert await parsers.ocr(picture, page_index=0) == "PNG False"
        assert await parsers.ocr(picture, location="image") == "PNG False"
        deck = stored(tmp_path, pptx([slide(shape("Hello"))]), PPTX, "deck.pptx")
        for where in ({"page_index": 0}, {}):
            with pytest.raises(UnsupportedDocument):
                await parsers.ocr(deck, **where)  # type: ignore[arg-type]


async def test_a_picture_that_is_too_large_is_made_smaller_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from PIL import Image

    install(tmp_path, monkeypatch, "import struct; print(struct.unpack('>II', picture[16:24]))")
    path = tmp_path / "large.png"
    Image.new("1", (10_000, 4_000)).save(path)
    async with Parsers(processes=1) as parsers:
        wide, high = eval(await parsers.ocr(source(path, "image/png")))
    assert wide * high <= 16_000_000
    assert abs(wide / high - 2.5) < 0.01


async def test_running_out_of_memory_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, "os.abort()")
    async with Parsers(processes=1) as parsers:
        with pytest.raises(DocumentTooLarge, match="smaller part"):
            await parsers.ocr(stored(tmp_path, png(30, 20), "image/png", "picture.png"))


async def test_without_tesseract_it_is_said_how_to_get_it(
    page: SourceFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    async with Parsers(processes=1) as parsers:
        with pytest.raises(OcrUnavailable, match="apt install") as caught:
            await parsers.ocr(page, page_index=0)
    assert (caught.value.status, caught.value.code) == (503, "ocrUnavailable")


@pytest.mark.skipif(not ocr.is_available(), reason="tesseract is not installed")
async def test_the_real_one_works_within_the_limits_of_a_child(parsers: Parsers, page: SourceFile) -> None:
    assert await parsers.ocr(page, page_index=0) == "Lake Constance 1848"
