"""The bookmarks of a PDF: its own table of contents, where it has one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from workroom.documents.extractors.pdf.pdf_file import Pdf
from workroom.documents.whitespace import one_line

_DEPTH = 10
_ENTRIES = 5_000
_PER_PAGE = 50
_NEAR_TOP = 0.15
_HEIGHT_AT = {pdfium.PDFDEST_VIEW_XYZ: 1, pdfium.PDFDEST_VIEW_FITH: 0, pdfium.PDFDEST_VIEW_FITBH: 0}


@dataclass(frozen=True)
class Bookmark:
    title: str
    level: int
    page: int | None
    at_top: bool  # it points to the beginning of its page


def bookmarks(pdf: Pdf) -> list[Bookmark]:
    result: list[Bookmark] = []
    heights: dict[int, float] = {}
    try:
        for mark in pdf.document.get_toc(max_depth=_DEPTH):
            title = one_line(mark.get_title(), 300)
            if title:
                page, at_top = _target(pdf, mark, heights)
                result.append(Bookmark(title, mark.level + 1, page, at_top))
            if len(result) >= _ENTRIES:
                break
    except (pypdfium2.PdfiumError, UnicodeDecodeError, ValueError):
        pass  # what was found so far is better than nothing
    # A few pages taken out of a book may still carry the bookmarks of the whole; then they say nothing of these pages.
    return result if len(result) <= _PER_PAGE * pdf.pages else []


def _target(pdf: Pdf, mark: Any, heights: dict[int, float]) -> tuple[int | None, bool]:
    goal = mark.get_dest()
    page = goal.get_index() if goal else None
    if page is None or not 0 <= page < pdf.pages:
        return None, True
    mode, position = goal.get_view()
    height_index = _HEIGHT_AT.get(mode)
    if height_index is None or len(position) <= height_index:
        return page, True
    if page not in heights:
        heights[page] = pdf.document.get_page_size(page)[1]
    return page, position[height_index] <= 0 or position[height_index] > heights[page] * (1 - _NEAR_TOP)
