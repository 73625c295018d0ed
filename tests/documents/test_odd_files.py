"""Files as people send them by mistake, of every kind: empty, cut off, under a wrong name, under a very long one."""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.documents.containers.hostile import zipped
from tests.documents.making import png
from tests.documents.pdf.making import Page, PdfMaker
from tests.documents.samples import MEDIA_TYPES, parts_of, saved
from workroom.documents.containers.member_names import MemberNames
from workroom.documents.errors import DamagedDocument, DocumentError
from workroom.documents.kinds import EMPTY, kind_of
from workroom.documents.types import ExtractionScope, SourceFile
from workroom.documents.workers.parsers import Parsers
from workroom.documents.workers.registry import ExtractorRegistry

REGISTRY = ExtractorRegistry()
LONG = "ä" * 251 + ".pdf"  # as many characters as a name may have, and more bytes than a disk takes
PDF = "application/pdf"


@pytest.fixture(scope="module")
async def parsers() -> AsyncIterator[Parsers]:
    async with Parsers(processes=1) as made:
        yield made


def whole(kind: str, folder: Path) -> SourceFile:
    if kind == "pdf":
        return PdfMaker([Page().text(60, 60, "PLACE")]).save(folder / "sample.pdf")
    if kind == "png":
        path = folder / "sample.png"
        path.write_bytes(png())
        return SourceFile(path, path.name, "image/png", path.name)
    return saved(kind, parts_of(kind, folder), folder)


def renamed(source: SourceFile, name: str, media_type: str | None = None) -> SourceFile:
    return SourceFile(source.path, name, media_type or source.media_type, name)


KINDS = [*MEDIA_TYPES, "pdf", "png"]


@pytest.mark.parametrize("media_type", sorted(REGISTRY.media_types))
def test_an_empty_file_is_called_empty_or_is_a_document_without_content(media_type: str, tmp_path: Path) -> None:
    path = tmp_path / "nothing"
    path.write_bytes(b"")
    assert kind_of(path, "nothing.pdf") == EMPTY
    source = SourceFile(path, "nothing", media_type, "nothing")
    extractor = REGISTRY.of(media_type)
    with suppress(DocumentError):
        extractor.scan(source)
    with suppress(DocumentError):
        assert list(extractor.extract(source, ExtractionScope())) == []


async def test_an_empty_file_is_empty_and_not_damaged(parsers: Parsers, tmp_path: Path) -> None:
    path = tmp_path / "report.docx"
    path.write_bytes(b"")
    kind = await parsers.kind(path, path.name)
    structure = await parsers.scan(SourceFile(path, path.name, kind.media_type, path.name))
    assert structure.kind == "empty"
    assert "empty" in structure.notes[0]


async def test_a_pdf_without_pages_says_so(parsers: Parsers, tmp_path: Path) -> None:
    source = PdfMaker([]).save(tmp_path / "none.pdf")
    with pytest.raises(DamagedDocument, match="pages"):
        await parsers.scan(source)
    with pytest.raises(DamagedDocument, match="pages"):
        await parsers.page_image(source, 0, 100)
    with pytest.raises(DamagedDocument, match="pages"):
        await parsers.page_text(source, 0)
    with pytest.raises(DamagedDocument, match="pages"):
        assert [hit async for hit in parsers.find(source, "x")] == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_was_cut_off_is_read_or_refused(kind: str, tmp_path: Path) -> None:
    source = whole(kind, tmp_path)
    data = source.path.read_bytes()
    extractor = REGISTRY.of(source.media_type)
    for part in range(1, 12):
        source.path.write_bytes(data[: len(data) * part // 12])
        with suppress(DocumentError):
            extractor.scan(source)
        with suppress(DocumentError):
            for found in extractor.extract(source, ExtractionScope()):
                assert found.model_dump_json().encode()  # what is half a character has no encoding
                assert found.ref.container_path == source.name


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "name", ["report.pdf", "table.xlsx", "letter.docx", "picture.png", "notes.txt", "page.html", "none"]
)
async def test_under_a_wrong_name_it_is_read_as_what_it_is(
    kind: str, name: str, parsers: Parsers, tmp_path: Path
) -> None:
    source = whole(kind, tmp_path)
    found = await parsers.kind(source.path, name)
    if kind in ("xml", "html", "svg"):  # texts, of which the name may say what they are
        assert found.media_type.split("/")[0] in ("text", "application", "image")
        return
    assert found.media_type == source.media_type
    told = await parsers.scan(renamed(source, name, found.media_type))
    assert told.kind


@pytest.mark.parametrize("kind", KINDS)
def test_taken_for_something_else_it_is_read_or_refused(kind: str, tmp_path: Path) -> None:
    source = whole(kind, tmp_path)
    for media_type in sorted(REGISTRY.media_types - {source.media_type}):
        extractor, other = REGISTRY.of(media_type), renamed(source, source.name, media_type)
        with suppress(DocumentError):
            extractor.scan(other)
        with suppress(DocumentError):
            for found in extractor.extract(other, ExtractionScope()):
                assert found.ref.container_path == source.name


@pytest.mark.parametrize("kind", KINDS)
async def test_a_name_of_255_umlauts(kind: str, parsers: Parsers, tmp_path: Path) -> None:
    source = renamed(whole(kind, tmp_path), LONG)
    assert (await parsers.scan(source)).kind
    assert {found.ref.container_path async for found in parsers.extract(source)} <= {LONG}
    source.path.write_bytes(b"")
    if kind not in ("html", "svg"):  # an empty page is one
        with pytest.raises(DamagedDocument):
            await parsers.scan(source)


def tarred(name: str, content: bytes) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        info = tarfile.TarInfo(name)
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))
    return made.getvalue()


ARCHIVES = {"zip": lambda name, data: zipped({name: data}), "tar": tarred}


@pytest.mark.parametrize("kind", ARCHIVES)
async def test_members_of_archives_with_such_names_can_be_taken_out(
    kind: str, parsers: Parsers, tmp_path: Path
) -> None:
    """Their names are cut to what every disk takes, and keep their ending."""
    content = PdfMaker([Page().text(60, 60, "in an archive")]).data()
    path = tmp_path / "archive"
    path.write_bytes(ARCHIVES[kind](f"Übungen/{LONG}", content))
    source = SourceFile(path, "archive", (await parsers.kind(path, "archive")).media_type, "archive")
    (name,) = [member.path async for member in parsers.members(source) if not member.is_folder]
    assert re.fullmatch(r"Übungen/ä{100,125}\.pdf", name)
    into = tmp_path / "into"
    into.mkdir()
    taken = await parsers.take(source, name, into)
    assert taken.read_bytes() == content
    walked = [found async for found in parsers.walk(source, into) if found.path]
    assert [found.member.path for found in walked] == [name]


def test_names_that_differ_only_where_they_are_cut_stay_apart() -> None:
    names = MemberNames()
    found = [names.unique("ä" * 250 + ending) for ending in ("1.pdf", "2.pdf", "2.pdf")]
    assert len(set(found)) == 3
    assert all(len((name or "").encode()) <= 255 for name in found)
