"""Links of a page: written into its text, or listed after it where they stand on no text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.making import read
from tests.documents.pdf.making import BOLD, HEIGHT, Page, PdfMaker
from workroom.documents.extractors.pdf import EXTRACTOR
from workroom.documents.extractors.pdf.links import MOST
from workroom.documents.types import ContentObject

SITE = "https://example.org/report"


def objects(folder: Path, page: Page) -> list[ContentObject]:
    return read(EXTRACTOR, PdfMaker([page]).save(folder / "links.pdf"))


def test_only_the_words_below_a_link_lead_there(tmp_path: Path) -> None:
    page = Page().text(60, 60, "Please read").text(130, 60, "our report").text(200, 60, "by Friday.")
    (found,) = objects(tmp_path, page.link(128, 60, 60, SITE))
    assert found.text == f"Please read [our report]({SITE}) by Friday."
    assert found.metadata["links"] == [SITE]


def test_what_was_quoted_with_its_links_is_found_on_its_page(tmp_path: Path) -> None:
    page = Page().text(60, 60, "Please read").text(130, 60, "our report").text(200, 60, "by Friday.")
    source = PdfMaker([page.link(128, 60, 60, SITE)]).save(tmp_path / "links.pdf")
    (said,) = read(EXTRACTOR, source)
    for quoted in (said.text, said.text[: said.text.index("report)")]):  # whole, and cut within the address
        (hit,) = EXTRACTOR.find(source, quoted, 0)
        assert hit.match.startswith("Please read our report")
        assert hit.boxes


def test_a_link_over_two_lines_is_one(tmp_path: Path) -> None:
    page = Page().lines(60, 60, ["our yearly report", "in two lines"])
    for y in (60, 74):
        page.link(58, y, 200, SITE)
    (found,) = objects(tmp_path, page)
    assert found.text == f"[our yearly report\nin two lines]({SITE})"


def test_two_links_side_by_side_are_two(tmp_path: Path) -> None:
    page = Page().text(60, 60, "first").text(90, 60, "second")
    page.link(58, 60, 27, f"{SITE}/1").link(88, 60, 40, f"{SITE}/2")
    (found,) = objects(tmp_path, page)
    assert found.text == f"[first]({SITE}/1) [second]({SITE}/2)"


@pytest.mark.parametrize(
    ("words", "address"),
    [
        ("https://example.org/report", SITE),
        ("example.org/report", SITE),
        ("www.example.org", "http://www.example.org/"),
        ("a@example.org", "mailto:a@example.org"),
    ],
)
def test_an_address_that_is_written_out_is_not_said_twice(words: str, address: str, tmp_path: Path) -> None:
    (found,) = objects(tmp_path, Page().text(60, 60, words).link(58, 60, 6 * len(words), address))
    assert found.text == words
    assert found.metadata["links"] == [address]


def test_the_end_of_a_sentence_is_not_part_of_its_last_link(tmp_path: Path) -> None:
    (found,) = objects(tmp_path, Page().text(60, 60, "report.").link(58, 60, 60, SITE))
    assert found.text == f"[report]({SITE})."


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "vbscript:x",
        "JavaScript:x",
        " javascript:x",
        "//host/x",
        "x" * 50,
        "https://example.org/" + "x" * 2_000,
        "https://example.org/a b",
        "",
    ],
)
def test_addresses_that_do_more_than_lead_somewhere_are_dropped(address: str, tmp_path: Path) -> None:
    escaped = address.replace("(", "\\(").replace(")", "\\)")
    (found,) = objects(tmp_path, Page().text(60, 60, "Click here").link(58, 60, 100, escaped))
    assert found.text == "Click here"
    assert "links" not in found.metadata


def test_a_bracket_in_an_address_does_not_end_the_link(tmp_path: Path) -> None:
    page = Page().text(60, 60, "Rust").link(58, 60, 100, "https://example.org/Rust_\\(language\\)")
    (found,) = objects(tmp_path, page)
    assert found.text == "[Rust](https://example.org/Rust_%28language%29)"


def test_links_on_tables_and_pictures_are_listed_after_the_page(tmp_path: Path) -> None:
    page = Page().text(60, 60, "Prices").grid([60, 160, 260], [100, 120, 140, 160])
    for row, y in enumerate((114, 134, 154)):
        page.text(66, y, f"Item {row}").text(166, y, str(row * 10))
    page.link(62, 134, 90, SITE).picture(60, 300, 200, 100).link(60, 350, 100, f"{SITE}/picture")
    found = objects(tmp_path, page)
    assert [item.text for item in found if item.metadata.get("role") == "links"] == [
        f"[Item 1]({SITE})\n{SITE}/picture"
    ]
    assert found[-1].ref.location == "page:1/links"
    table = next(item for item in found if item.metadata.get("table"))
    assert SITE not in table.text


def test_a_heading_stays_as_it_is_written(tmp_path: Path) -> None:
    """Sections are found by their titles."""
    page = Page().text(60, 60, "Results", 22, BOLD).link(58, 60, 100, SITE)
    page.lines(60, 120, ["What was found in the end", "is told in this chapter."])
    heading, _ = objects(tmp_path, page)
    assert (heading.text, heading.metadata["links"]) == ("Results", [SITE])


def test_a_rectangle_may_be_given_from_any_corner(tmp_path: Path) -> None:
    page = Page().text(60, 60, "our report")
    rect = f"[200 {HEIGHT - 50} 58 {HEIGHT - 62}]"
    page.annotations.append(f"<< /Type /Annot /Subtype /Link /Rect {rect} /A << /S /URI /URI ({SITE}) >> >>")
    (found,) = objects(tmp_path, page)
    assert found.text == f"[our report]({SITE})"


def test_no_more_links_are_read_than_anybody_makes(tmp_path: Path) -> None:
    page = Page().text(60, 60, "Click")
    for number in range(MOST + 100):
        page.link(400, 400, 10, f"{SITE}/{number}")
    listed = objects(tmp_path, page)[-1]
    assert len(listed.text.splitlines()) == MOST
