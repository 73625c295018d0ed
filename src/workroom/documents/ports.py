"""What an extractor is: one file per kind in `extractors/`, found by its package, all held to one contract test.

Extractors are plain, blocking functions over a file on disk. They run in processes of their own with limits on memory and
time: they may be slow, leak or crash, and that is an error on one file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from workroom.documents.types import ContentObject, Element, Hit, PageText, SourceFile, Structure, Wanted


class Extractor(Protocol):
    @property
    def media_types(self) -> frozenset[str]: ...

    def scan(self, source: SourceFile) -> Structure:
        """A quick look: in seconds, also for a thousand pages. Raises DocumentError."""
        ...

    def extract(self, source: SourceFile, wanted: Wanted) -> Iterator[ContentObject]:
        """In reading order, as it is found: nothing is collected first. Reads only what is wanted. Raises DocumentError."""
        ...

    def element(self, source: SourceFile, location: str) -> Element:
        """The bytes behind the location of an object that is not text. Raises NotFound."""
        ...


class Paged(Extractor, Protocol):
    """Formats whose pages can be shown as pictures."""

    def page_image(self, source: SourceFile, page_index: int, width: int) -> Element: ...


class Placed(Extractor, Protocol):
    """Formats that know where on a page every line stands."""

    def page_text(self, source: SourceFile, page_index: int) -> PageText: ...


class Searching(Extractor, Protocol):
    """Formats that look for a text better than by reading all their objects (text_search.py)."""

    def find(self, source: SourceFile, text: str, page_index: int | None = None) -> Iterator[Hit]:
        """Everywhere, or on one page."""
        ...
