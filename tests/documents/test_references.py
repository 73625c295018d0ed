"""What a question points at, in five languages, and nothing where nothing is meant."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as some

from workroom.documents.references import MOST_PAGES, PartReferences, document_references, mentions, part_references

CALLS_OF_MINUTES = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (2, 2))
from workroom.documents.references import document_references, part_references
part_references(sys.argv[1] * 20_000)
document_references("@a.pdf " + sys.argv[1] * 20_000)
"""


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
        ("@报告.pdf的第3页", ["报告.pdf"]),
        ("@报告.v2最终.pdf", ["报告.v2最终.pdf"]),
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
    assert part_references(text).pages == pages


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Summarise chapter 3", PartReferences(chapters=("3",))),
        ("Fasse Kapitel 2.1 zusammen", PartReferences(chapters=("2.1",))),
        ('chapter "Methods and data"', PartReferences(chapters=("Methods and data",))),
        ("résume le chapitre 4", PartReferences(chapters=("4",))),
        ("o capítulo 5", PartReferences(chapters=("5",))),
        ("总结第3章", PartReferences(chapters=("3",))),
        ("sheet Q4", PartReferences(sheets=("Q4",))),
        ("im Tabellenblatt „Umsatz 2025“", PartReferences(sheets=("Umsatz 2025",))),
        ("slide 7 and slides 9-10", PartReferences(slides=(7, 9, 10))),
        ("Folie 2", PartReferences(slides=(2,))),
        ("nothing at all", PartReferences()),
    ],
)
def test_chapters_sheets_and_slides(text: str, expected: PartReferences) -> None:
    assert part_references(text) == expected


def test_a_name_is_no_place() -> None:
    assert part_references('@"page 3.pdf"').is_empty
    assert mentions('@"page 3.pdf"')[0].name == "page 3.pdf"


@pytest.mark.requirement("J4")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what is on page 47 of @a.pdf?", {"a.pdf": (47,)}),
        ("@a.pdf: what is on page 47?", {"a.pdf": (47,)}),
        ("@报告.pdf的第3页写了什么", {"报告.pdf": (3,)}),
        ("compare page 3 of @a.pdf with page 5 of @b.pdf", {"a.pdf": (3,), "b.pdf": (5,)}),
        ("@a.pdf page 3, @b.pdf page 5", {"a.pdf": (3,), "b.pdf": (5,)}),
        ("page 3 of @a.pdf and @b.pdf", {"a.pdf": (3,), "b.pdf": (3,)}),
        ("page 3 of @a.pdf and then page 9 of @a.pdf", {"a.pdf": (3, 9)}),
        ("compare @a.pdf and @b.pdf, page 7", {"a.pdf": (7,), "b.pdf": (7,)}),
        ("compare @a.pdf and @b.pdf", {"a.pdf": (), "b.pdf": ()}),
    ],
)
def test_which_place_belongs_to_which_name(text: str, expected: dict[str, tuple[int, ...]]) -> None:
    assert {item.mention.name: item.parts.pages for item in document_references(text)} == expected


def test_a_range_without_end_has_one() -> None:
    assert len(part_references("pages 1-99999").pages) == MOST_PAGES


@given(some.text(max_size=400))
def test_any_text_is_read(text: str) -> None:
    found = part_references(text)
    assert all(page > 0 for page in found.pages)
    assert all(mention.name.strip() for mention in mentions(text))
    assert [item.mention for item in document_references(text)] == mentions(text)


@pytest.mark.parametrize("pasted", [" ", "1,", "1 and "])
def test_a_pasted_table_of_numbers_does_not_stop_everybody(pasted: str) -> None:
    """The event loop of the worker stands still meanwhile, and every run in it loses its lease. Counted in processor time."""
    done = subprocess.run([sys.executable, "-c", CALLS_OF_MINUTES, pasted], check=False, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
