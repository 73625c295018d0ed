"""A page or a section alone: what is read for it, and how pages are numbered where the file does not say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.documents.docx.making import docx, p, read, table
from tests.documents.odt import making as odt
from workroom.documents.extractors.docx import EXTRACTOR, body
from workroom.documents.extractors.docx.inline import DocxInline, DocxParagraphReader
from workroom.documents.extractors.odt import EXTRACTOR as ODT

WORDS = "word " * 100
APP = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"


@pytest.fixture
def paragraphs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many paragraphs have been read: one number."""
    count = [0]
    real = DocxParagraphReader.read

    def counted(self: DocxParagraphReader, *arguments: Any) -> DocxInline:
        count[0] += 1
        return real(self, *arguments)

    monkeypatch.setattr(DocxParagraphReader, "read", counted)
    return count


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many blocks each pass over the text has come past."""
    counts: list[int] = []
    real = body._elements

    def counted(document: Any) -> Any:
        counts.append(0)
        for element in real(document):
            counts[-1] += 1
            yield element

    monkeypatch.setattr(body, "_elements", counted)
    return counts


CHAPTERS = "".join(p(f"Chapter {number}", "H1") + p(WORDS) * 20 + table(["a", "b"]) for number in range(10))


@pytest.mark.requirement("I2")
def test_a_section_is_read_without_reading_the_rest(tmp_path: Path, paragraphs: list[int], passes: list[int]) -> None:
    found = read(docx(tmp_path, CHAPTERS), sections=frozenset({"s3"}))
    assert found[0].text == "# Chapter 2"
    assert {each.ref.section_id for each in found} == {"s3"}
    # Headings to know where it is, twice; then its paragraphs and cells, and the heading that follows it.
    assert paragraphs[0] == (10 + 2) + (21 + 2) + 1
    assert passes == [220, 67]  # over the whole file once; then until the first block after the section


def test_a_page_is_read_without_reading_the_rest(tmp_path: Path, paragraphs: list[int], passes: list[int]) -> None:
    document = docx(tmp_path, CHAPTERS)
    found = read(document, pages=frozenset({1}))
    assert {each.ref.page_index for each in found} == {1}
    assert paragraphs[0] < 60
    assert passes[1] < 60


def test_where_looks_make_headings_everything_is_looked_at(tmp_path: Path) -> None:
    document = docx(tmp_path, p(WORDS) * 30)
    whole = {each.ref.location: each.text for each in read(document)}
    page = read(document, pages=frozenset({1}))
    assert page
    assert all(whole[each.ref.location] == each.text for each in page)


def said_pages(number: object) -> dict[str, bytes | str]:
    return {"docProps/app.xml": f'<Properties xmlns="{APP}"><Pages>{number}</Pages></Properties>'.encode()}


def test_an_estimate_is_stretched_to_what_the_file_says(tmp_path: Path) -> None:
    text = p(WORDS) * 200
    alone = EXTRACTOR.scan(docx(tmp_path, text)).pages or 0
    document = docx(tmp_path, text, parts=said_pages(2 * alone))
    structure = EXTRACTOR.scan(document)
    assert structure.pages == 2 * alone
    assert structure.notes == [
        f"This file does not say where its pages end; it says that it has {2 * alone}: page numbers are estimated."
    ]
    assert sum(page.text_length for page in structure.page_map) == 200 * len(WORDS.strip())
    assert len(structure.page_map) == 2 * alone
    last = read(document, pages=frozenset({2 * alone - 1}))
    assert {each.ref.page_index for each in last} == {2 * alone - 1}


@pytest.mark.parametrize("said", [1, 99_999, 0, -3, "many", "9" * 400, "²"])
def test_a_number_that_cannot_be_right_is_not_believed(tmp_path: Path, said: object) -> None:
    text = p(WORDS) * 200
    alone = EXTRACTOR.scan(docx(tmp_path, text)).pages
    structure = EXTRACTOR.scan(docx(tmp_path, text, parts=said_pages(said)))
    assert structure.pages == alone


def test_larger_letters_take_more_pages(tmp_path: Path) -> None:
    text = p(WORDS) * 200

    def pages(half_points: int) -> int:
        size = f'<w:rPr><w:sz w:val="{half_points}"/></w:rPr>'
        styles = f"<w:docDefaults><w:rPrDefault>{size}</w:rPrDefault></w:docDefaults>"
        return EXTRACTOR.scan(docx(tmp_path, text, styles=styles)).pages or 0

    assert pages(16) < pages(22) < pages(32)


def test_the_same_of_open_documents(tmp_path: Path) -> None:
    text = odt.p(WORDS) * 200
    alone = ODT.scan(odt.odt(tmp_path, text)).pages or 0
    meta = (
        '<m xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0">'
        f'<meta:document-statistic meta:page-count="{2 * alone}"/></m>'
    )
    document = odt.odt(tmp_path, text, parts={"meta.xml": meta})
    assert ODT.scan(document).pages == 2 * alone
    assert odt.read(document, pages=frozenset({2 * alone - 1}))
