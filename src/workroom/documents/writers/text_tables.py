"""Tables in documents that are read as text: how long they may be."""

from __future__ import annotations

from workroom.documents.errors import DocumentTooLarge
from workroom.documents.writers.markdown_blocks import Block

MOST_ROWS = 10_000


def require_fitting(table: Block) -> None:
    """Raises DocumentTooLarge for a table that is too long to be read, or shown."""
    if (rows := len(table["rows"])) > MOST_ROWS:
        raise DocumentTooLarge(
            f"A table of {rows:,} rows does not fit a text document. Make a workbook of it, with a name that ends in .xlsx,"
            " or leave rows out."
        )


def require_columns(table: Block, most: int) -> None:
    """Raises DocumentTooLarge for a table that the format has no room for."""
    if (columns := len(table["align"])) > most:
        raise DocumentTooLarge(
            f"A table of {columns} columns does not fit here: {most} is the most. Make a workbook of it, with a name that ends in"
            " .xlsx, or leave columns out."
        )
