"""Slides made from Markdown, read back by our own extractor, by python-pptx, and as XML."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from pptx import Presentation
from pptx.util import Pt

from tests.documents.making import read, stored, text_of
from tests.documents.writers.making import MARKDOWN, drawn, report, words_in
from workroom.documents.errors import DocumentTooLarge
from workroom.documents.extractors.pptx import EXTRACTOR
from workroom.documents.types import ContentType
from workroom.documents.writers.files import document_of
from workroom.documents.writers.pptx import flow
from workroom.documents.writers.pptx.writer import pptx_of
from workroom.documents.writers.report import MEDIA_TYPES, DocumentFormat

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
PICTURES = {"big.png": drawn(1_600, 1_000)}
DECK = """
# Ausgangslage

Ein *kursiver* **fetter** Satz[^1] mit `code` und [Link](https://example.com/?a=1&b=2) [böse](ftp://x).

- Punkt
  - darunter
    - tiefer

[^1]: Die Fussnote.

> Notes: Kurz innehalten.
>
> Fragen zulassen.

# Strategie

[TOC]

## Zahlen

Tabelle: Umsatz

| Haus | Umsatz |
|:-----|-------:|
| Seehof | 12 |
| **Total** | 12 |

### Zwischentitel

3. Drei
   - Detail
4. Vier

![weg](fehlt.png)

## Bild

Text neben dem Bild.

- eins
- zwei
- drei
- vier
- fünf

![Das Haus](big.png)

## عنوان

مرحبا بكم

```
def x():
    pass
```
"""


def slides(made: bytes) -> list[Any]:
    return list(Presentation(io.BytesIO(made)).slides)


def title_of(slide: Any) -> str:
    return slide.shapes.title.text if slide.shapes.title is not None else ""


def said(made: bytes) -> str:
    return " ".join(text for slide in slides(made) for text in _texts(slide))


def _texts(slide: Any) -> Iterator[str]:
    for shape in slide.shapes:
        if shape.has_text_frame:
            yield shape.text_frame.text
        if shape.has_table:
            yield from (cell.text_frame.text for row in shape.table.rows for cell in row.cells)
        yield shape._element.find(".//{*}cNvPr").get("descr", "")
    if slide.has_notes_slide:
        yield slide.notes_slide.notes_text_frame.text


async def test_our_extractor_reads_back_slides_and_what_is_on_them(tmp_path: Path) -> None:
    """Made in a child process, as the server does it."""
    made = await document_of(report(DECK, "Plan 2027", pictures=PICTURES), DocumentFormat.PPTX)
    source = stored(tmp_path, made, MEDIA_TYPES[DocumentFormat.PPTX], "plan.pptx")
    structure = EXTRACTOR.scan(source)
    assert [slide.title for slide in structure.slides] == [
        "Plan 2027", "Ausgangslage", "Strategie", "Inhalt", "Zahlen", "Bild", "عنوان",
    ]  # fmt: skip
    assert (structure.counts["tables"], structure.counts["images"], structure.counts["notes"]) == (1, 1, 1)
    objects = read(EXTRACTOR, source)
    assert [found.content_type for found in objects].count(ContentType.IMAGE) == 1
    text = text_of(objects)
    for words in (
        "Ein kursiver fetter Satz1 mit code und Link böse.", "- Punkt", "darunter", "1 Die Fussnote.",
        "Kurz innehalten.\nFragen zulassen.",
        "Tabelle 1: Umsatz", "Seehof", "Zwischentitel", "Drei", "Abbildung 1: Das Haus", "[Bild fehlt: weg]", "def x():",
    ):  # fmt: skip
        assert words in text, words


def test_text_is_in_placeholders_with_levels_numbers_and_looks() -> None:
    first, numbers, picture, arabic = (slides(pptx_of(report(DECK, pictures=PICTURES)))[at] for at in (1, 4, 5, 6))
    body = next(shape for shape in first.placeholders if shape.placeholder_format.idx == 1)
    paragraphs = list(body.text_frame.paragraphs)
    assert [(one.text, one.level) for one in paragraphs][1:] == [("Punkt", 0), ("darunter", 1), ("tiefer", 2)]
    runs = {run.text: run for run in paragraphs[0].runs}
    assert (runs["fetter"].font.bold, runs["kursiver"].font.italic, runs["code"].font.name) == (True, True, "Consolas")
    assert runs["Link"].hyperlink.address == "https://example.com/?a=1&b=2"
    assert runs["böse"].hyperlink.address is None
    assert {run.font._rPr.get("lang") for run in paragraphs[0].runs} == {"de-CH"}
    table = next(shape.table for shape in numbers.shapes if shape.has_table)
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["Haus", "Umsatz"],
        ["Seehof", "12"],
        ["Total", "12"],
    ]
    assert [one.get("algn") for one in table._tbl.iter(f"{A}pPr")] == ["l", "r"] * 3
    counted = [one.get("startAt") for one in numbers.shapes._spTree.iter(f"{A}buAutoNum")]
    assert counted == ["3", "3"]
    shown = next(shape for shape in picture.shapes if shape.shape_type == 13)
    assert shown._element.find(".//{*}cNvPr").get("descr") == "Das Haus"
    text = next(shape for shape in picture.placeholders if shape.placeholder_format.idx == 1)
    assert text.left + text.width <= shown.left
    assert {one.get("rtl") for one in arabic.shapes._spTree.iter(f"{A}pPr")} >= {"1"}
    assert [one.get("type") for one in first.shapes._spTree.iter(f"{A}fld")] == ["slidenum"]


def test_headings_are_sections_when_others_follow_below_them() -> None:
    def kinds(markdown: str, **values: Any) -> list[tuple[str, str]]:
        return [
            (slide.slide_layout._element.get("type"), title_of(slide))
            for slide in slides(pptx_of(report(markdown, **values)))
        ]

    assert kinds("# A\n\n## B\n\nb\n\n# C\n\nc\n\n## D\n\n### E", has_title_page=False) == [
        ("secHead", "A"), ("obj", "B"), ("secHead", "C"), ("obj", "C"), ("obj", "D"),
    ]  # fmt: skip
    assert kinds("# A\n\na\n\n\\pagebreak\n\nb") == [("title", "Alpenblick AG"), ("obj", "A"), ("obj", "A (2)")]
    assert kinds("x", section="Teil", has_title_page=False) == [("obj", "Teil")]
    assert kinds("# Alpenblick AG\n\n## B\n\nb") == [("title", "Alpenblick AG"), ("obj", "B")]
    assert kinds("", has_title_page=False) == []
    assert kinds("#\n\n##\n\ntext", has_title_page=False) == [("obj", "")]


def test_numbers_count_on_where_a_list_goes_on_on_another_slide() -> None:
    items = "\n".join(f"{number}. Schritt {number}" for number in range(5, 30))
    made = slides(pptx_of(report(f"# Schritte\n\n{items}", has_title_page=False)))
    assert [title_of(slide) for slide in made] == ["Schritte", "Schritte (2)"]
    for slide in made:
        numbered = [one for one in slide.shapes._spTree.iter(f"{A}p") if one.find(f"{A}pPr/{A}buAutoNum") is not None]
        starts = {one.find(f"{A}pPr/{A}buAutoNum").get("startAt") for one in numbered}
        first = "".join(one.text for one in numbered[0].iter(f"{A}t"))
        assert starts == {first.split()[1]}


@given(MARKDOWN)
@settings(max_examples=40)
def test_every_word_is_on_a_slide_and_nothing_overlaps(markdown: str) -> None:
    made = pptx_of(report(markdown, pictures=PICTURES))
    text = said(made)
    for word in words_in(markdown):
        assert word in text, word
    presentation = Presentation(io.BytesIO(made))
    for number, slide in enumerate(presentation.slides):
        if slide.slide_layout._element.get("type") == "obj":
            _assert_orderly(slide, presentation, number)


def _assert_orderly(slide: Any, presentation: Any, number: int) -> None:
    """Within the slide, one below or beside the other, and no text smaller than 14 points but footnotes and the number."""
    boxes = []
    for shape in slide.shapes:
        kind = shape._element.find(".//{*}ph")
        if kind is not None and kind.get("type") == "sldNum":
            continue
        boxes.append((shape.name, shape.left, shape.top, shape.left + shape.width, shape.top + shape.height))
        if not shape.name.startswith("Footnotes"):
            assert all(int(one.get("sz", 1400)) >= 1400 for one in shape._element.iter(f"{A}rPr"))
    slack = Pt(1.5)
    for at, (name, left, top, right, bottom) in enumerate(boxes):
        assert min(left, top) >= 0, name
        assert right <= presentation.slide_width, name
        assert bottom <= presentation.slide_height, (name, number)
        for other, left2, top2, right2, bottom2 in boxes[at + 1 :]:
            apart = right <= left2 + slack or right2 <= left + slack or bottom <= top2 + slack or bottom2 <= top + slack
            assert apart, (number, name, other)


@given(st.text(max_size=300), st.text(max_size=60))
@settings(max_examples=40)
def test_any_text_makes_slides_that_say_it(markdown: str, title: str) -> None:
    made = pptx_of(report(markdown, title))
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        for name in archive.namelist():
            if name.endswith((".xml", ".rels")):
                etree.fromstring(archive.read(name))
    text = said(made)
    for word in words_in(markdown):
        assert len(word) > 25 or word in text, word


def test_rows_and_words_that_are_too_long_go_on_on_another_slide() -> None:
    long = " ".join(f"wort{number}" for number in range(2_000))
    for markdown in (
        f"# T\n\n{long}",
        f"# T\n\n|a|b|\n|-|-|\n|x|{long}|",
        f"# T\n\n- {long}",
        f"# T\n\n```\n{long}\n```",
        f"# T\n\n> {long}",
    ):
        made = pptx_of(report(markdown))
        text = said(made)
        assert all(f"wort{number}" in text for number in range(2_000))
        presentation = Presentation(io.BytesIO(made))
        for number, slide in enumerate(list(presentation.slides)[1:]):
            _assert_orderly(slide, presentation, number)
        assert title_of(list(presentation.slides)[2]) == "T (2)"


def test_titles_that_are_too_long_are_said_in_full_below() -> None:
    title = "Ein sehr langer Titel " * 30
    (slide,) = slides(pptx_of(report(f"# {title}\n\nText", has_title_page=False)))
    assert title_of(slide).endswith("…")
    assert " ".join(title.split()) in " ".join(" ".join(_texts(slide)).split())


def test_wide_tables_are_divided_with_their_first_column_in_each_part() -> None:
    head = "|" + "|".join(f"S{number}" for number in range(30)) + "|\n|" + "-|" * 30
    made = slides(pptx_of(report(f"# T\n\n{head}\n|" + "|".join(f"w{number}" for number in range(30)) + "|")))
    tables = [shape.table for slide in made for shape in slide.shapes if shape.has_table]
    assert [table.rows[0].cells[0].text for table in tables] == ["S0", "S0", "S0"]
    assert sorted({cell.text for table in tables for cell in table.rows[1].cells}) == sorted(
        f"w{number}" for number in range(30)
    )


def test_what_makes_too_many_slides_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DocumentTooLarge, match="10,002 rows"):
        pptx_of(report("|a|\n|-|\n" + "|x|\n" * 10_001))
    monkeypatch.setattr(flow, "MOST_SLIDES", 5)
    with pytest.raises(DocumentTooLarge, match=r"more than 5 slides.*\.docx"):
        pptx_of(report("# T\n\nx\n\n" * 6))


def test_nested_without_end_there_are_still_slides() -> None:
    for markdown in (
        "> " * 3_000 + "x",
        "- " * 2_000 + "x",
        "*" * 4_000 + "x" + "*" * 4_000,
        "[" * 3_000,
        "x" * 20_000,
    ):
        assert len(pptx_of(report(markdown))) > 1_000


def test_nobody_is_named_in_the_file() -> None:
    properties = Presentation(io.BytesIO(pptx_of(report(DECK)))).core_properties
    assert (properties.title, properties.author, properties.last_modified_by) == ("Alpenblick AG", "", "")
