"""Structure of a PDF in one pass: every page is loaded once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from workroom.documents.errors import DamagedDocument
from workroom.documents.extractors.pdf.graphics import graphics_on
from workroom.documents.extractors.pdf.outline import Bookmark, bookmarks
from workroom.documents.extractors.pdf.pdf_file import Pdf, UnreadablePage, open_pdf
from workroom.documents.extractors.pdf.table_hints import TableHints, is_grid
from workroom.documents.extractors.pdf.words import text_of
from workroom.documents.headings import DetectedHeading, HeadingFinder
from workroom.documents.section_numbers import SectionHeading, sections_of
from workroom.documents.types import PageInfo, Section, SourceFile, Structure, TocEntry
from workroom.documents.whitespace import one_line

MAX_PAGES = 20_000
_NEAR_TOP = 0.15  # a heading here begins its page
_SMALL = 12.0  # points; smaller pictures are bullets and ornaments
_DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(Z|[+-]\d\d)?'?(\d\d)?")
_PROPERTIES = {
    "Title": "title",
    "Author": "author",
    "Subject": "subject",
    "Keywords": "keywords",
    "Creator": "creator",
    "Producer": "producer",
    "CreationDate": "created",
    "ModDate": "modified",
}


def scan(source: SourceFile) -> Structure:
    with open_pdf(source) as pdf:
        result = _ScanResult()
        for index in range(min(pdf.pages, MAX_PAGES)):
            _scan_page(pdf, index, result)
        if len(result.broken) == len(result.pages):
            raise DamagedDocument(
                f"No page of {source.name} can be read. Send it again, or save it anew where it opens."
            )
        marks = bookmarks(pdf)
        headings = result.finder.headings(pdf.pages)
        return Structure(
            kind="pdf",
            pages=pdf.pages,
            toc=_contents(marks, headings),
            sections=sections_by_bookmarks(marks, pdf.pages) or _sections_by_headings(headings, pdf.pages),
            page_map=_page_map(result.pages, headings),
            counts={
                "pages": pdf.pages,
                "images": result.images,
                "attachments": pdf.document.count_attachments(),
                "pagesWithTables": sum(page.has_table for page in result.pages),
                "pagesWithoutText": sum(page.text_length == 0 for page in result.pages),
            },
            properties=_properties(pdf),
            notes=_notes(pdf, result),
        )


@dataclass
class _ScanResult:
    finder: HeadingFinder = field(default_factory=HeadingFinder)
    pages: list[PageInfo] = field(default_factory=list)
    images: int = 0
    broken: list[int] = field(default_factory=list)


def _scan_page(pdf: Pdf, index: int, result: _ScanResult) -> None:
    try:
        with pdf.page(index) as page, text_of(page) as text:
            drawn = graphics_on(page, text.frame)
            images = sum(min(picture.box.width, picture.box.height) >= _SMALL for picture in drawn.pictures)
            hints = TableHints(text)
            for line in text.lines():
                if line.upright and not (line.bold and hints.is_row(line)):
                    top, height = line.box.top / text.frame.height, line.box.height / text.frame.height
                    result.finder.see(line.text, line.size, line.bold, index, top, height)
            result.images += images
            has_table = is_grid(drawn) or hints.has_columns()
            result.pages.append(
                PageInfo(page_index=index, has_images=images > 0, text_length=text.length, has_table=has_table)
            )
    except UnreadablePage:
        result.broken.append(index)
        result.pages.append(PageInfo(page_index=index))


def _contents(marks: list[Bookmark], headings: list[DetectedHeading]) -> list[TocEntry]:
    if marks:
        return [TocEntry(title=mark.title, level=mark.level, page_index=mark.page) for mark in marks]
    return [TocEntry(title=heading.title, level=heading.level, page_index=heading.page) for heading in headings]


def sections_by_bookmarks(marks: list[Bookmark], pages: int) -> list[Section]:
    """None where the bookmarks say too little."""
    known = [(mark.title, mark.level, mark.page, mark.at_top) for mark in marks if mark.page is not None]
    return _by_pages(known, pages) if len(known) > 1 else []


def _sections_by_headings(headings: list[DetectedHeading], pages: int) -> list[Section]:
    return _by_pages(
        [(heading.title, heading.level, heading.page, heading.top <= _NEAR_TOP) for heading in headings], pages
    )


def _by_pages(known: Sequence[tuple[str, int, int, bool]], pages: int) -> list[Section]:
    """Counted in half pages: one that begins in the middle of a page leaves its upper half to the section before."""
    headings = [SectionHeading(title, level, 2 * page + (not at_top)) for title, level, page, at_top in known]
    return [
        section.model_copy(
            update={
                "start_page": (section.first or 0) // 2,
                "end_page": (section.last or 0) // 2,
                "first": None,
                "last": None,
            }
        )
        for section in sections_of(headings, 2 * pages - 1)
    ]


def _page_map(pages: list[PageInfo], headings: list[DetectedHeading]) -> list[PageInfo]:
    by_page: dict[int, list[str]] = {}
    for heading in headings:
        by_page.setdefault(heading.page, []).append(one_line(heading.title, 300))
    return [page.model_copy(update={"headings": by_page.get(page.page_index, [])}) for page in pages]


def _properties(pdf: Pdf) -> dict[str, str]:
    properties: dict[str, str] = {}
    for key, name in _PROPERTIES.items():
        value = one_line(_property(pdf, key), 500)
        if value:
            properties[name] = value
    return properties


def _property(pdf: Pdf, key: str) -> str:
    value: Any = pdf.document.get_metadata_value(key)
    if not isinstance(value, str):
        return ""
    date = _DATE.match(value) if key in ("CreationDate", "ModDate") else None
    return _readable(*date.groups()) if date else value


def _readable(*parts: str | None) -> str:
    """Dates of PDF (`D:20230227044202+11'00'`) as everybody writes them."""
    year, month, day, hour, minute, second, zone, zone_minutes = parts
    if hour is None:
        return "-".join(part for part in (year, month, day) if part)
    where = f"{zone}:{zone_minutes or '00'}" if zone and zone != "Z" else zone or ""
    return f"{year}-{month}-{day}T{hour}:{minute or '00'}:{second or '00'}{where}"


def _notes(pdf: Pdf, result: _ScanResult) -> list[str]:
    notes = []
    if pdf.pages > MAX_PAGES:
        notes.append(f"Only the first {MAX_PAGES:,} of {pdf.pages:,} pages were looked at.")
    if result.broken:
        numbers = ", ".join(str(index + 1) for index in result.broken[:20])
        notes.append(f"Damaged pages that cannot be read: {numbers}{' and more' if len(result.broken) > 20 else ''}.")
    if pdf.encrypted:
        notes.append(
            "The author restricted what may be done with this PDF (copying, printing); it opens without a password."
        )
    return notes
