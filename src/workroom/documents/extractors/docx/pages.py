"""Page breaks in paragraphs and tables of Word."""

from __future__ import annotations

from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.extractors.docx.styles import attribute, is_on
from workroom.documents.flow.pages import PageCounter

_MARKS = ("{*}lastRenderedPageBreak", "{*}br", "{*}t", "{*}pageBreakBefore", "{*}sectPr", "{*}blip", "{*}p")


def record_pages(block: Any, pages: PageCounter) -> tuple[int, float]:
    """Where the text of this block begins: see `PageCounter.end`."""
    pages.begin()
    ends_section = False
    for mark in block.iter(*_MARKS):
        name = local_name(mark)
        if name == "t":
            pages.text(len(mark.text or ""))
        elif name == "lastRenderedPageBreak":
            pages.mark()
        elif name == "p":
            pages.line()
        elif name == "blip":
            pages.picture()
        elif name == "sectPr":
            ends_section = ends_section or _starts_page(mark)
        elif (name == "br" and attribute(mark, "type") == "page") or (name == "pageBreakBefore" and is_on(mark)):
            pages.by_hand()
    begins = pages.end()
    if ends_section:
        pages.by_hand()
    return begins


def _starts_page(section: Any) -> bool:
    kind = section.find("{*}type")
    return kind is None or attribute(kind, "val") not in ("continuous", "nextColumn")
