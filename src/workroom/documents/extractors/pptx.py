"""PPTX: slides in order with titles, text in reading order, tables, charts, diagrams, notes, comments, pictures, recordings.

The reader is our own, over the XML of the package: one slide at a time, never the whole presentation in memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from workroom.core.errors import NotFound
from workroom.documents.content import ObjectBuilder
from workroom.documents.embedded import element_of, facts_of
from workroom.documents.errors import DocumentError
from workroom.documents.office.charts import chart_kind, chart_rows, chart_title
from workroom.documents.office.comments import slide_comments
from workroom.documents.office.frames import chart_of, diagram_texts, links_outside, parts_in_frame, table_rows
from workroom.documents.office.package import Package
from workroom.documents.office.properties import properties_of
from workroom.documents.office.shapes import Shape, flat
from workroom.documents.office.slides import Deck, Slide
from workroom.documents.table_slices import table_objects
from workroom.documents.types import (
    ContentObject,
    ContentType,
    Element,
    ExtractionScope,
    SlideInfo,
    SourceFile,
    Structure,
    TocEntry,
)
from workroom.documents.whitespace import one_line

_OFFICE = "application/vnd.openxmlformats-officedocument.presentationml."
_MACRO = "application/vnd.ms-powerpoint."
_LOCATION = re.compile(r"slide:(\d{1,6})/shape:(\d{1,6})(?:/part:(\d{1,4}))?")


class PptxExtractor:
    media_types = frozenset(
        {f"{_OFFICE}presentation", f"{_OFFICE}slideshow", f"{_OFFICE}template"}
        | {f"{_MACRO}{kind}.macroenabled.12" for kind in ("presentation", "slideshow", "template")}
    )

    def scan(self, source: SourceFile) -> Structure:
        with Package(source) as package:
            deck = Deck(package)
            slides: list[SlideInfo] = []
            counts = {"slides": len(deck.parts), "images": 0, "tables": 0, "charts": 0, "media": 0, "notes": 0}
            notes = [f"{deck.missing} slides are missing from the file."] if deck.missing else []
            notes += [f"{deck.beyond} slides beyond the first {len(deck.parts)} are not read."] if deck.beyond else []
            for index in range(len(deck.parts)):
                try:
                    slides.append(_slide_info(deck.slide(index), counts))
                except DocumentError as error:
                    slides.append(SlideInfo(slide_index=index))
                    notes.append(f"Slide {index + 1}: {error.message}")
            toc = [
                TocEntry(title=slide.title, level=1, page_index=slide.slide_index) for slide in slides if slide.title
            ]
            return Structure(
                kind="pptx", slides=slides, toc=toc, counts=counts, properties=properties_of(package), notes=notes
            )

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        objects = ObjectBuilder(source)
        with Package(source) as package:
            deck = Deck(package)
            for index in range(len(deck.parts)):
                if wanted.everything or index in wanted.slides:
                    try:
                        slide = deck.slide(index)
                        yield from _SlideReader(objects, slide).read()
                    except DocumentError:  # one broken slide is noted in the structure; the others are read
                        continue

    def element(self, source: SourceFile, location: str) -> Element:
        match = _LOCATION.fullmatch(location)
        with Package(source) as package:
            deck = Deck(package)
            if match and 1 <= int(match[1]) <= len(deck.parts):
                slide = deck.slide(int(match[1]) - 1)
                for number, part in _parts_of(slide, int(match[2])):
                    if number == int(match[3] or 1):
                        return element_of(package.read(part), part)
        raise NotFound(f"{source.name} has no picture or recording at {location}.")

    def page_image(self, source: SourceFile, page_index: int, width: int) -> Element:
        """An SVG, drawn from what the file says: see slide_pictures/."""
        from workroom.documents.slide_pictures.slide import slide_picture

        with Package(source) as package:
            deck = Deck(package)
            if not 0 <= page_index < len(deck.parts):
                raise NotFound(f"{source.name} has {len(deck.parts)} slides; there is no slide {page_index + 1}.")
            return slide_picture(package, deck.presentation, deck.parts[page_index], page_index, width)


EXTRACTOR = PptxExtractor()


def _slide_info(slide: Slide, counts: dict[str, int]) -> SlideInfo:
    length = 0
    has_images = False
    for shape in flat(slide.shapes):
        length += _length(slide, shape)
        if shape.kind in ("pic", "graphicFrame", "sp"):
            kinds = [part.content_type for part in parts_in_frame(slide.package, slide.part, shape.element)]
            has_images = has_images or ContentType.IMAGE in kinds
            counts["images"] += kinds.count(ContentType.IMAGE)
            counts["media"] += kinds.count(ContentType.VIDEO) + kinds.count(ContentType.AUDIO)
        if shape.kind == "graphicFrame":
            counts["tables"] += shape.element.find(".//{*}tbl") is not None
            counts["charts"] += shape.element.find(".//{*}chart") is not None
    counts["notes"] += bool(slide.package.related(slide.part, "notesSlide"))
    return SlideInfo(
        slide_index=slide.index, title=slide.title, text_length=length, has_images=has_images, hidden=slide.hidden
    )


def _length(slide: Slide, shape: Shape) -> int:
    """Of what can be read in it, tables, charts and diagrams included."""
    length = sum(map(len, slide.text(shape)))
    if shape.kind != "graphicFrame":
        return length
    rows = table_rows(shape.element)
    if (chart := chart_of(slide.package, slide.part, shape.element)) is not None:
        rows = [*rows, [chart_title(chart)], *chart_rows(chart)]
    texts = [*(cell for row in rows for cell in row), *diagram_texts(slide.package, slide.part, shape.element)]
    return length + sum(map(len, texts))


def _parts_of(slide: Slide, number: int) -> Iterator[tuple[int, str]]:
    for shape in flat(slide.shapes):
        if shape.number == number and shape.kind != "grpSp":
            parts = parts_in_frame(slide.package, slide.part, shape.element)
            yield from ((index, part.part) for index, part in enumerate(parts, start=1))


class _SlideReader:
    def __init__(self, objects: ObjectBuilder, slide: Slide) -> None:
        self._objects = objects
        self._slide = slide
        self._ref = {"slide_index": slide.index, "label": slide.title or None}
        self._facts: dict[str, Any] = {"hidden": True} if slide.hidden else {}
        self._wordless = not any(_length(slide, shape) for shape in flat(slide.shapes))

    def read(self) -> Iterator[ContentObject]:
        for shape in flat(self._slide.shapes):
            if shape.kind != "grpSp":
                yield from self._shape(shape)
        where = f"slide:{self._slide.index + 1}"
        yield from self._text(self._slide.notes(), f"{where}/notes", {"role": "notes"})
        comments = slide_comments(self._slide.package, self._slide.part)
        yield from self._text(comments, f"{where}/comments", {"role": "comments"})

    def _shape(self, shape: Shape) -> Iterator[ContentObject]:
        location = f"slide:{self._slide.index + 1}/shape:{shape.number}"
        texts = self._slide.text(shape)
        if shape.is_title:
            yield from self._text(["# " + one_line(" ".join(texts))] if texts else [], location, {"role": "title"})
        else:
            yield from self._text(texts, location, {})
        if shape.kind == "graphicFrame":
            yield from self._frame(shape, location)
        yield from self._held(shape, location)

    def _text(self, texts: list[str], location: str, facts: dict[str, Any]) -> Iterator[ContentObject]:
        yield from self._objects.text("\n".join(texts), location, metadata={**self._facts, **facts}, **self._ref)

    def _frame(self, shape: Shape, location: str) -> Iterator[ContentObject]:
        package, part = self._slide.package, self._slide.part
        rows = table_rows(shape.element)
        if rows:
            yield from table_objects(self._objects, location, rows, facts=self._facts, **self._ref)
        elif (chart := chart_of(package, part, shape.element)) is not None:
            facts = {**self._facts, "chart": chart_kind(chart)}
            if title := chart_title(chart):
                yield from self._text([title], f"{location}/title", {"role": "chartTitle"})
            ref = {**self._ref, "label": title or self._ref["label"]}
            yield from table_objects(self._objects, location, chart_rows(chart), facts=facts, **ref)
        else:
            yield from self._text(diagram_texts(package, part, shape.element), location, {"role": "diagram"})

    def _held(self, shape: Shape, location: str) -> Iterator[ContentObject]:
        package, part = self._slide.package, self._slide.part
        for index, embedded in enumerate(parts_in_frame(package, part, shape.element), start=1):
            where = location if index == 1 else f"{location}/part:{index}"
            try:
                facts = {**self._facts, **facts_of(package.read(embedded.part), embedded.part)}
            except DocumentError:
                continue
            if self._wordless and embedded.content_type is ContentType.IMAGE:
                facts["scanned"] = True
            label = shape.alternative or self._ref["label"] or shape.name or None
            yield self._objects.media(
                embedded.content_type, where, metadata=facts, slide_index=self._slide.index, label=label
            )
        links = [f"Recording outside this file: {address}" for address in links_outside(package, part, shape.element)]
        yield from self._text(links, f"{location}/link", {"role": "link"})
