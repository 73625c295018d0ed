"""Normalises white space: titles and cells to one line, running text to single spaces and at most one empty line."""

from __future__ import annotations

import re

from workroom.documents.content import clean

_SPACES = re.compile(r"[ \t\xa0]+")
_BLANK_LINES = re.compile(r"\n{3,}")


def one_line(text: str, limit: int | None = None) -> str:
    """Cut text ends with an ellipsis."""
    joined = " ".join(clean(text).split())
    return joined if limit is None or len(joined) <= limit else joined[: limit - 1].rstrip() + "…"


def tidy(text: str) -> str:
    lines = (_SPACES.sub(" ", line).strip() for line in clean(text).split("\n"))
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip()
