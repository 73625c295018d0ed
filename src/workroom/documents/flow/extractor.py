"""Structure, content objects and single elements of any document whose text flows."""

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
from workroom.documents.types import ContentObject, Element, SourceFile, Structure, TocEntry, Wanted


@dataclass(frozen=True)
class FlowExtractor:
    """Of one kind: how its files are opened as text that flows, and where they say what they are about."""

    kind: str
    media_types: frozenset[str]
    open: Callable[[SourceFile], AbstractContextManager[Flow]]
    properties: Callable[[Package], dict[str, str]]

    def scan(self, source: SourceFile) -> Structure:
        with self.open(source) as flow:
            return structure_of(flow, self.kind, self.properties(flow.package))

    def extract(self, source: SourceFile, wanted: Wanted) -> Iterator[ContentObject]:
        with self.open(source) as flow:
            yield from objects_of(flow, wanted)

    def element(self, source: SourceFile, location: str) -> Element:
        with self.open(source) as flow:
            return element_at(flow, location)


_LOCATION = re.compile(r"section:[\d.]+/paragraph:(\d{1,9})/(?:image|object):(\d{1,6})")


def structure_of(flow: Flow, kind: str, properties: dict[str, str]) -> Structure:
    found = survey(flow)
    notes = []
    if found.estimated and len(found.pages) > 1:
        how = f"; it says that it has {flow.pages_said}" if found.stretch != 1.0 else ""
        notes.append(f"This file does not say where its pages end{how}: page numbers are estimated.")
    if found.cut:
        notes.append(f"Tables that are too large to be read whole: {found.cut}.")
    return Structure(
        kind=kind,
        pages=len(found.pages),
        toc=[
            TocEntry(title=section.title, level=section.level, page_index=section.start_page)
            for section in found.sections
        ],
        sections=found.sections,
        page_map=found.page_map(),
        counts={"pages": len(found.pages)} | {name: count for name, count in found.counts.items() if count},
        properties=({"title": found.title} if found.title else {}) | properties,
        notes=notes,
    )


def objects_of(flow: Flow, wanted: Wanted) -> Iterator[ContentObject]:
    """Two passes: the first finds pages and sections, the second reads what is wanted, and ends where that ends."""
    found = survey(flow, whole=wanted.everything)
    numbers = found.wanted_blocks(wanted)
    if numbers is not None and not numbers:
        raise NotFound(f"{flow.package.source.name} has no such page or section.")
    writer = ObjectWriter(flow, found, ObjectBuilder(flow.package.source))
    last = found.blocks if numbers is None else max(numbers)
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
    asked = _LOCATION.fullmatch(location)
    if asked:
        number, place = map(int, asked.groups())
        with closing(flow.blocks(lambda at: at == number)) as blocks:
            block = next((block for block in blocks if block.number == number), None)
        held = block.held[place - 1] if block is not None and 0 < place <= len(block.held) else None
        if held is not None and held.target in flow.package:
            return element_of(flow.package.read(held.target), held.target)
    raise NotFound(f"{flow.package.source.name} has no picture or object at {location}.")
