"""A file of 0 bytes: nothing is wrong with it, there is just nothing in it."""

from __future__ import annotations

from collections.abc import Iterator

from workroom.core.errors import NotFound
from workroom.documents.kinds import EMPTY
from workroom.documents.types import ContentObject, Element, ExtractionScope, SourceFile, Structure


class EmptyExtractor:
    media_types = frozenset({EMPTY})

    def scan(self, source: SourceFile) -> Structure:
        return Structure(kind="empty", notes=["This file is empty: 0 bytes."])

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        return iter(())

    def element(self, source: SourceFile, location: str) -> Element:
        raise NotFound(f"{source.name} is empty: 0 bytes.")


EXTRACTOR = EmptyExtractor()
