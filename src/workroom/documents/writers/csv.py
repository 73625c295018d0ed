"""CSV of the one table that a report has: UTF-8 with a byte order mark, as Excel reads it; no cell of it is calculated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from workroom.core.csv_lines import BYTE_ORDER_MARK, csv_line
from workroom.documents.errors import UnsupportedDocument
from workroom.documents.writers.markdown_blocks import Block, footnotes_in, plain_text
from workroom.documents.writers.report import Report
from workroom.documents.writers.report_tables import NamedTable, tables_of

MEMORY_MB = 2_048
MOST_NAMED = 10


def written(document: bytes, scratch: Path) -> bytes:
    return csv_of(Report.model_validate_json(document))


def csv_of(report: Report) -> bytes:
    """Raises UnsupportedDocument when there is none, or more than one."""
    if report.template:
        raise UnsupportedDocument("A CSV file has no look, and takes no template. Leave the template out.")
    tables = tables_of(report)
    if not tables:
        raise UnsupportedDocument(
            "A CSV file is made of a table, and the text has none. Write one, as a Markdown table."
        )
    if len(tables) > 1:
        raise UnsupportedDocument(
            f"The text has {len(tables)} tables ({_names(tables)}), and a CSV file holds one. Make a"
            " workbook of them, with a name that ends in .xlsx, or leave the others out."
        )
    return (BYTE_ORDER_MARK + "".join(_lines(tables[0].table))).encode()


def _lines(table: Block) -> Iterator[str]:
    for row in table["rows"]:
        yield csv_line([_words(cell) for cell in row], has_numbers=True)


def _words(cell: Sequence[Block]) -> str:
    """A footnote has no other place than behind the words."""
    notes = "".join(f" [{plain_text(note)}]" for note in footnotes_in(cell))
    return plain_text(cell).strip() + notes


def _names(tables: Sequence[NamedTable]) -> str:
    shown = ", ".join(f"“{table.name[:60]}”" for table in tables[:MOST_NAMED])
    return shown + (", …" if len(tables) > MOST_NAMED else "")
