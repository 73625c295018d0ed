"""RTF: text, headings by outline level, tables and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from workroom.core.errors import NotFound
from workroom.documents.content import ObjectBuilder
from workroom.documents.embedded import element_of, facts_of
from workroom.documents.errors import DamagedDocument, DocumentTooLarge
from workroom.documents.passages import TextBlock, passages, structure_of
from workroom.documents.rtf_reader import RtfReader
from workroom.documents.types import ContentObject, Element, ExtractionScope, SourceFile, Structure

MAX_BYTES = 64 << 20
_LOCATION = re.compile(r"image:(\d{1,5})")


class RtfExtractor:
    media_types = frozenset({"application/rtf", "text/rtf"})

    def scan(self, source: SourceFile) -> Structure:
        return structure_of("rtf", _reader(source).blocks())

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        reader = _reader(source)
        yield from passages(ObjectBuilder(source), _described(reader), wanted, "blocks")

    def element(self, source: SourceFile, location: str) -> Element:
        match = _LOCATION.fullmatch(location)
        reader = _reader(source)
        for block in reader.blocks() if match else ():
            if match and block.kind == "image" and block.facts["number"] == int(match[1]):
                media_type, data = reader.pictures[-1]
                return element_of(data, "", media_type)
        raise NotFound(f"{source.name} has no picture at {location}.")


EXTRACTOR = RtfExtractor()


def _reader(source: SourceFile) -> RtfReader:
    size = source.path.stat().st_size
    if size > MAX_BYTES:
        raise DocumentTooLarge(f"{source.name} has {size >> 20} MB; up to {MAX_BYTES >> 20} MB of RTF can be read.")
    text = source.path.read_bytes().decode("latin-1")
    if not text.lstrip().startswith("{\\rtf"):
        raise DamagedDocument(f"{source.name} is no RTF. Send it under its own name, or save it again where it opens.")
    return RtfReader(text)


def _described(reader: RtfReader) -> Iterator[TextBlock]:
    for block in reader.blocks():
        if block.kind == "image":
            media_type, data = reader.pictures[-1]
            yield replace(block, facts={**block.facts, **facts_of(data, "", media_type)})
        else:
            yield block
