"""Numbers and dates of XLS, XLSB and ODS as their sheets show them, and plainly where nobody says how."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.documents.corpus import source
from tests.documents.making import read, stored, text_of
from tests.documents.old_making import XLS, XLSB, Cell, xls, xlsb
from tests.documents.open_making import ODS, ods
from workroom.documents.errors import DocumentError
from workroom.documents.extractors.sheets import EXTRACTOR
from workroom.documents.office.package import Package
from workroom.documents.office.xls_formats import XlsFormats
from workroom.documents.office.xlsb_formats import XlsbFormats
from workroom.documents.types import ExtractionScope

pytestmark = pytest.mark.requirement("I5")
MAKERS: list[tuple[Callable[..., bytes], str]] = [(xls, XLS), (xlsb, XLSB)]
SHOWN: list[tuple[Cell, str]] = [
    ((0.125, 9), "13%"),
    ((0.125, 10), "12.50%"),
    ((1234.5, '"CHF" #,##0.00'), "CHF 1,234.50"),
    ((-1234.5, "#,##0.00 [$€-407];[Red]-#,##0.00 [$€-407]"), "-1,234.50 €"),
    ((45413.0, "dd.mm.yyyy"), "01.05.2024"),
    ((45413.5, "yyyy-mm-dd hh:mm"), "2024-05-01 12:00"),
    ((45413.0, 14), "2024-05-01"),  # each machine shows it as it likes
    ((1.23456, "0.00"), "1.23"),
    ((0.1 + 0.2, 0), "0.3"),
    ((1234567.0, 3), "1,234,567"),
    ((7.0, 0), "7"),
]


def cells(table: str) -> list[str]:
    return [cell.strip() for cell in table.splitlines()[0].strip("| ").split(" | ")]


@pytest.mark.parametrize(("make", "kind"), MAKERS)
def test_the_two_binary_formats_of_excel(make: Callable[..., bytes], kind: str, tmp_path: Path) -> None:
    rows = [[cell for cell, _ in SHOWN], [(2.0, 0)] * len(SHOWN)]
    (found,) = read(EXTRACTOR, stored(tmp_path, make(rows), kind))
    assert found.ref.sheet_name == "Übersicht"
    assert cells(found.text) == [shown for _, shown in SHOWN]
    assert cells(found.text.splitlines()[2]) == ["2"] * len(SHOWN), "formats belong to cells, not to columns"


@pytest.mark.parametrize(("make", "kind"), MAKERS)
def test_damage_costs_formats_at_most(make: Callable[..., bytes], kind: str, tmp_path: Path) -> None:
    """The values are calamine's, in a process of its own; what is read beside them never fails."""
    whole = make([[cell for cell, _ in SHOWN]])
    chance = random.Random(7)
    for _ in range(300):
        broken = bytearray(whole)
        for _ in range(3):
            broken[chance.randrange(len(broken))] ^= 1 << chance.randrange(8)
        made = stored(tmp_path, bytes(broken[: chance.choice((len(broken), chance.randrange(len(broken))))]), kind)
        with suppress(DocumentError), ExitStack() as stack:
            formats = XlsFormats(made.path) if kind == XLS else XlsbFormats(stack.enter_context(Package(made)))
            for row, look in formats.row_formats("Übersicht"):
                assert row > 0
                assert look


def test_formats_without_their_styles_are_plain(tmp_path: Path) -> None:
    assert list(XlsFormats(stored(tmp_path, b"no compound file").path).row_formats("S")) == []
    made = stored(tmp_path, xlsb([[(0.5, 9)]]), XLSB)
    with Package(made) as package:
        assert list(XlsbFormats(package).row_formats("another")) == []
        assert [row for row, _ in XlsbFormats(package).row_formats("Übersicht")] == [1]


def value(kind: str, value: str, text: str, more: str = "") -> str:
    name = "date-value" if kind == "date" else "value"
    shown = f"<text:p>{text}</text:p>" if text else ""
    return f'<table:table-cell office:value-type="{kind}" office:{name}="{value}" {more}>{shown}</table:table-cell>'


def words(text: str) -> str:
    return f'<table:table-cell office:value-type="string"><text:p>{text}</text:p></table:table-cell>'


def row(*cells: str, more: str = "") -> str:
    return f"<table:table-row {more}>{''.join(cells)}</table:table-row>"


def test_what_an_open_document_shows_stands_beside_its_values(tmp_path: Path) -> None:
    rows = row(words("a"), words("b"), words("c"), words("d"), words("e"))
    rows += row(
        value("percentage", "0.125", "12.5 %"),
        value("currency", "1234.5", "CHF 1’234.50", 'office:currency="CHF"'),
        value("date", "2024-05-01", "01.05.2024"),
        value("float", "0.30000000000000004", ""),
        value("float", "3", "3<text:s/>kg"),
    )
    (found,) = read(EXTRACTOR, stored(tmp_path, ods({"S": rows}), ODS))
    assert cells(found.text.splitlines()[2]) == ["12.5 %", "CHF 1’234.50", "01.05.2024", "0.3", "3 kg"]


def test_repeated_rows_and_cells_are_shown_alike(tmp_path: Path) -> None:
    rows = row(words("x"), words("y"))
    rows += row(
        value("percentage", "0.5", "50%", 'table:number-columns-repeated="2"'), more='table:number-rows-repeated="2"'
    )
    rows += row(more='table:number-rows-repeated="3"') + row(words("end"), value("percentage", "0.25", "25%"))
    found = text_of(read(EXTRACTOR, stored(tmp_path, ods({"S": rows}), ODS)))
    assert found.count("| 50% | 50% |") == 2
    assert "| end | 25% |" in found


def test_sheets_of_an_open_document_keep_their_own(tmp_path: Path) -> None:
    sheets = {f"S{number}": row(words("v"), value("percentage", "0.5", f"{number} %")) * 2 for number in range(4)}
    made = stored(tmp_path, ods(sheets), ODS)
    texts = {each.ref.sheet_name: each.text for each in read(EXTRACTOR, made)}
    assert all(f"| v | {number} % |" in texts[f"S{number}"] for number in range(4))
    (last,) = read(EXTRACTOR, made, ExtractionScope(sheets=frozenset({"S3"})))
    assert "| v | 3 % |" in last.text


def test_a_real_sheet_shows_its_dates_as_it_does(test_data: Path) -> None:
    found = text_of(read(EXTRACTOR, source(test_data / "calamine/tests/formula-date-format.xls", XLS)))
    assert found.splitlines()[0] == "| 27/02/2017 |"
    found = text_of(read(EXTRACTOR, source(test_data / "calamine/tests/date.ods", ODS)))
    assert found.splitlines()[0] == "| 01/01/2021 | 15 |"
