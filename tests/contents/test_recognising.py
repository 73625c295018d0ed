"""Text in pictures, read by OCR when it is there, and kept."""

from __future__ import annotations

import io
import shutil

import pytest
from PIL import Image, ImageDraw, ImageFont

from tests.contents.room import Desk
from tests.world import World

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
