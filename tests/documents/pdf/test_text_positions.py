"""Where words stand on a page, and where a text is found."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from tests.documents.pdf.making import HEIGHT, WIDTH, Page, PdfMaker, one_page
from workroom.core.errors import InvalidInput, NotFound
from workroom.documents.extractors.pdf import EXTRACTOR
from workroom.documents.types import PlaceOnPage


def inside(place: PlaceOnPage, x: float, y: float) -> bool:
    return place.x <= x <= place.x + place.width and place.y <= y <= place.y + place.height


def test_lines_have_their_places(tmp_path: Path) -> None:
    page = Page().text(60, 100, "First line of words").text(60, 130, "left").text(400, 130, "right")
    found = EXTRACTOR.page_text(one_page(tmp_path / "a.pdf", page), 0)
    assert (found.width, found.height) == (WIDTH, HEIGHT)
    assert [line.text for line in found.lines] == ["First line of words", "left", "right"]
    first, left, right = found.lines
    assert inside(first, 62, 97)
    assert 80 < first.width < 120
    assert 8 < first.height < 18
    assert inside(left, 62, 127)
    assert inside(right, 402, 127)


@pytest.mark.parametrize(
    ("turned", "x", "y"), [(90, HEIGHT - 100, 62), (180, WIDTH - 62, HEIGHT - 100), (270, 100, WIDTH - 62)]
)
def test_a_turned_page_is_seen_as_people_see_it(tmp_path: Path, turned: int, x: float, y: float) -> None:
    page = Page(rotate=turned).text(60, 100, "Words")
    document = one_page(tmp_path / "a.pdf", page)
    found = EXTRACTOR.page_text(document, 0)
    assert (found.width, found.height) == ((WIDTH, HEIGHT) if turned == 180 else (HEIGHT, WIDTH))
    (line,) = found.lines
    assert line.text == "Words"
    assert inside(line, x, y) or inside(line, x - 3, y) or inside(line, x + 3, y)
    (hit,) = EXTRACTOR.find(document, "words")
    assert abs(hit.boxes[0].x - line.x) < 6
    assert abs(hit.boxes[0].y - line.y) < 6


def test_the_number_of_lines_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workroom.documents.extractors.pdf.text_positions.MAX_LINES", 3)
    document = one_page(tmp_path / "a.pdf", Page().lines(60, 100, [f"line {number}" for number in range(9)]))
    assert len(EXTRACTOR.page_text(document, 0).lines) == 3


@pytest.mark.requirement("I5")
def test_links_have_their_places(tmp_path: Path) -> None:
    page = Page().text(60, 100, "our report").text(60, 130, "see chapter 2").text(60, 160, "see the end")
    page.link(58, 100, 60, "https://example.org/report").jump(58, 130, 80, 1).jump(58, 160, 80, 2, by_action=True)
    found = EXTRACTOR.page_text(PdfMaker([page, Page(), Page()]).save(tmp_path / "a.pdf"), 0)
    assert [(link.address, link.page_index) for link in found.links] == [
        ("https://example.org/report", None),
        (None, 1),
        (None, 2),
    ]
    for link, line in zip(found.links, found.lines, strict=True):
        assert inside(link, line.x + 5, line.y + 5)


def test_a_turned_page_has_its_links_where_people_see_them(tmp_path: Path) -> None:
    page = Page(rotate=90).text(60, 100, "Words").link(58, 100, 40, "https://example.org/")
    found = EXTRACTOR.page_text(one_page(tmp_path / "a.pdf", page), 0)
    (link,), (line,) = found.links, found.lines
    assert inside(link, line.x + line.width / 2, line.y + line.height / 2)


@pytest.mark.parametrize("address", ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x"])
def test_a_link_that_does_more_than_lead_somewhere_is_left_out(tmp_path: Path, address: str) -> None:
    assert EXTRACTOR.page_text(one_page(tmp_path / "a.pdf", Page().link(58, 100, 40, address)), 0).links == []


def test_a_link_to_a_page_that_is_not_there_is_left_out(tmp_path: Path) -> None:
    page = Page().jump(58, 100, 40, 7).jump(58, 130, 40, -1)
    assert EXTRACTOR.page_text(one_page(tmp_path / "a.pdf", page), 0).links == []


def test_a_link_reaches_no_farther_than_its_page(tmp_path: Path) -> None:
    page = Page().link(-500, 100, 9_000, "https://example.org/").link(-500, 130, 40, "https://example.org/")
    (link,) = EXTRACTOR.page_text(one_page(tmp_path / "a.pdf", page), 0).links
    assert (link.x, link.width) == (0, WIDTH)


def test_the_number_of_links_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workroom.documents.extractors.pdf.text_positions.MAX_LINKS", 3)
    page = Page()
    for number in range(9):
        page.jump(58, 100 + 20 * number, 40, 0)
    assert len(EXTRACTOR.page_text(one_page(tmp_path / "a.pdf", page), 0).links) == 3


def test_there_is_no_page_beyond_the_last(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        EXTRACTOR.page_text(one_page(tmp_path / "a.pdf", Page()), 1)


def test_hits_come_page_by_page_with_their_places(tmp_path: Path) -> None:
    pages = [Page().text(60, 100, "nothing"), Page().text(60, 100, "A Needle here").text(60, 300, "needle")]
    hits = list(EXTRACTOR.find(PdfMaker(pages).save(tmp_path / "a.pdf"), "NEEDLE"))
    assert [(hit.part, hit.match) for hit in hits] == [("page:2", "Needle"), ("page:2", "needle")]
    assert hits[0].before == "A "
    assert hits[0].after.startswith(" here")
    assert inside(hits[0].boxes[0], 75, 97)
    assert inside(hits[1].boxes[0], 70, 297)


def test_a_text_that_goes_over_a_line_has_two_places(tmp_path: Path) -> None:
    document = one_page(tmp_path / "a.pdf", Page().lines(60, 100, ["some words about Lake", "Constance and others"]))
    (hit,) = EXTRACTOR.find(document, "lake constance")
    assert hit.match == "Lake Constance"
    assert [round(box.y / 13) for box in hit.boxes] == [7, 8]


def test_a_word_that_is_cut_at_the_end_of_a_line_is_found(tmp_path: Path) -> None:
    document = one_page(tmp_path / "a.pdf", Page().lines(60, 100, ["this is the docu-", "mentation of it"]))
    (hit,) = EXTRACTOR.find(document, "documentation")
    assert len(hit.boxes) == 2


def test_no_page_is_read_beyond_what_is_wanted(tmp_path: Path, loaded: list[int]) -> None:
    document = PdfMaker([Page().text(60, 100, "needle") for _ in range(20)]).save(tmp_path / "a.pdf")
    assert len(list(islice(EXTRACTOR.find(document, "needle"), 3))) == 3
    assert loaded == [0, 1, 2]


def test_what_cannot_be_looked_for_is_said(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        list(EXTRACTOR.find(one_page(tmp_path / "a.pdf", Page()), " "))
