"""Workbooks made from Markdown, read back by our own extractor, by calamine, and as XML."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from python_calamine import CalamineWorkbook

from tests.documents.making import read, stored, text_of
from tests.documents.writers.making import MARKDOWN, report, words_in
from workroom.core.errors import InvalidInput
from workroom.documents.errors import DocumentTooLarge, UnsupportedDocument
from workroom.documents.extractors.sheets import EXTRACTOR
from workroom.documents.writers.files import document_of
from workroom.documents.writers.report import MEDIA_TYPES, DocumentFormat, Report
from workroom.documents.writers.xlsx import sheets as sheets_module
from workroom.documents.writers.xlsx.names import SheetNames
from workroom.documents.writers.xlsx.writer import xlsx_of

TABLES = """
# Mieten

| Objekt | Zimmer | Miete | Anteil | Datum | Nr |
|:---|---:|---:|:-:|---|---|
| Langgasse 1 | 3 | 1'234.50 | 12.5 % | 2026-11-01 | 007 |
| Hauptstrasse 12 | 4 | 2'100.00[^1] | 7 % | 2026-12-31 | 012 |
| **Total** | **=SUM(B2:B3)** | =C2*2+C3*2 | | | =cmd\\|'/C calc'!A0 |

[^1]: Ohne Nebenkosten.

## Kosten

