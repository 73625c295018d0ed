"""Files that are no PDF, or not any more: refused with a sentence, never with a crash."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.documents.corpus import documents, source
from tests.documents.pdf.making import Bookmark, Page, PdfMaker
from workroom.core.errors import NotFound
from workroom.documents.errors import DamagedDocument, DocumentError, EncryptedDocument
from workroom.documents.extractors.pdf import EXTRACTOR
from workroom.documents.types import ExtractionScope, SourceFile


def whole() -> bytes:
    page = Page().text(60, 60, "Some text").grid([60, 100, 200], [80, 100, 120]).picture(60, 300, 90, 90)
    maker = PdfMaker([page.link(60, 60, 50, "https://example.org"), Page().text(60, 60, "More")])
    maker.bookmarks = [Bookmark("One", 0), Bookmark("Two", 1)]
    maker.attachments = {"a.txt": b"text"}
    return maker.data()


def saved(tmp_path: Path, data: bytes) -> SourceFile:
    path = tmp_path / "file.pdf"
    path.write_bytes(data)
    return source(path, "application/pdf")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"\0\0\n ", "empty"),
        (b"PK\x03\x04 a word processor's file", "is none"),
        (b"%PDF-1.7\nnothing else", "damaged"),
        (whole()[:200], "damaged"),
        (PdfMaker([]).data(), "pages"),
    ],
)
def test_a_refusal_says_what_is_wrong(tmp_path: Path, data: bytes, said: str) -> None:
    document = saved(tmp_path, data)
    with pytest.raises(DamagedDocument, match=said) as refused:
        EXTRACTOR.scan(document)
    assert refused.value.message.startswith("file.pdf")
    with pytest.raises(DamagedDocument):
        list(EXTRACTOR.extract(document, ExtractionScope()))


@pytest.mark.usefixtures("test_data")
@pytest.mark.parametrize("path", [*documents("pdf", under="docling/pdf_password")])
def test_a_password_is_asked_for(path: Path) -> None:
    with pytest.raises(EncryptedDocument, match="password"):
        EXTRACTOR.scan(source(path, "application/pdf"))


@settings(max_examples=150, deadline=None)
@given(
    cut=st.integers(0, 4_000),
    changes=st.lists(st.tuples(st.integers(0, 4_000), st.integers(0, 255)), max_size=12),
)
def test_whatever_is_broken_it_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, cut: int, changes: list[tuple[int, int]]
) -> None:
    data = bytearray(whole())
    for place, value in changes:
        data[place % len(data)] = value
    document = saved(tmp_path_factory.mktemp("broken"), bytes(data[: max(9, len(data) - cut)]))
    with suppress(DocumentError, NotFound):
        structure = EXTRACTOR.scan(document)
        assert structure.pages == len(structure.page_map)
        for found in EXTRACTOR.extract(document, ExtractionScope()):
            found.model_dump_json().encode()
        EXTRACTOR.page_image(document, 0, 50)


def test_a_page_that_is_broken_leaves_the_others(tmp_path: Path) -> None:
    data = whole().replace(b"/Type /Page /Parent", b"/Type /Nope /Parent", 1)
    document = saved(tmp_path, data)
    assert "More" in [found.text for found in EXTRACTOR.extract(document, ExtractionScope())]
