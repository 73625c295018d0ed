"""The extractor port: one module per kind in `extractors/`, discovered, all covered by one contract test.

Extractors are blocking functions over a file on disk. They run in child processes with limits on memory and time: if one is
slow, leaks or crashes, only that file fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from workroom.documents.types import ContentObject, Element, ExtractionScope, Hit, PageText, SourceFile, Structure


class Extractor(Protocol):
    @property
    def media_types(self) -> frozenset[str]: ...

    def scan(self, source: SourceFile) -> Structure:
        """The structure of a document, in seconds also for a thousand pages. Raises DocumentError."""
        ...

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        """Content objects in reading order, as a stream; reads only the wanted parts. Raises DocumentError."""
        ...

    def element(self, source: SourceFile, location: str) -> Element:
        """The bytes of an object that is not text, by its location. Raises NotFound."""
        ...


class Paged(Extractor, Protocol):
    """Formats whose pages can be rendered as pictures."""

    def page_image(self, source: SourceFile, page_index: int, width: int) -> Element: ...


class Placed(Extractor, Protocol):
    """Formats with the position of every line on a page."""

    def page_text(self, source: SourceFile, page_index: int) -> PageText: ...


class Searching(Extractor, Protocol):
    """Formats with a search of their own, better than searching all content objects (text_search.py)."""

    def find(self, source: SourceFile, text: str, page_index: int | None = None) -> Iterator[Hit]:
        """Everywhere, or on one page."""
        ...
