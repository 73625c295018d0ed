"""Makes a DOCX of a report: with the look of a template, or of our own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workroom.documents.writers.docx.base import base_package, put_properties
from workroom.documents.writers.docx.body import WrittenBody
from workroom.documents.writers.docx.template import Place, fill_in, opened, place_of_content
from workroom.documents.writers.docx.xml import W
from workroom.documents.writers.markdown_blocks import printable
from workroom.documents.writers.report import Report

MEMORY_MB = 2_048  # typst draws charts: its fonts are mapped
TEXT_WIDTH = 9_354  # twentieths of a point, on a page of A4 with margins as ours


def written(document: bytes, scratch: Path) -> bytes:
    return docx_of(Report.model_validate_json(document))


def docx_of(report: Report) -> bytes:
    package = opened(report.template) if report.template else base_package(report.language)
    title = printable(report.title)
    if report.template:
        fill_in(package, title)
    root = package.xml(package.document)
    place = place_of_content(root)
    body = WrittenBody(package, report, _text_width(root))
    _put_in(place, list(body.elements(with_title=not place.is_marked)))
    body.put()
    package.put(package.document, root)
    put_properties(package, title, report.language)
    return package.zipped()


def _put_in(place: Place, elements: list[Any]) -> None:
    place.parent[place.index : place.index] = elements


def _text_width(root: Any) -> int:
    """By the size and margins of the last section."""
    section = next(reversed(list(root.iter(f"{{{W}}}sectPr"))), None)
    size, margins = (None if section is None else section.find(f"{{{W}}}{name}") for name in ("pgSz", "pgMar"))
    if size is None or margins is None:
        return TEXT_WIDTH
    try:
        left, right = (int(margins.get(f"{{{W}}}{side}", "0")) for side in ("left", "right"))
        width = int(size.get(f"{{{W}}}w", "0")) - left - right
    except ValueError:
        return TEXT_WIDTH
    return width if 2_000 <= width <= 40_000 else TEXT_WIDTH
