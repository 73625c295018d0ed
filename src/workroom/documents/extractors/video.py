"""Video: length, size of the picture, codecs, tags; the recording itself is one object."""

from __future__ import annotations

from collections.abc import Iterator

from workroom.documents import recordings
from workroom.documents.types import ContentObject, ContentType, Element, ExtractionScope, SourceFile, Structure


class VideoExtractor:
    media_types = frozenset(
        f"video/{kind}"
        for kind in (
            "mp4",
            "webm",
            "quicktime",
            "x-msvideo",
            "x-matroska",
            "mpeg",
            "ogg",
            "3gpp",
            "x-flv",
            "mp2t",
            "x-ms-wmv",
        )
    )

    def scan(self, source: SourceFile) -> Structure:
        return recordings.structure(source, "video")

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        return recordings.objects_of(source, wanted, ContentType.VIDEO)

    def element(self, source: SourceFile, location: str) -> Element:
        return recordings.element(source, location)


EXTRACTOR = VideoExtractor()
