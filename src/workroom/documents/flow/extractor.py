"""Extractor for documents with flowing text: structure, content objects and single elements."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass

from workroom.core.errors import NotFound
from workroom.documents.content import ObjectBuilder
from workroom.documents.embedded import element_of
from workroom.documents.flow.blocks import Flow
from workroom.documents.flow.object_writer import ObjectWriter
from workroom.documents.flow.survey import survey
from workroom.documents.office.package import Package
from workroom.documents.types import ContentObject, Element, ExtractionScope, SourceFile, Structure, TocEntry


@dataclass(frozen=True)
class FlowExtractor:
    """The extractor of one format, given functions that open its files as a flow and read their properties."""

    kind: str
    media_types: frozenset[str]
    open: Callable[[SourceFile], AbstractContextManager[Flow]]
    properties: Callable[[Package], dict[str, str]]

    def scan(self, source: SourceFile) -> Structure:
        with self.open(source) as flow:
            return structure_of(flow, self.kind, self.properties(flow.package))

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        with self.open(source) as flow:
            yield from objects_of(flow, wanted)

    def element(self, source: SourceFile, location: str) -> Element:
        with self.open(source) as flow:
            return element_at(flow, location)


_LOCATION = re.compile(r"section:[\d.]+/paragraph:(\d{1,9})/(?:image|object):(\d{1,6})")


def structure_of(flow: Flow, kind: str, properties: dict[str, str]) -> Structure:
    surveyed = survey(flow)
    notes = []
    if surveyed.estimated and len(surveyed.pages) > 1:
        how = f"; it says that it has {flow.declared_pages}" if surveyed.stretch != 1.0 else ""
        notes.append(f"This file does not say where its pages end{how}: page numbers are estimated.")
    if surveyed.cut:
        notes.append(f"Tables that are too large to be read whole: {surveyed.cut}.")
    return Structure(
        kind=kind,
        pages=len(surveyed.pages),
        toc=[
            TocEntry(title=section.title, level=section.level, page_index=section.start_page)
            for section in surveyed.sections
        ],
        sections=surveyed.sections,
        page_map=surveyed.page_map(),
        counts={"pages": len(surveyed.pages)} | {name: count for name, count in surveyed.counts.items() if count},
        properties=({"title": surveyed.title} if surveyed.title else {}) | properties,
        notes=notes,
    )


def objects_of(flow: Flow, wanted: ExtractionScope) -> Iterator[ContentObject]:
    """Two passes: the first finds pages and sections, the second reads what is wanted, and ends where that ends."""
    surveyed = survey(flow, whole=wanted.everything)
    numbers = surveyed.wanted_blocks(wanted)
    if numbers is not None and not numbers:
        raise NotFound(f"{flow.package.source.name} has no such page or section.")
    writer = ObjectWriter(flow, surveyed, ObjectBuilder(flow.package.source))
    last = surveyed.blocks if numbers is None else max(numbers)
    before = None
    # One block ahead: the caption of a picture often stands below it.
    with closing(flow.blocks(lambda number: numbers is None or number in numbers or number == last + 1)) as blocks:
        for block in blocks:
            if before is not None:
                yield from writer.write(before, block)
            before = block if numbers is None or block.number in numbers else None
            if block.number > last:
                break
    if before is not None:
        yield from writer.write(before, None)
    yield from writer.rest()
    if numbers is None:
        yield from writer.running()


def element_at(flow: Flow, location: str) -> Element:
    match = _LOCATION.fullmatch(location)
    if match:
        number, index = map(int, match.groups())
        with closing(flow.blocks(lambda at: at == number)) as blocks:
            block = next((block for block in blocks if block.number == number), None)
        part = block.parts[index - 1] if block is not None and 0 < index <= len(block.parts) else None
        if part is not None and part.target in flow.package:
            return element_of(flow.package.read(part.target), part.target)
    raise NotFound(f"{flow.package.source.name} has no picture or object at {location}.")