| Was | Link |
|---|---|
| `=1+1` | [hier](https://example.com/ä) |
| =HYPERLINK("http://x") | [böse](ftp://x) |
| +41 79 | @SUM(A1) |
| =Mieten!C2 | -1+1 |
"""


def workbook(made: Report) -> CalamineWorkbook:
    return CalamineWorkbook.from_filelike(io.BytesIO(xlsx_of(made)))


def parts(made: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


async def test_each_table_is_a_sheet_with_typed_cells(tmp_path: Path) -> None:
    """Made in a child process, as the server does it."""
    made = await document_of(report(TABLES), DocumentFormat.XLSX)
    source = stored(tmp_path, made, MEDIA_TYPES[DocumentFormat.XLSX], "mieten.xlsx")
    assert [(sheet.name, sheet.rows, sheet.columns) for sheet in EXTRACTOR.scan(source).sheets] == [
        ("Mieten", 4, 6),
        ("Kosten", 5, 2),
    ]
    book = CalamineWorkbook.from_filelike(io.BytesIO(made))
    assert book.get_sheet_by_name("Mieten").to_python() == [
        ["Objekt", "Zimmer", "Miete", "Anteil", "Datum", "Nr"],
        ["Langgasse 1", 3, 1234.5, 0.125, date(2026, 11, 1), "007"],
        ["Hauptstrasse 12", 4, 2100, 0.07, date(2026, 12, 31), "012"],
        ["Total", 7, 6669, "", "", "=cmd|'/C calc'!A0"],
    ]
    assert book.get_sheet_by_name("Kosten").to_python()[1:] == [
        ["=1+1", "hier"],
        ['=HYPERLINK("http://x")', "böse"],
        ["+41 79", "@SUM(A1)"],
        [1234.5, "-1+1"],
    ]
    assert "Ohne Nebenkosten." in text_of(read(EXTRACTOR, source))


def test_only_what_may_be_calculated_is_a_formula_and_only_web_addresses_are_links() -> None:
    made = parts(xlsx_of(report(TABLES)))
    first, second = made["xl/worksheets/sheet1.xml"], made["xl/worksheets/sheet2.xml"]
    assert [cell.split("</f>")[0] for cell in first.split("<f>")[1:]] == ["SUM(B2:B3)", "C2*2+C3*2"]
    assert [cell.split("</f>")[0] for cell in second.split("<f>")[1:]] == ["'Mieten'!C2"]
    assert [text for text in made.values() if "ftp:" in text] == []
    relations = made["xl/worksheets/_rels/sheet2.xml.rels"]
    assert relations.count("External") == 1
    assert "https://example.com/%C3%A4" in relations
    assert 'quotePrefix="1"' in made["xl/styles.xml"]  # also who edits such a text does not calculate it
    assert 'state="frozen"' in first
    assert '<autoFilter ref="A1:F4"/>' in first


def test_markdown_does_not_take_the_stars_of_a_formula() -> None:
    book = workbook(report("# T\n\n|a|b|c|\n|-|-|-|\n|2|3|=A2*B2*2|\n|4|5|=A3*B3*=x|"))
    assert book.get_sheet_by_name("T").to_python()[1:] == [[2, 3, 12], [4, 5, "=A3*B3*=x"]]


def test_text_around_tables_is_a_sheet_of_its_own() -> None:
    table = "|a|\n|-|\n|1|"
    assert workbook(report(f"# Eins\n\n{table}\n\n## Zwei\n\n{table}")).sheet_names == ["Eins", "Zwei"]
    markdown = (
        f"# Eins\n\nEin *Satz*[^1].\n\n- a\n  1. b\n\n{table}\n\nTabelle: =Kosten/Jahr\n\n> Zitat\n\n[^1]: Fussnote"
    )
    book = workbook(report(markdown))
    assert book.sheet_names == ["Alpenblick AG", "=Kosten Jahr"]
    texts = [row[0] for row in book.get_sheet_by_name("Alpenblick AG").to_python()]
    assert [text for text in texts if text] == [
        "Alpenblick AG", "18.11.2026", "Eins", "Ein Satz. [1]", "• a", "1. b", "→ =Kosten/Jahr", "Zitat", "[1] Fussnote",
    ]  # fmt: skip
    assert "<f>" not in parts(xlsx_of(report(markdown)))["xl/worksheets/sheet1.xml"]


def test_a_caption_that_is_longer_than_a_name_is_said_in_full() -> None:
    caption = "Ein sehr langer Titel, der in keinen Namen einer Tabelle passt"
    book = workbook(report(f"|a|\n|-|\n|1|\n\nTabelle: {caption}"))
    assert book.sheet_names[1] == "Ein sehr langer Titel, der in k"
    assert f"→ {caption}" in [row[0] for row in book.get_sheet_by_index(0).to_python()]


@given(MARKDOWN)
@settings(max_examples=30)
def test_a_workbook_says_every_word(markdown: str) -> None:
    markdown = f"Text\n\n{markdown}\n\n|a|b|\n|-|-|\n|x|y|"
    made = xlsx_of(report(markdown))
    book = CalamineWorkbook.from_filelike(io.BytesIO(made))
    cells = [str(cell) for name in book.sheet_names for row in book.get_sheet_by_name(name).to_python() for cell in row]
    xml = parts(made)
    comments = [text for name, text in xml.items() if "comments" in name]
    said = " ".join([*cells, *book.sheet_names, *comments])
    numbers = {float(cell) for cell in cells if _is_number(cell)}
    for word in words_in(markdown):
        assert word in said or (_is_number(word) and float(word) in numbers), word


@given(st.text(max_size=200), st.lists(st.text(max_size=30), min_size=1, max_size=5))
def test_any_text_makes_a_workbook_that_opens(caption: str, cells: list[str]) -> None:
    row = "|" + "|".join(cells) + "|"
    markdown = f"{caption}\n\n|{'a|' * len(cells)}\n|{'-|' * len(cells)}\n{row}\n"
    try:
        made = xlsx_of(report(markdown, title=caption))
    except UnsupportedDocument:  # what stands before it opens a block of code
        return
    assert CalamineWorkbook.from_filelike(io.BytesIO(made)).sheet_names


@given(st.lists(st.text(max_size=60), max_size=30))
def test_names_of_sheets_are_ones_that_excel_allows(wanted: list[str]) -> None:
    names = SheetNames()
    made = [names.name(name) for name in wanted]
    assert len({name.casefold() for name in made}) == len(made)
    for name in made:
        assert 1 <= len(name.encode("utf-16-le")) // 2 <= 31
        assert not set(name) & set("[]:*?/\\")
        assert not name.startswith("'")
        assert not name.endswith("'")


def test_the_same_report_makes_the_same_workbook() -> None:
    assert xlsx_of(report(TABLES)) == xlsx_of(report(TABLES))


async def test_what_is_no_workbook_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidInput, match="made of tables"):
        await document_of(report("Nur Text."), DocumentFormat.XLSX)
    with pytest.raises(UnsupportedDocument, match="no template"):
        xlsx_of(report(TABLES, template=b"x"))
    with pytest.raises(DocumentTooLarge, match="40,000 characters"):
        xlsx_of(report(f"|a|\n|-|\n|{'x' * 40_000}|"))
    monkeypatch.setattr(sheets_module, "LAST_ROW", 3)
    with pytest.raises(DocumentTooLarge, match="4 rows"):
        xlsx_of(report("|a|\n|-|\n|1|\n|2|\n|3|"))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.isascii()
