"""Plain text: paragraphs, and sections where headings can be seen (numbers, capitals, underlines, `Chapter 3`)."""

from __future__ import annotations

from collections.abc import Iterator

from workroom.core.errors import NotFound
from workroom.documents.content import ObjectBuilder
from workroom.documents.passages import passages, structure_of
from workroom.documents.text_blocks import text_blocks
from workroom.documents.text_files import lines, open_text
from workroom.documents.types import ContentObject, Element, ExtractionScope, SourceFile, Structure


class TextExtractor:
    media_types = frozenset({"text/plain"})

    def scan(self, source: SourceFile) -> Structure:
        with open_text(source) as stream:
            return structure_of("text", text_blocks(lines(stream)), properties={"encoding": stream.encoding})

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        with open_text(source) as stream:
            yield from passages(ObjectBuilder(source), text_blocks(lines(stream)), wanted, "lines")

    def element(self, source: SourceFile, location: str) -> Element:
        raise NotFound("A text file holds nothing but text.")


EXTRACTOR = TextExtractor()
