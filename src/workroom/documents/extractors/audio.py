"""Audio: length, codecs, tags; the recording itself is one object."""

from __future__ import annotations

from collections.abc import Iterator

from workroom.documents import recordings
from workroom.documents.types import ContentObject, ContentType, Element, ExtractionScope, SourceFile, Structure


class AudioExtractor:
    media_types = frozenset(
        f"audio/{kind}" for kind in ("mpeg", "wav", "mp4", "flac", "ogg", "aac", "aiff", "amr", "webm", "x-ms-wma")
    )

    def scan(self, source: SourceFile) -> Structure:
        return recordings.structure(source, "audio")

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        return recordings.objects_of(source, wanted, ContentType.AUDIO)

    def element(self, source: SourceFile, location: str) -> Element:
        return recordings.element(source, location)


EXTRACTOR = AudioExtractor()
