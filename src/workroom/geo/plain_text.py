"""Strips markup from the labels of external services, which are untrusted HTML."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

LONGEST = 300
UNSEEN = r"\x00-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff"  # inside the brackets of a pattern
_UNSEEN = re.compile(f"[{UNSEEN}]+")
_SILENT = frozenset({"script", "style", "template", "iframe", "object"})


def plain_text(label: object) -> str:
    """The words of a label, on one line. Markup that was escaped, even twice, is markup as well; a lone surrogate
    is dropped, because it cannot be encoded."""
    text = str(label)[: 10 * LONGEST] if isinstance(label, str | int | float) else ""
    for _ in range(3):
        reader = _Words()
        reader.feed(text)
        reader.close()
        text = html.unescape("".join(reader.words))
        if "<" not in text and "&" not in text:
            break
    bare = _UNSEEN.sub(" ", text).replace("<", " ").replace(">", " ")
    return " ".join(bare.split())[:LONGEST]


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in _SILENT
        if tag in ("br", "p", "div"):
            self.words.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in _SILENT and self._silent > 0

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.words.append(data)
