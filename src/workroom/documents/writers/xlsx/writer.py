"""Makes a workbook of a report: a sheet for each table."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from workroom.documents.errors import DocumentTooLarge, UnsupportedDocument
from workroom.documents.writers.markdown_blocks import plain_text, printable
from workroom.documents.writers.report import Report
from workroom.documents.writers.report_tables import NamedTable, named_tables, one_line, section_blocks
from workroom.documents.writers.words import WORDS
from workroom.documents.writers.xlsx.evaluation import FormulaEvaluation
from workroom.documents.writers.xlsx.names import SheetNames
from workroom.documents.writers.xlsx.sheets import TableSheet, WorkbookFormats
from workroom.documents.writers.xlsx.texts import says_more, write_texts

MEMORY_MB = 3_072
MOST_SHEETS = 1_000
MADE_AT = datetime(1980, 1, 1, tzinfo=UTC).replace(tzinfo=None)  # the same report makes the same bytes
LONGEST_TITLE = 250


def written(document: bytes, scratch: Path) -> bytes:
    return _workbook(Report.model_validate_json(document), scratch)


def xlsx_of(report: Report) -> bytes:
    with TemporaryDirectory(prefix="workroom-xlsx-") as scratch:
        return _workbook(report, Path(scratch))


def _workbook(report: Report, scratch: Path) -> bytes:
    if report.template:
        raise UnsupportedDocument(
            "A workbook takes no template. Leave it out, or make a Word document or slides with it."
        )
    sections = section_blocks(report)
    tables = [found for blocks, title in sections for found in named_tables(blocks, title)]
    if not tables:
        raise UnsupportedDocument(
            "A workbook is made of tables, and the text has none. Write one, as a Markdown table, or make a document (.docx)."
        )
    if len(tables) > MOST_SHEETS:
        raise DocumentTooLarge(f"The text has {len(tables):,} tables, and a workbook up to {MOST_SHEETS:,} sheets.")
    texts = [blocks for blocks, _ in sections]
    has_texts = says_more(list(zip([one.note for one in report.sections], texts, strict=True))) or _is_cut(tables)
    names = SheetNames()
    first = names.name(one_line(report.title) or WORDS[report.language].contents) if has_texts else ""
    sheets = [TableSheet(names.name(found.name), found.table) for found in tables]
    made = io.BytesIO()
    with _opened(made, scratch, report) as workbook:
        formats = WorkbookFormats(workbook)
        if first:
            write_texts(workbook.add_worksheet(first), formats, report, texts, [sheet.name for sheet in sheets])
        known = {sheet.name.casefold(): sheet.name for sheet in sheets}
        evaluation = FormulaEvaluation({sheet.name: sheet.read(known) for sheet in sheets})
        for sheet in sheets:
            sheet.write(workbook.add_worksheet(sheet.name), formats, evaluation)
    return made.getvalue()


@contextmanager
def _opened(made: io.BytesIO, scratch: Path, report: Report) -> Iterator[Any]:
    """Rows go to a file as soon as the next one begins. No text of a report is ever taken for a formula, a number or a link."""
    from xlsxwriter import Workbook

    options = {
        "constant_memory": True,
        "tmpdir": str(scratch),
        "strings_to_formulas": False,
        "strings_to_numbers": False,
        "strings_to_urls": False,
    }
    with Workbook(made, options) as workbook:
        workbook.set_properties({"title": printable(report.title)[:LONGEST_TITLE], "created": MADE_AT})
        yield workbook


def _is_cut(tables: Sequence[NamedTable]) -> bool:
    """Whether a name says less than the caption that it is made of."""
    captions = [one_line(plain_text(found.table["caption"])) for found in tables]
    return any(caption and SheetNames().name(caption) != caption for caption in captions)
