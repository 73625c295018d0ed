"""Text in pictures, read by OCR when it is there, and kept."""

from __future__ import annotations

import io
import shutil

import pytest
from PIL import Image, ImageDraw, ImageFont

from tests.contents.room import Desk
from tests.documents.pdf.making import Page, PdfMaker
from tests.world import World
from workroom.documents.workers.parsers import Parsers

needs_tesseract = pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")


def written(text: str) -> bytes:
    image = Image.new("RGB", (900, 160), "white")
    ImageDraw.Draw(image).text((40, 40), text, fill="black", font=ImageFont.load_default(size=60))
    out = io.BytesIO()
    image.save(out, "PNG", dpi=(200, 200))
    return out.getvalue()


@needs_tesseract
@pytest.mark.requirement("I2")
async def test_the_text_of_a_picture_is_read_once(world: World) -> None:
    desk = await Desk.with_file(world, "sign.png", written("Emergency exit"))
    (item,) = (await desk.told("objects"))["items"]
    for _ in range(2):
        read = await desk.post("ocr", location=item["ref"]["location"])
        assert read.status_code == 200, read.text
        assert "Emergency exit" in read.json()["text"]
    assert desk.did("recognised") == 1


async def test_without_tesseract_it_says_so(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    desk = await Desk.with_file(world, "sign.png", written("Emergency exit"))
    (item,) = (await desk.told("objects"))["items"]
    refused = await desk.post("ocr", location=item["ref"]["location"])
    assert (refused.status_code, refused.json()["code"]) == (503, "ocrUnavailable")
    assert "tesseract" in refused.json()["message"]


@pytest.mark.parametrize("body", [{}, {"page": 1, "location": "image"}])
async def test_a_page_or_a_picture_must_be_named(world: World, body: dict[str, object]) -> None:
    desk = await Desk.with_file(world, "sign.png", written("x"))
    assert (await desk.post("ocr", **body)).status_code == 422


@pytest.mark.requirement("I2")
async def test_what_was_recognised_is_shown_and_found_in_the_preview(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def read(self: Parsers, source: object, *, page_index: int | None = None, **_: object) -> str:
        return f"The lighthouse of page {(page_index or 0) + 1}"

    monkeypatch.setattr(Parsers, "ocr", read)
    pages = [
        Page().text(60, 60, "A lighthouse on the cover"),
        Page().picture(0, 0, 595, 842),
        Page().picture(0, 0, 595, 842),
    ]
    desk = await Desk.with_file(world, "deed.pdf", PdfMaker(pages).data())
    assert (await desk.told("pages/2/text"))["recognised"] is None
    for page in (1, 3, 2):  # of the first, what it says itself is enough
        assert (await desk.post("ocr", page=page)).status_code == 200
    assert (await desk.told("pages/2/text"))["recognised"] == "The lighthouse of page 2"
    assert (await desk.told("pages/1/text"))["recognised"] is None
    found = await desk.told("find", q="lighthouse")
    assert [(hit["part"], bool(hit["boxes"])) for hit in found["hits"]] == [
        ("page:1", True), ("page:2", False), ("page:3", False)
    ]  # fmt: skip
    (one,) = (await desk.told("find", q="lighthouse", page=3))["hits"]
    assert one["after"] == " of page 3"
