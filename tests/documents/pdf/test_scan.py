"""The structure of a PDF: contents, headings, sections, page map, counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.pdf.making import BOLD, Bookmark, Page, PdfMaker
from workroom.documents.extractors.pdf import EXTRACTOR

PROSE = [
    "The committee met on the first Monday of every month and",
    "wrote down what it had decided, so that whoever came later",
    "would understand why things had been done as they were done",
    "and not in some other way that may have seemed easier then.",
] * 3


def report() -> list[Page]:
    """Three pages with numbered headings, a header and a page number on each."""
    pages = []
    for number, title in enumerate(["1 Beginnings", "2 The long middle", "3 How it ended"], start=1):
        page = (
            Page().text(60, 30, "Annual report", size=9, font=BOLD).text(300, 820, f"Page {number}", size=9, font=BOLD)
        )
        page.text(60, 90, title, size=18, font=BOLD).lines(60, 130, PROSE)
        page.text(60, 400, f"{number}.1 Details", size=13, font=BOLD).lines(60, 430, PROSE)
        pages.append(page)
    return pages


@pytest.mark.requirement("I1")
def test_headings_by_size_make_contents_and_sections(tmp_path: Path) -> None:
    structure = EXTRACTOR.scan(PdfMaker(report()).save(tmp_path / "report.pdf"))
    assert [(entry.level, entry.title, entry.page_index) for entry in structure.toc] == [
        (1, "1 Beginnings", 0),
        (2, "1.1 Details", 0),
        (1, "2 The long middle", 1),
        (2, "2.1 Details", 1),
        (1, "3 How it ended", 2),
        (2, "3.1 Details", 2),
    ]
    sections = {section.id: section for section in structure.sections}
    assert list(sections) == ["s1", "s1.1", "s2", "s2.1", "s3", "s3.1"]
    assert (sections["s2"].start_page, sections["s2"].end_page) == (1, 1)


def test_what_repeats_at_the_edge_of_pages_is_no_heading(tmp_path: Path) -> None:
    structure = EXTRACTOR.scan(PdfMaker(report()).save(tmp_path / "report.pdf"))
    titles = [title for page in structure.page_map for title in page.headings]
    assert "Annual report" not in titles
    assert not [title for title in titles if title.startswith("Page")]


def test_a_paragraph_in_bold_is_no_heading(tmp_path: Path) -> None:
    page = Page().lines(60, 60, PROSE).lines(60, 300, PROSE[:5], font=BOLD).lines(60, 500, PROSE)
    structure = EXTRACTOR.scan(PdfMaker([page]).save(tmp_path / "bold.pdf"))
    assert structure.sections == []


def test_bold_words_in_one_row_are_cells_and_no_headings(tmp_path: Path) -> None:
    page = Page().lines(60, 60, PROSE)
    for x, word in [(60, "Item"), (250, "Price"), (400, "Number")]:
        page.text(x, 300, word, font=BOLD)
    page.lines(60, 330, PROSE)
    assert EXTRACTOR.scan(PdfMaker([page]).save(tmp_path / "row.pdf")).toc == []


@pytest.mark.requirement("I1")
def test_bookmarks_come_before_looks(tmp_path: Path) -> None:
    maker = PdfMaker(report())
    maker.bookmarks = [
        Bookmark("Opening", 0, children=[Bookmark("In the middle of page 2", 1, y=400)]),
        Bookmark("Closing", 2),
    ]
    structure = EXTRACTOR.scan(maker.save(tmp_path / "marked.pdf"))
    assert [entry.title for entry in structure.toc] == ["Opening", "In the middle of page 2", "Closing"]
    places = [(section.id, section.start_page, section.end_page) for section in structure.sections]
    assert places == [("s1", 0, 1), ("s1.1", 1, 1), ("s2", 2, 2)]
    assert structure.page_map[1].headings == ["2 The long middle", "2.1 Details"]


def test_a_section_ends_on_the_page_on_which_the_next_one_begins_below_its_top(tmp_path: Path) -> None:
    maker = PdfMaker(report())
    maker.bookmarks = [Bookmark("One", 0), Bookmark("Two", 2, y=500)]
    sections = EXTRACTOR.scan(maker.save(tmp_path / "half.pdf")).sections
    assert [(section.start_page, section.end_page) for section in sections] == [(0, 2), (2, 2)]


@pytest.mark.requirement("I1")
def test_the_page_map_says_what_is_on_each_page(tmp_path: Path) -> None:
    table = Page().grid([60, 200, 340, 480], [100, 120, 140, 160])
    for row in range(3):
        for column in range(3):
            table.text(65 + 140 * column, 114 + 20 * row, f"r{row}c{column}")
    pages = [Page().lines(60, 60, PROSE), Page().picture(100, 100, 200, 100), table, Page()]
    structure = EXTRACTOR.scan(PdfMaker(pages).save(tmp_path / "map.pdf"))
    assert [page.has_table for page in structure.page_map] == [False, False, True, False]
    assert [page.has_images for page in structure.page_map] == [False, True, False, False]
    assert structure.page_map[0].text_length > 500
    assert structure.page_map[3].text_length == 0
    assert structure.counts["images"] == 1
    assert structure.counts["pagesWithoutText"] == 2


def test_properties_are_as_the_file_says_them(tmp_path: Path) -> None:
    maker = PdfMaker([Page().text(60, 60, "Text")])
    maker.information = {"Title": "Budget", "Author": "J. Doe", "CreationDate": "D:20230227044202+11'00'"}
    structure = EXTRACTOR.scan(maker.save(tmp_path / "named.pdf"))
    assert structure.properties["title"] == "Budget"
    assert structure.properties["author"] == "J. Doe"
    assert structure.properties["created"] == "2023-02-27T04:42:02+11:00"


@pytest.mark.requirement("I1")
def test_every_page_is_loaded_once(tmp_path: Path, loaded: list[int]) -> None:
    EXTRACTOR.scan(PdfMaker(report()).save(tmp_path / "report.pdf"))
    assert loaded == [0, 1, 2]


def test_bookmarks_of_a_whole_book_on_one_page_of_it_say_nothing(tmp_path: Path) -> None:
    maker = PdfMaker([Page().lines(60, 60, PROSE)])
    maker.bookmarks = [Bookmark(f"Chapter {number}", 0) for number in range(60)]
    assert EXTRACTOR.scan(maker.save(tmp_path / "torn.pdf")).toc == []
