"""Files that are small and become large: every kind of container, office file and picture, read as in production (S11).

Whatever a bomb does, it costs its own reading: it is refused with a sentence, or read within the limits; afterwards the
next document is read as if nothing had happened.
"""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
import zlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.documents.making import png, stored
from tests.documents.samples import MEDIA_TYPES, parts_of
from workroom.documents.errors import ContainerLimitError, DocumentError, DocumentTooLarge
from workroom.documents.types import SourceFile
from workroom.documents.workers.parsers import Parsers

MEGABYTE = 1 << 20
UNPACKED = 100 * MEGABYTE
SECONDS = 2

# The part that is read first, where its content begins, and what is said there again and again.
OFFICE = {
    "docx": ("word/document.xml", b"<w:body>", b"<w:p><w:r><w:t>x</w:t></w:r></w:p>"),
    "odt": ("content.xml", b"<office:text>", b"<text:p>x</text:p>"),
    "pptx": ("ppt/slides/slide1.xml", b"<p:spTree>", b"<p:sp><p:txBody><a:p/></p:txBody></p:sp>"),
    "odp": ("content.xml", b"<office:presentation>", b"<draw:page/>"),
    "xlsx": ("xl/sharedStrings.xml", b"main\">", b"<si><t>xxxxxxxxxxxxxxxxxxxxxxxx</t></si>"),
    "ods": ("content.xml", b'table:name="S">', b"<table:table-row><table:table-cell/></table:table-row>"),
    "epub": ("book/two.xhtml", b"<body>", b"<p>x</p>"),
}  # fmt: skip


@pytest.fixture
async def parsers() -> AsyncIterator[Parsers]:
    async with Parsers(processes=1, memory_mb=400, seconds=SECONDS) as made:
        yield made


async def assert_survived(parsers: Parsers, source: SourceFile) -> list[str]:
    """The sentences with which it was refused, if it was."""
    said: list[str] = []
    try:
        await parsers.scan(source)
    except DocumentError as refused:
        said.append(refused.message)
    try:
        size = sum([len(found.text) async for found in parsers.extract(source)])
        assert size <= UNPACKED
    except DocumentError as refused:
        said.append(refused.message)
    assert all(len(message) > 20 for message in said)
    text = stored(source.path.parent, "still there", "text/plain", "after.txt")
    assert [found.text async for found in parsers.extract(text)] == ["still there"]
    return said


def swollen(parts: dict[str, bytes], part: str, after: bytes, filler: bytes) -> bytes:
    """The package with one part that has the filler so often that it unpacks to more than is allowed."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in parts.items():
            with archive.open(name, "w") as stream:
                if name != part:
                    stream.write(content)
                    continue
                head, found, tail = content.partition(after)
                assert found, content[:500]
                stream.write(head + found)
                block = filler * (MEGABYTE // len(filler))
                for _ in range(UNPACKED // MEGABYTE):
                    stream.write(block)
                stream.write(tail)
    return made.getvalue()


@pytest.mark.parametrize("kind", OFFICE)
async def test_an_office_file_that_unpacks_to_too_much(kind: str, parsers: Parsers, tmp_path: Path) -> None:
    data = swollen(parts_of(kind, tmp_path), *OFFICE[kind])
    assert len(data) < UNPACKED / 50
    bomb = stored(tmp_path, data, MEDIA_TYPES[kind], f"bomb.{kind}")
    await assert_survived(parsers, bomb)
    if kind == "odp":  # whose one part is read whole, however long that takes
        async with Parsers(processes=1, memory_mb=400, seconds=60) as patient:
            assert "more than can be read" in (await assert_survived(patient, bomb))[0]


@pytest.mark.parametrize("kind", ["docx", "odt", "pptx", "odp", "xlsx", "ods", "epub"])
async def test_an_office_file_of_too_many_parts(kind: str, parsers: Parsers, tmp_path: Path) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in parts_of(kind, tmp_path).items():
            archive.writestr(name, content)
        for number in range(21_000):
            archive.writestr(f"x/{number}", b"")
    await assert_survived(parsers, stored(tmp_path, made.getvalue(), MEDIA_TYPES[kind], f"many.{kind}"))


def deep(depth: int) -> Iterator[tuple[str, bytes]]:
    yield "text/html", b"<div>" * depth
    yield "application/xml", b"<x>" * depth
    yield "application/json", b"[" * depth
    yield "text/markdown", b"> " * depth
    yield "application/rtf", b"{\\rtf1 " + b"{" * depth


@pytest.mark.parametrize(("media_type", "data"), list(deep(500_000)), ids=lambda value: str(value)[:20])
async def test_nesting_without_end(media_type: str, data: bytes, parsers: Parsers, tmp_path: Path) -> None:
    await assert_survived(parsers, stored(tmp_path, data, media_type, "deep"))


async def test_a_stream_in_a_pdf_that_unpacks_to_too_much(parsers: Parsers, tmp_path: Path) -> None:
    packer = zlib.compressobj(1)
    packed = b"".join(packer.compress(b"(x) Tj " * 150_000) for _ in range(400)) + packer.flush()
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R >>",
        b"<< /Filter /FlateDecode /Length %d >>\nstream\n%b\nendstream" % (len(packed), packed),
    ]
    body = b"".join(b"%d 0 obj\n%b\nendobj\n" % (number, part) for number, part in enumerate(parts, start=1))
    data = b"%PDF-1.7\n" + body + b"trailer << /Root 1 0 R /Size 5 >>\n%%EOF\n"
    await assert_survived(parsers, stored(tmp_path, data, "application/pdf", "bomb.pdf"))


@pytest.mark.parametrize("size", [(60_000, 60_000), (2_000_000_000, 2)])
async def test_a_picture_of_too_many_pixels(size: tuple[int, int], parsers: Parsers, tmp_path: Path) -> None:
    assert await assert_survived(parsers, stored(tmp_path, png(*size), "image/png", "bomb.png"))


def archives() -> Iterator[tuple[str, str, bytes]]:
    zeros = b"\0" * (200 * MEGABYTE)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for number in range(3):
            archive.writestr(f"{number}.bin", zeros)
    yield "application/zip", "bomb.zip", made.getvalue()
    yield "application/gzip", "bomb.gz", gzip.compress(zeros, 1) * 6
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w:gz", compresslevel=1) as packed:
        for number in range(3):
            info = tarfile.TarInfo(f"{number}.bin")
            info.size = len(zeros)
            packed.addfile(info, io.BytesIO(zeros))
    yield "application/gzip", "bomb.tar.gz", tar.getvalue()


async def test_archives_that_unpack_to_too_much(tmp_path: Path) -> None:
    """Nothing of them stays on the disk. They have more time: what ends them is how much there is."""
    into = tmp_path / "into"
    into.mkdir()
    async with Parsers(processes=1, memory_mb=400, seconds=60) as parsers:
        for media_type, name, data in archives():
            source = stored(tmp_path, data, media_type, name)
            with pytest.raises((ContainerLimitError, DocumentTooLarge)):
                async for _ in parsers.walk(source, into):
                    pass
            assert list(into.iterdir()) == [], name
