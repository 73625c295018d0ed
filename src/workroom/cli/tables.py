"""Plain tables for a terminal: aligned, no decoration, easy to cut and grep."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime


def print_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    lines = [list(head), *([_text(cell) for cell in row] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _text(cell: object) -> str:
    if cell is None:
        return "-"
    return cell.astimezone().strftime("%Y-%m-%d %H:%M") if isinstance(cell, datetime) else str(cell)
