"""Structure of DOCX: headings whatever they are called, sections, pages, counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.docx.making import STRICT, docx, p, picture, read, run, table
from workroom.documents.extractors.docx import EXTRACTOR

MARK = "<w:r><w:lastRenderedPageBreak/></w:r>"
BY_HAND = '<w:r><w:br w:type="page"/></w:r>'


def style(id_: str, name: str, more: str = "", based_on: str = "") -> str:
    base = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    return f'<w:style w:type="paragraph" w:styleId="{id_}"><w:name w:val="{name}"/>{base}{more}</w:style>'


@pytest.mark.requirement("I1")
def test_headings_make_contents_and_sections(tmp_path: Path) -> None:
    body = p("Before") + p("One", "H1") + p("text") + p("One one", "H2") + p("text") + p("Two", "H1") + p("text")
    structure = EXTRACTOR.scan(docx(tmp_path, body))
    assert [(entry.level, entry.title) for entry in structure.toc] == [(1, "One"), (2, "One one"), (1, "Two")]
    assert [(one.id, one.first, one.last) for one in structure.sections] == [("s1", 2, 5), ("s1.1", 4, 5), ("s2", 6, 7)]


@pytest.mark.parametrize(
    "styles",
    [
        style("X", "heading 2"),
        style("berschrift2", "Überschrift 2"),
        style("X", "Titre 2"),
        style("X", "标题 2"),
        style("X", "My own", '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>'),
        style("X", "Mine", based_on="Y") + style("Y", "heading 2"),
    ],
)
def test_a_heading_is_known_by_name_level_or_descent(tmp_path: Path, styles: str) -> None:
    id_ = styles.split('styleId="')[1].split('"')[0]
    structure = EXTRACTOR.scan(docx(tmp_path, p("Title", id_) + p("text"), styles=styles))
    assert [(entry.level, entry.title) for entry in structure.toc] == [(2, "Title")]


def test_styles_that_are_based_on_each_other_in_a_circle_end(tmp_path: Path) -> None:
    styles = style("A", "a", based_on="B") + style("B", "b", based_on="A")
    assert EXTRACTOR.scan(docx(tmp_path, p("Text", "A"), styles=styles)).toc == []


def test_without_heading_styles_looks_tell(tmp_path: Path) -> None:
    bold = '<w:b/><w:sz w:val="32"/>'
    prose = p("Running text that goes on and on, as running text does, for as long as it likes to go on.") * 4
    body = p(inside=run("First part", bold)) + prose + p(inside=run("Second part", bold)) + prose
    document = docx(tmp_path, body)
    assert [entry.title for entry in EXTRACTOR.scan(document).toc] == ["First part", "Second part"]
    found = read(document, sections=frozenset({"s2"}))
    assert found[0].text == "# Second part"


def test_the_numbers_of_headings_are_part_of_them(tmp_path: Path) -> None:
    numbering = (
        'numbering|<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1"/>'
        '</w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )
    styles = style("A", "heading 1", '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>') + style(
        "B", "heading 2", '<w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr>'
    )
    body = p("Aims", "A") + p("Means", "A") + p("People", "B") + p("Money", "B") + p("Ends", "A")
    document = docx(
        tmp_path, body, styles=styles, parts={"word/numbering.xml": numbering}, rNum=("numbering", "numbering.xml")
    )
    titles = [entry.title for entry in EXTRACTOR.scan(document).toc]
    assert titles == ["1 Aims", "2 Means", "2.1 People", "2.2 Money", "3 Ends"]


def test_pages_are_where_word_last_saw_them(tmp_path: Path) -> None:
    body = (
        p("On page one")
        + p(inside=MARK + run("On page two"))
        + p(inside=run("Still two") + BY_HAND)
        + p(inside=MARK + run("On page three, marked twice"))
        + p("Three", "H1", inside=picture())
        + table(["a", "b"])
    )
    document = docx(tmp_path, body)
    structure = EXTRACTOR.scan(document)
    assert structure.pages == 3
    assert not structure.notes
    assert structure.page_map[2].headings == ["Three"]
    assert [page.has_images for page in structure.page_map] == [False, False, True]
    assert [page.has_table for page in structure.page_map] == [False, False, True]
    assert structure.sections[0].start_page == 2
    assert [found.text for found in read(document, pages=frozenset({1}))] == ["On page two\n\nStill two"]


def test_without_marks_pages_are_estimated_and_it_is_said(tmp_path: Path) -> None:
    document = docx(tmp_path, p("word " * 400) * 20)
    structure = EXTRACTOR.scan(document)
    assert structure.pages is not None
    assert 8 < structure.pages < 20
    assert "estimated" in structure.notes[0]
    assert 0 < len(read(document, pages=frozenset({3}))) < len(read(document))


def test_a_break_before_everything_makes_no_empty_page(tmp_path: Path) -> None:
    document = docx(tmp_path, p(properties="<w:pageBreakBefore/>", inside=MARK + run("Text")))
    assert EXTRACTOR.scan(document).pages == 1


def test_the_strict_dialect_is_read_as_well(tmp_path: Path) -> None:
    document = docx(tmp_path, p("One", "H1") + p("text"), word=STRICT)
    assert [entry.title for entry in EXTRACTOR.scan(document).toc] == ["One"]
