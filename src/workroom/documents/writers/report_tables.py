"""The tables of a report, in its order, by the names that people know them by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workroom.documents.writers.charts import with_tables
from workroom.documents.writers.long_tables import blocks_with_long_tables
from workroom.documents.writers.markdown_blocks import Block, plain_text, printable
from workroom.documents.writers.report import Report
from workroom.documents.writers.words import WORDS


@dataclass(frozen=True)
class NamedTable:
    """By its caption, otherwise by the nearest heading above it, otherwise by what the report is called."""

    name: str
    table: Block


def tables_of(report: Report) -> list[NamedTable]:
    return [found for blocks, title in section_blocks(report) for found in named_tables(blocks, title)]


def section_blocks(report: Report) -> list[tuple[list[Block], str]]:
    """The blocks of each section, and what a table is called that stands above all of its headings."""
    title = one_line(report.title) or WORDS[report.language].table.strip()
    return [
        (with_tables(blocks_with_long_tables(one.markdown)), one_line(one.title) or title) for one in report.sections
    ]


def named_tables(blocks: Sequence[Block], heading: str) -> Iterator[NamedTable]:
    """Also those within lists and quotations; without recursion."""
    pending = list(reversed(blocks))
    while pending:
        block = pending.pop()
        match block["kind"]:
            case "heading":
                heading = one_line(plain_text(block["inline"])) or heading
            case "table":
                yield NamedTable(one_line(plain_text(block["caption"])) or heading, block)
            case "list":
                pending += [part for item in reversed(block["items"]) for part in reversed(item)]
            case "quote":
                pending += reversed(block["blocks"])


def one_line(text: str) -> str:
    return " ".join(printable(text).split())
