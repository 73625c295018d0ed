from __future__ import annotations

import io
import struct
from pathlib import Path

import pytest
from PIL import Image

from tests.documents.making import png, read, stored
from workroom.core.errors import NotFound
from workroom.documents.errors import DamagedDocument, DocumentTooLarge
from workroom.documents.extractors.image import EXTRACTOR
from workroom.documents.types import ContentType, ExtractionScope


def tiff(pages: int) -> bytes:
    made = io.BytesIO()
    frames = [Image.new("L", (10 + n, 20), n) for n in range(pages)]
    frames[0].save(made, "TIFF", save_all=True, append_images=frames[1:])
    return made.getvalue()


def photograph() -> bytes:
    made = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x0132] = "2024:03:14 22:10:00"
    exif.get_ifd(0x8825)[1] = "N"
    Image.new("RGB", (40, 30)).save(made, "JPEG", exif=exif)
    return made.getvalue()


def test_a_picture_is_one_object_with_its_size(tmp_path: Path) -> None:
    source = stored(tmp_path, png(3, 2), "image/png")
    (found,) = read(EXTRACTOR, source)
    assert found.content_type is ContentType.IMAGE
    assert found.metadata == {
        "mediaType": "image/png",
        "bytes": len(png(3, 2)),
        "width": 3,
        "height": 2,
        "format": "PNG",
    }
    assert EXTRACTOR.element(source, found.ref.location).data == png(3, 2)


def test_what_the_camera_wrote_without_the_place(tmp_path: Path) -> None:
    (found,) = read(EXTRACTOR, stored(tmp_path, photograph(), "image/jpeg"))
    assert found.metadata["orientation"] == 6
    assert found.metadata["taken"] == "2024:03:14 22:10:00"
    assert found.metadata["hasLocation"] is True
    assert not any("gps" in key.casefold() for key in found.metadata)


def test_pages_of_a_scan_can_be_had_one_by_one(tmp_path: Path) -> None:
    source = stored(tmp_path, tiff(3), "image/tiff")
    assert EXTRACTOR.scan(source).pages == 3
    assert [each.ref.location for each in read(EXTRACTOR, source)] == ["page:1", "page:2", "page:3"]
    (second,) = read(EXTRACTOR, source, ExtractionScope(pages=frozenset({1})))
    element = EXTRACTOR.element(source, second.ref.location)
    assert element.media_type == "image/png"
    assert Image.open(io.BytesIO(element.data)).size == (11, 20)
    with pytest.raises(NotFound):
        EXTRACTOR.element(source, "page:4")


@pytest.mark.parametrize("size", [(30_000, 30_000), (2_000_000_000, 2_000_000_000)])
def test_pictures_that_would_fill_the_memory_are_refused(tmp_path: Path, size: tuple[int, int]) -> None:
    with pytest.raises(DocumentTooLarge, match="million pixels"):
        EXTRACTOR.scan(stored(tmp_path, png(*size), "image/png"))


@pytest.mark.parametrize("content", [b"", b"no picture", png()[:20], b"GIF89a"])
def test_what_is_no_picture_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(DamagedDocument):
        EXTRACTOR.scan(stored(tmp_path, content, "image/png"))


def test_pictures_of_telephones_say_their_size(tmp_path: Path) -> None:
    boxes = b"".join(b"ispe\0\0\0\0" + struct.pack(">II", *size) for size in ((160, 120), (4032, 3024)))
    (found,) = read(EXTRACTOR, stored(tmp_path, b"\0\0\0\x18ftypheic" + b"\0" * 12 + boxes, "image/heic"))
    assert (found.metadata["width"], found.metadata["height"]) == (4032, 3024)
