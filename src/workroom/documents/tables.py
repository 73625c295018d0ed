"""Tables as GitHub Markdown: what every extractor makes of rows and columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SPACE = re.compile(r"\s+")
_SPECIAL = re.compile(r"[\\|]|[^\S ]|  ")


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """The first row is the header; short rows are filled up. Empty when there is no cell at all."""
    width = max((len(row) for row in rows), default=0)
    if width == 0:
        return ""
    lines = [_line(row, width) for row in rows]
    lines.insert(1, "|" + " --- |" * width)
    return "\n".join(lines)


def cell(text: str) -> str:
    """One line, and no bar that would be taken for a border."""
    return _SPACE.sub(" ", text).strip().replace("\\", "\\\\").replace("|", "\\|")


def _line(row: Sequence[str], width: int) -> str:
    # Millions of cells are plain: one look at a whole row is several times as fast as one at each.
    is_plain = not _SPECIAL.search("\0".join(row))
    cells = [text.strip() if is_plain else cell(text) for text in row] + [""] * (width - len(row))
    return "| " + " | ".join(cells) + " |"
