"""What a question points at, in five languages, and nothing where nothing is meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from workroom.documents.references import MOST_PAGES, Places, mentions, places


@pytest.mark.requirement("J4")
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Compare @report.pdf with @archive.zip.", ["report.pdf", "archive.zip"]),
        ("Was steht in @Verträge/ und @Jahresbericht_2025.docx?", ["Verträge/", "Jahresbericht_2025.docx"]),
        ('Look at @"my report (final).pdf", please', ["my report (final).pdf"]),
        ("(see @a/b/c.txt)", ["a/b/c.txt"]),
        ("@x.md @x.md", ["x.md"]),
        ("write to ann@example.org, @ nobody", []),
        ("报告@销售.xlsx 的内容", ["销售.xlsx"]),
        ("请看 @销售.xlsx 的内容", ["销售.xlsx"]),
    ],
)
def test_names_after_an_at(text: str, names: list[str]) -> None:
    assert [mention.name for mention in mentions(text)] == names


def test_a_folder_ends_with_a_slash() -> None:
    assert [mention.is_folder for mention in mentions("@a/ @a/b.txt")] == [True, False]


@pytest.mark.requirement("J4")
@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("What is on page 47?", (47,)),
        ("Was steht auf Seite 47?", (47,)),
        ("Seiten 3 bis 5 und 9", (3, 4, 5, 9)),
        ("pages 3-5, 8", (3, 4, 5, 8)),
        ("les pages 2 à 4", (2, 3, 4)),
        ("nas páginas 10 a 12", (10, 11, 12)),
        ("第47页写了什么", (47,)),
        ("看第3到5页", (3, 4, 5)),
        ("S. 12", (12,)),
        ("the homepage 3 of them", ()),
        ("page 0", ()),
        ("on that page", ()),
    ],
)
def test_pages(text: str, pages: tuple[int, ...]) -> None:
    assert places(text).pages == pages


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Summarise chapter 3", Places(chapters=("3",))),
        ("Fasse Kapitel 2.1 zusammen", Places(chapters=("2.1",))),
        ('chapter "Methods and data"', Places(chapters=("Methods and data",))),
        ("résume le chapitre 4", Places(chapters=("4",))),
        ("o capítulo 5", Places(chapters=("5",))),
        ("总结第3章", Places(chapters=("3",))),
        ("sheet Q4", Places(sheets=("Q4",))),
        ("im Tabellenblatt „Umsatz 2025“", Places(sheets=("Umsatz 2025",))),
        ("slide 7 and slides 9-10", Places(slides=(7, 9, 10))),
        ("Folie 2", Places(slides=(2,))),
        ("nothing at all", Places()),
    ],
)
def test_chapters_sheets_and_slides(text: str, expected: Places) -> None:
    assert places(text) == expected


def test_a_name_is_no_place() -> None:
    assert places('@"page 3.pdf"').nowhere
    assert mentions('@"page 3.pdf"')[0].name == "page 3.pdf"


def test_a_range_without_end_has_one() -> None:
    assert len(places("pages 1-99999").pages) == MOST_PAGES


@given(some.text(max_size=400))
def test_any_text_is_read(text: str) -> None:
    found = places(text)
    assert all(page > 0 for page in found.pages)
    assert all(mention.name.strip() for mention in mentions(text))
