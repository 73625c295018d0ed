"""Headings by their looks."""

from __future__ import annotations

from workroom.documents.headings import DetectedHeading, HeadingFinder

BODY = "Running text in the size in which most of the document is set, without anything special"


def found(*lines: tuple[str, float, bool], pages: int = 1) -> list[DetectedHeading]:
    """Lines with their size and weight, one below the other, twenty lines of body text after each."""
    finder = HeadingFinder()
    for number, (text, size, bold) in enumerate(lines):
        finder.see(text, size, bold, number, 0.3, 0.02)
        for line in range(20):
            finder.see(BODY, 10, False, number, 0.4 + line * 0.02, 0.015)
    return finder.headings(pages)


def titles(*lines: tuple[str, float, bool]) -> list[tuple[int, str]]:
    return [(one.level, one.title) for one in found(*lines)]


def test_larger_text_ranks_by_its_size() -> None:
    lines = [("The whole", 24.0, True), ("A part", 16.0, True), ("A detail", 12.0, False), ("Another part", 16.0, True)]
    assert titles(*lines) == [(1, "The whole"), (2, "A part"), (3, "A detail"), (2, "Another part")]


def test_numbers_say_the_level_themselves() -> None:
    lines = [("1 Aims", 14.0, True), ("1.1 Money", 14.0, True), ("1.1.1 Loans", 14.0, True), ("Kapitel 2", 14.0, True)]
    assert [level for level, _ in titles(*lines)] == [1, 2, 3, 1]


def test_bold_in_the_size_of_the_body_is_a_heading_when_short() -> None:
    assert titles(("In short", 10.0, True)) == [(1, "In short")]
    assert titles((BODY + " at all, really and truly", 10.0, True)) == []


def test_sentences_leaders_and_signs_are_none() -> None:
    lines = [
        ("It ended there.", 14.0, False),
        ("Aims ........ 12", 14.0, True),
        ("* * *", 14.0, True),
        ("17", 20.0, True),
    ]
    assert titles(*lines) == []


def test_what_stands_on_every_page_is_none() -> None:
    assert found(*[(f"Report {number}", 14.0, True) for number in range(5)], pages=5) != []
    finder = HeadingFinder()
    for page in range(6):
        finder.see(f"Report, page {page}", 14, True, page, 0.03, 0.02)
        finder.see("Our company", 14, True, page, 0.5, 0.02)
        finder.see(BODY, 10, False, page, 0.6, 0.02)
    assert finder.headings(6) == []


def test_lines_of_one_heading_are_joined() -> None:
    finder = HeadingFinder()
    for number in range(30):
        finder.see(BODY, 10, False, 0, 0.3 + number * 0.01, 0.01)
    finder.see("A title that runs", 18, True, 1, 0.10, 0.02)
    finder.see("over two lines", 18, True, 1, 0.13, 0.02)
    assert [one.title for one in finder.headings(2)] == ["A title that runs over two lines"]


def test_chinese_and_accented_letters_count() -> None:
    assert titles(("第一章 引言", 16.0, True), ("Überblick", 16.0, True)) == [(1, "第一章 引言"), (1, "Überblick")]
