"""From words to the parts of one document; and an outline of it that stays short."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from workroom.contents.outlines import brief, outline, size_of
from workroom.contents.part_resolution import find_section, resolve_parts
from workroom.contents.parts import PartSelection
from workroom.contents.types import Reading
from workroom.core.ids import new_id
from workroom.core.places import number_ranges
from workroom.documents.references import PartReferences
from workroom.documents.types import Section, SheetInfo, SlideInfo, Structure
from workroom.models.embedded.language import CODES, LANGUAGES
from workroom.models.embedded.outline_words import outline_words

BOOK = Structure(
    kind="pdf",
    pages=100,
    sections=[
        Section(id="s1", title="Preface", level=1, start_page=0, end_page=2),
        Section(id="s2", title="1 Introduction", level=1, start_page=3, end_page=19),
        Section(id="s2.1", title="1.1 Aims", level=2, start_page=3, end_page=9),
        Section(id="s3", title="Chapter 2: Methods and data", level=1, start_page=20, end_page=60),
        Section(id="s3.1", title="3. A numbered list", level=4, start_page=21, end_page=21),
        Section(id="s4", title="3 Results", level=1, start_page=61, end_page=99),
    ],
)
PLAIN = Structure(kind="docx", sections=[Section(id=f"s{n}", title=f"Title {n}", level=1) for n in (1, 2, 3)])


@pytest.mark.requirement("J4")
@pytest.mark.parametrize(
    ("text", "section_id"),
    [
        ("1", "s2"),
        ("2", "s3"),
        ("3", "s4"),
        ("1.1", "s2.1"),
        ("s3", "s3"),
        ("preface", "s1"),
        ("Methods and data", "s3"),
        ("methods", "s3"),
        ("RESULTS", "s4"),
        ("data", "s3"),
        ("4", None),
        ("11", None),
        ("conclusions", None),
        ("", None),
    ],
)
def test_chapters_by_number_or_title(text: str, section_id: str | None) -> None:
    found = find_section(BOOK, text)
    assert (found.id if found else None) == section_id


def test_where_no_title_has_a_number_chapters_are_counted() -> None:
    found = find_section(PLAIN, "2")
    assert found is not None
    assert found.title == "Title 2"


def test_what_is_there_and_what_is_not() -> None:
    found, missing = resolve_parts(BOOK, PartReferences(pages=(47, 48, 900), chapters=("2", "9")))
    assert [(item.place.label, item.selection) for item in found] == [
        ("pages 47-48", PartSelection(pages=(47, 48))),
        ("section s3 “Chapter 2: Methods and data”", PartSelection(sections=("s3",))),
    ]
    assert missing == [
        "It has 100 pages; there is no page 900.",
        "No chapter “9” was found among its headings.",
    ]


def test_slides_are_pages_to_many_and_pages_slides() -> None:
    talk = Structure(kind="pptx", slides=[SlideInfo(slide_index=n) for n in range(5)])
    assert [item.selection for item in resolve_parts(talk, PartReferences(pages=(3,)))[0]] == [
        PartSelection(slides=(3,))
    ]
    assert [item.selection for item in resolve_parts(BOOK, PartReferences(slides=(3,)))[0]] == [
        PartSelection(pages=(3,))
    ]
    assert resolve_parts(Structure(kind="text"), PartReferences(pages=(3,))) == ([], ["It has no pages."])


def test_sheets_by_name_or_number() -> None:
    names = ["Q3", "Umsatz 2025"]
    book = Structure(kind="xlsx", sheets=[SheetInfo(name=name, rows=1, columns=1) for name in names])
    found, missing = resolve_parts(book, PartReferences(sheets=("umsatz 2025", "1", "Q9")))
    assert [item.selection.sheets for item in found] == [("Umsatz 2025",), ("Q3",)]
    assert missing == ["There is no sheet “Q9”; there is “Q3”, “Umsatz 2025”."]
    assert resolve_parts(BOOK, PartReferences(sheets=("of",))) == ([], []), "a sheet of paper is none of a workbook"


@given(some.sets(some.integers(1, 60), min_size=1))
def test_numbers_are_listed_so_that_all_of_them_can_be_read(numbers: set[int]) -> None:
    read = set()
    for span in number_ranges(list(numbers)).split(", "):
        first, _, last = span.partition("-")
        read |= set(range(int(first), int(last or first) + 1))
    assert read == numbers


def reading(structure: Structure) -> Reading:
    return Reading(
        file_id=new_id(),
        version=1,
        inside="",
        name="book.pdf",
        media_type="application/pdf",
        size=1_234_567,
        is_container=False,
        is_text=False,
        structure=structure,
    )


def test_an_outline_names_sections_with_their_pages() -> None:
    lines = outline(reading(BOOK))
    assert lines[0] == "book.pdf: application/pdf, 1.2 MB, 100 pages"
    assert "  s2.1 1.1 Aims (pages 4-10)" in lines
    assert brief(reading(BOOK)) == lines


@pytest.mark.parametrize("code", CODES)
def test_people_read_it_without_the_words_for_models(code: str) -> None:
    language = LANGUAGES[code]
    told = outline_words("\n".join(outline(reading(BOOK))), language)
    assert f"- {language.say('outline.pages', title='1.1 Aims', what='4–10')}" in told
    assert "Sections" not in told
    assert "s2" not in told


def test_a_brief_outline_keeps_the_upper_levels_and_says_that_there_is_more() -> None:
    chapters = [Section(id=f"s{n}", title=f"Chapter {n}", level=1) for n in range(1, 11)]
    below = [Section(id=f"s{n}.{m}", title="Part", level=2) for n in range(1, 11) for m in range(1, 11)]
    lines = brief(reading(BOOK.model_copy(update={"sections": [*chapters, *below]})))
    assert sum("Chapter" in line for line in lines) == 10
    assert not any("Part" in line for line in lines)
    assert lines[-1] == "[100 more lines; browseContainer shows all of them]"


def test_sizes_are_read_easily() -> None:
    assert [size_of(n) for n in (0, 999, 1_000, 1_500_000, 2_000_000_000)] == [
        "0 bytes", "999 bytes", "1.0 kB", "1.5 MB", "2.0 GB",
    ]  # fmt: skip
