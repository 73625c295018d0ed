"""Pictures made ready for models to look at."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PIL import Image

from tests.documents.making import pptx, shape, slide
from tests.documents.pdf.making import Page, PdfMaker
from workroom.core.errors import NotFound
from workroom.documents.errors import DamagedDocument, UnsupportedDocument
from workroom.documents.types import SourceFile
from workroom.documents.workers.parsers import Parsers


@pytest.fixture
async def parsers() -> AsyncIterator[Parsers]:
    async with Parsers() as made:
        yield made


def stored(folder: Path, name: str, media_type: str, data: bytes) -> SourceFile:
    (folder / name).write_bytes(data)
    return SourceFile(folder / name, name, media_type, name)


def picture(kind: str, size: tuple[int, int] = (3_000, 1_500), mode: str = "RGB") -> bytes:
    made = io.BytesIO()
    Image.new(mode, size).save(made, kind)
    return made.getvalue()


@pytest.mark.requirement("I2")
@pytest.mark.parametrize(
    ("kind", "mode"), [("PNG", "RGBA"), ("PNG", "P"), ("JPEG", "RGB"), ("TIFF", "1"), ("GIF", "P"), ("BMP", "RGB")]
)
async def test_every_picture_becomes_a_small_jpeg(parsers: Parsers, tmp_path: Path, kind: str, mode: str) -> None:
    source = stored(tmp_path, "photo", f"image/{kind.lower()}", picture(kind, mode=mode))
    seen = await parsers.picture(source)
    with Image.open(io.BytesIO(seen.data)) as opened:
        assert (seen.media_type, opened.format, opened.size) == ("image/jpeg", "JPEG", (1_568, 784))


async def test_a_small_one_stays_as_it_is(parsers: Parsers, tmp_path: Path) -> None:
    source = stored(tmp_path, "photo.png", "image/png", picture("PNG", (30, 20)))
    with Image.open(io.BytesIO((await parsers.picture(source)).data)) as opened:
        assert opened.size == (30, 20)


async def test_pages_that_can_be_drawn_and_others(parsers: Parsers, tmp_path: Path) -> None:
    pdf = stored(tmp_path, "a.pdf", "application/pdf", PdfMaker([Page().text(50, 80, "Hello")]).data())
    assert (await parsers.picture(pdf, page_index=0)).media_type == "image/jpeg"
    with pytest.raises((NotFound, DamagedDocument)):
        await parsers.picture(pdf, page_index=7)
    with pytest.raises(UnsupportedDocument):
        await parsers.picture(pdf)
    kind = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    deck = stored(tmp_path, "a.pptx", kind, pptx([slide(shape("Hello"))]))
    with pytest.raises(UnsupportedDocument, match="the text is read"):
        await parsers.picture(deck, page_index=0)
    text = stored(tmp_path, "a.txt", "text/plain", b"Hello")
    with pytest.raises(UnsupportedDocument):
        await parsers.picture(text, page_index=0)


async def test_a_damaged_one_says_so(parsers: Parsers, tmp_path: Path) -> None:
    whole = picture("PNG")
    broken = stored(tmp_path, "broken.png", "image/png", whole[: len(whole) // 2])
    with pytest.raises(DamagedDocument):
        await parsers.picture(broken)
