"""Filters the wanted pages and sections; sections begin and end in the middle of pages."""

from __future__ import annotations

from collections.abc import Sequence

from workroom.core.errors import NotFound
from workroom.documents.extractors.pdf.outline import bookmarks
from workroom.documents.extractors.pdf.page_blocks import PageBlock
from workroom.documents.extractors.pdf.pdf_file import Pdf
from workroom.documents.extractors.pdf.scan import scan, sections_by_bookmarks
from workroom.documents.section_numbers import is_wanted
from workroom.documents.types import ExtractionScope, Section, SourceFile
from workroom.documents.whitespace import one_line


class SectionFilter:
    """Tracks the current section while blocks are read in order, and passes those that are wanted."""

    def __init__(self, pages: Sequence[int], sections: Sequence[Section], wanted: ExtractionScope) -> None:
        self.pages = pages
        self._sections = sections
        self._wanted = wanted
        self._at = -1

    @property
    def section_id(self) -> str | None:
        return self._sections[self._at].id if self._at >= 0 else None

    def passes(self, page: int, block: PageBlock) -> bool:
        self._advance(page, block)
        return self._is_wanted(page)

    def whole(self, page: int) -> bool:
        """Whether things with no place in the text of a page belong to what is wanted."""
        return self._is_wanted(page)

    def _is_wanted(self, page: int) -> bool:
        if self._wanted.everything or page in self._wanted.pages:
            return True
        return is_wanted(self.section_id, self._wanted.sections)

    def _advance(self, page: int, block: PageBlock) -> None:
        following = self._at + 1
        while following < len(self._sections) and (self._sections[following].end_page or 0) < page:
            self._at = following
            following += 1
        text = _plain(block.content) if isinstance(block.content, str) else ""
        while following < len(self._sections):
            section = self._sections[following]
            start = section.start_page or 0
            if start > page or not (start < page or text.startswith(_plain(section.title))):
                return
            self._at = following
            following += 1


def section_filter(source: SourceFile, pdf: Pdf, wanted: ExtractionScope) -> SectionFilter:
    sections = sections_by_bookmarks(bookmarks(pdf), pdf.pages)
    if wanted.everything:
        return SectionFilter(range(pdf.pages), sections, wanted)
    if wanted.sections and not sections:
        sections = scan(source).sections
    pages = {page for page in wanted.pages if 0 <= page < pdf.pages}
    for section in sections:
        if is_wanted(section.id, wanted.sections):
            pages.update(range(section.start_page or 0, (section.end_page or 0) + 1))
    if not pages:
        raise NotFound(f"{source.name} has {pdf.pages} pages, and none that was asked for.")
    return SectionFilter(sorted(pages), sections, wanted)


def _plain(text: str) -> str:
    return "".join(one_line(text).casefold().split())
