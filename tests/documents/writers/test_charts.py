"""Charts within a text: drawn by typst in a PDF, as pictures elsewhere, as tables in workbooks; what is no chart stays code."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pypdfium2
import pytest

from tests.documents.writers.making import report
from workroom.core.charts import Chart, ChartSeries
from workroom.documents.writers.charts import ChartPictures, with_drawings, with_tables
from workroom.documents.writers.csv import csv_of
from workroom.documents.writers.docx.writer import docx_of
from workroom.documents.writers.html.writer import html_of
from workroom.documents.writers.markdown_blocks import blocks_of, plain_text
from workroom.documents.writers.pdf.report import written
from workroom.documents.writers.pptx.writer import pptx_of

CHART = Chart(
    kind="bar",
    title="Visitors",
    unit="%",
    categories=("Bern", "Basel"),
    series=(ChartSeries(name="2026", values=(61, None)),),
)
MARKDOWN = f"# Figures\n\n> - x\n>\n>   ```chart\n>   {CHART.model_dump_json()}\n>   ```\n"
PNG = b"\x89PNG"


def pictures(file: bytes, folder: str) -> list[bytes]:
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        return [archive.read(name) for name in archive.namelist() if name.startswith(folder)]


def test_a_pdf_draws_it_and_its_words_are_text(tmp_path: Path) -> None:
    made = written(report(MARKDOWN).model_dump_json().encode(), tmp_path)
    with pypdfium2.PdfDocument(made) as document:
        text = "".join(document[at].get_textpage().get_text_bounded() for at in range(len(document)))
    assert "Visitors" in text
    assert "Basel" in text
    assert "categories" not in text


def test_other_documents_show_it_as_a_picture() -> None:
    assert [data for data in pictures(docx_of(report(MARKDOWN)), "word/media/") if data.startswith(PNG)]
    assert [data for data in pictures(pptx_of(report(MARKDOWN)), "ppt/media/") if data.startswith(PNG)]
    page = html_of(report(MARKDOWN)).decode()
    assert 'alt="Visitors"' in page
    assert "data:image/png;base64," in page


def test_signs_that_no_font_has_break_no_document() -> None:
    odd = f"```chart\n{CHART.model_copy(update={'title': chr(1) + 'Visitors'}).model_dump_json()}\n```"
    assert docx_of(report(odd))
    assert pptx_of(report(odd))


def test_workbooks_have_its_figures() -> None:
    (quotation,) = with_tables(blocks_of(MARKDOWN))[1:]
    table = quotation["blocks"][0]["items"][0][1]
    assert [[plain_text(cell) for cell in row] for row in table["rows"]] == [
        ["", "2026"],
        ["Bern", "61"],
        ["Basel", ""],
    ]
    assert csv_of(report(f"```chart\n{CHART.model_dump_json()}\n```")).decode().endswith("Bern,61\r\nBasel,\r\n")


@pytest.mark.parametrize(
    "body", ["", "{", "[]", '{"kind": "bar"}', json.dumps({"kind": "pie", "categories": [], "series": []})]
)
def test_what_is_no_chart_stays_code(body: str) -> None:
    blocks = blocks_of(f"```chart\n{body}\n```")
    assert with_tables(blocks) == with_drawings(blocks, "en") == ChartPictures({}, "en").within(blocks) == blocks
