"""Tables as GitHub Markdown: what every extractor makes of rows and columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SPACE = re.compile(r"\s+")
_SPECIAL = re.compile(r"[\\|]|[^\S ]|  ")
_RULE = re.compile(r"\|(?: *:?-+:? *\|)+")
_ESCAPED = re.compile(r"\\([\\|])|\|")


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """The first row is the header; short rows are filled up. Empty when there is no cell at all."""
    width = max((len(row) for row in rows), default=0)
    if width == 0:
        return ""
    lines = [_line(row, width) for row in rows]
    lines.insert(1, "|" + " --- |" * width)
    return "\n".join(lines)


def table_rows(markdown: str) -> list[list[str]]:
    """The cells of what `markdown_table` made, its header first."""
    return [
        _cells(line) for number, line in enumerate(markdown.splitlines()) if number != 1 or not _RULE.fullmatch(line)
    ]


def cell(text: str) -> str:
    """One line, and no bar that would be taken for a border."""
    return _SPACE.sub(" ", text).strip().replace("\\", "\\\\").replace("|", "\\|")


def _line(row: Sequence[str], width: int) -> str:
    # Millions of cells are plain: one look at a whole row is several times as fast as one at each.
    is_plain = not _SPECIAL.search("\0".join(row))
    cells = [text.strip() if is_plain else cell(text) for text in row] + [""] * (width - len(row))
    return "| " + " | ".join(cells) + " |"


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    if "\\" not in inner:
        return [text.strip() for text in inner.removesuffix("|").split("|")]
    parted = _ESCAPED.sub(lambda match: match[1] or "\0", inner).removesuffix("\0")
    return [text.strip() for text in parted.split("\0")]
