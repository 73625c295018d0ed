"""PDF: structure in one pass over the pages, single pages alone, pictures and page images on demand.

pdf_file.py        the open file: errors for encrypted, damaged or empty ones; pages one at a time
geometry.py        boxes on the displayed page
words.py           text with positions and fonts
outline.py         bookmarks
scan.py            structure: contents, headings, page map, sections
extract.py         content objects of the wanted pages
layout.py          reading order: columns, paragraphs (direction.py: right-to-left text)
page_blocks.py     texts, tables and pictures in one order, with captions
sections.py        filter for wanted pages and sections
graphics.py        pictures and lines drawn on a page
tables.py          tables, with grids (grids.py, cells.py) or only aligned
table_hints.py     a quick guess whether a page has tables
annotations.py     links, form fields, comments; links.py writes links into the text
attachments.py     files attached to the PDF
elements.py        single elements on demand; images.py renders them
text_positions.py  lines with their boxes, and search

PDFium reads; it is loaded with the first document, not with this package.
"""

from __future__ import annotations

from collections.abc import Iterator

from workroom.documents.types import ContentObject, Element, ExtractionScope, Hit, PageText, SourceFile, Structure


class PdfExtractor:
    media_types = frozenset({"application/pdf"})

    def scan(self, source: SourceFile) -> Structure:
        from workroom.documents.extractors.pdf.scan import scan

        return scan(source)

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        from workroom.documents.extractors.pdf.extract import extract

        return extract(source, wanted)

    def element(self, source: SourceFile, location: str) -> Element:
        from workroom.documents.extractors.pdf.elements import element

        return element(source, location)

    def page_image(self, source: SourceFile, page_index: int, width: int) -> Element:
        from workroom.documents.extractors.pdf.elements import page_image

        return page_image(source, page_index, width)

    def page_text(self, source: SourceFile, page_index: int) -> PageText:
        from workroom.documents.extractors.pdf.text_positions import page_text

        return page_text(source, page_index)

    def find(self, source: SourceFile, text: str, page_index: int | None = None) -> Iterator[Hit]:
        from workroom.documents.extractors.pdf.text_positions import find

        return find(source, text, page_index)

    def tables(self, source: SourceFile, page_index: int) -> list[str]:
        """The tables of one page, each as Markdown."""
        from workroom.documents.extractors.pdf.elements import page_tables

        return page_tables(source, page_index)


EXTRACTOR = PdfExtractor()
