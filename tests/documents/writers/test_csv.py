"""CSV made from Markdown, read back by our own extractor and by the standard library."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.making import stored
from tests.documents.writers.making import report
from workroom.core.csv_lines import NUMBER
from workroom.core.errors import InvalidInput
from workroom.documents.errors import UnsupportedDocument
from workroom.documents.extractors.csv import EXTRACTOR
from workroom.documents.writers.csv import csv_of
from workroom.documents.writers.files import document_of
from workroom.documents.writers.report import DocumentFormat

TABLE = '# Preise\n\nText.\n\n| Was | Preis |\n|---|--:|\n| Stift, "blau" | **2.50**[^1] |\n| Heft | 1.20 |\n\n[^1]: Netto.\n'


async def test_the_table_of_a_report_in_the_form_that_excel_reads(tmp_path: Path) -> None:
    """Made in a child process, as the server does it."""
    made = await document_of(report(TABLE), DocumentFormat.CSV)
    assert made == '\ufeffWas,Preis\r\n"Stift, ""blau""",2.50 [Netto.]\r\nHeft,1.20\r\n'.encode()
    structure = EXTRACTOR.scan(stored(tmp_path, made, "text/csv", "preise.csv"))
    assert (structure.counts["rows"], structure.counts["columns"]) == (3, 2)


@given(st.lists(st.text(max_size=20), min_size=1, max_size=4))
def test_no_cell_is_calculated(cells: list[str]) -> None:
    row = "|" + "|".join(cells) + "|"
    try:
        made = csv_of(report(f"|{'a|' * len(cells)}\n|{'-|' * len(cells)}\n{row}\n")).decode("utf-8-sig")
    except UnsupportedDocument:
        return
    for found in list(csv.reader(io.StringIO(made, newline="")))[1:]:
        assert not [
            cell for cell in found if cell.lstrip(" ")[:1] in set("=+-@＝＋－＠") and not NUMBER.fullmatch(cell)
        ]


@pytest.mark.parametrize(
    ("cell", "stored"),
    [
        ("-5.20", "-5.20"),
        ("+3 %", "+3 %"),
        ("-1'234.50", "-1'234.50"),
        ("-1+2", "'-1+2"),
        ("+A1", "'+A1"),
        ("=1", "'=1"),
    ],
)
def test_a_number_with_a_sign_stays_one_and_what_computes_does_not(cell: str, stored: str) -> None:
    assert csv_of(report(f"|a|\n|-|\n|{cell}|\n")).decode("utf-8-sig").splitlines()[1] == stored


async def test_what_is_no_single_table_says_so() -> None:
    two = f"{TABLE}\n## Löhne\n\n|a|\n|-|\n|1|\n"
    with pytest.raises(InvalidInput, match=r"2 tables \(“Preise”, “Löhne”\).*\.xlsx"):
        await document_of(report(two), DocumentFormat.CSV)
    with pytest.raises(UnsupportedDocument, match="has none"):
        csv_of(report("Nur Text"))
    with pytest.raises(UnsupportedDocument, match="no template"):
        csv_of(report(TABLE, template=b"x"))
