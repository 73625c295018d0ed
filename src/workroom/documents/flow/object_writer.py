"""Blocks as content objects: neighbouring paragraphs of a section together, tables, pictures and notes by themselves."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from workroom.documents.captions import is_caption
from workroom.documents.content import ObjectBuilder
from workroom.documents.embedded import content_type_of, facts_of
from workroom.documents.errors import DocumentError
from workroom.documents.flow.blocks import EmbeddedPart, Flow, FlowBlock, FlowNote
from workroom.documents.flow.survey import Survey
from workroom.documents.table_slices import table_objects
from workroom.documents.types import ContentObject, ContentType, Section
from workroom.documents.whitespace import one_line

_TOGETHER = 2_000  # characters of neighbouring paragraphs in one object
_ITEM = re.compile(r"\s*(?:-|\S{1,8}[.)])\s")


@dataclass
class _ParagraphRun:
    """Paragraphs that will be one object."""

    first: int
    last: int
    page: int
    section: Section | None
    lines: list[str] = field(default_factory=list)
    length: int = 0


class ObjectWriter:
    def __init__(self, flow: Flow, survey: Survey, objects: ObjectBuilder) -> None:
        self._flow = flow
        self._survey = survey
        self._objects = objects
        self._starts = [section.first or 0 for section in survey.sections]
        self._run: _ParagraphRun | None = None
        self._last_text = ""

    def write(self, block: FlowBlock, following: FlowBlock | None) -> Iterator[ContentObject]:
        heading = self._survey.headings.get(block.number)
        if heading is not None:
            yield from self.rest()
            text = f"{'#' * min(heading.level, 6)} {heading.title}"
            metadata = {"heading": heading.level}
            yield from self._objects.text(text, self._location(block), metadata=metadata, **self._ref(block))
        elif block.rows is not None:
            yield from self.rest()
            yield from self._table(block, following)
        elif block.text:
            yield from self._paragraph(block)
        if block.has_attached:
            yield from self.rest()
            yield from self._attachments(block, following)
        self._last_text = block.text or self._last_text

    def rest(self) -> Iterator[ContentObject]:
        """The paragraphs collected so far, as one object."""
        run, self._run = self._run, None
        if run is not None:
            paragraphs = f"{run.first}-{run.last}" if run.last > run.first else str(run.first)
            location = f"section:{_number(run.section)}/paragraph:{paragraphs}"
            text = "\n\n".join(_lists_together(run.lines))
            yield from self._objects.text(text, location, **_common(run.section, run.page))

    def running(self) -> Iterator[ContentObject]:
        """Headers and footers, once."""
        for kind in ("header", "footer"):
            for number, text in enumerate(self._flow.running(kind), start=1):
                yield from self._objects.text(text, f"{kind}:{number}", metadata={"role": kind})

    def _paragraph(self, block: FlowBlock) -> Iterator[ContentObject]:
        section, page = self._section(block), self._survey.page_of(block)
        run = self._run
        if run is not None and (run.length + len(block.text) > _TOGETHER or (run.section, run.page) != (section, page)):
            yield from self.rest()
            run = None
        if run is None:
            run = self._run = _ParagraphRun(block.number, block.number, page, section)
        run.last = block.number
        run.lines.append(block.line)
        run.length += len(block.line)

    def _table(self, block: FlowBlock, following: FlowBlock | None) -> Iterator[ContentObject]:
        rows, ref = block.rows or [], self._ref(block)
        if len(rows) == 1 and len(set(rows[0])) == 1:  # a frame around some text
            yield from self._objects.text(rows[0][0], self._location(block), **ref)
        elif any(any(row) for row in rows):
            ref["label"] = self._caption(following) or ref["label"]
            yield from table_objects(self._objects, self._location(block), rows, **ref)

    def _attachments(self, block: FlowBlock, following: FlowBlock | None) -> Iterator[ContentObject]:
        location, ref = self._location(block), self._ref(block)
        for number, part in enumerate(block.parts, start=1):
            if part.target in self._flow.package:
                label = self._caption(following)
                yield from self._embedded(part, f"{location}/{part.kind}:{number}", label, ref)
        for number, text in enumerate(block.boxes, start=1):
            yield from self._objects.text(text, f"{location}/box:{number}", metadata={"role": "box"}, **ref)
        for address in dict.fromkeys(block.outside):
            yield from self._objects.text(f"Picture outside this file: {address}", f"{location}/link", **ref)
        for note in block.notes:
            yield from self._note(note, location, ref)

    def _embedded(
        self, part: EmbeddedPart, location: str, caption: str | None, ref: dict[str, Any]
    ) -> Iterator[ContentObject]:
        try:
            if part.kind == "chart":
                title, kind, rows = self._flow.chart(part.target)
                named = ref | {"label": title or caption or ref["label"]}
                yield from table_objects(self._objects, location, rows, facts={"chart": kind}, **named)
                return
            if part.kind == "diagram":
                text = "\n".join(self._flow.diagram(part.target))
                yield from self._objects.text(text, location, metadata={"role": "diagram"}, **ref)
                return
            facts = facts_of(self._flow.package.read(part.target), part.target)
        except DocumentError:  # one broken picture; the text around it is fine
            return
        if part.description:
            facts["description"] = one_line(part.description, 500)
        content_type = ContentType.IMAGE if part.kind == "image" else content_type_of(facts["mediaType"])
        named = ref | {"label": caption or part.description or ref["label"]}
        yield self._objects.media(content_type, location, metadata=facts, **named)

    def _note(self, note: FlowNote, block_location: str, ref: dict[str, Any]) -> Iterator[ContentObject]:
        """A note, placed right after the block it belongs to."""
        location = f"{block_location}/{note.kind}:{note.id}"
        if note.kind == "comment":
            metadata: dict[str, Any] = {"comment": True} | ({"author": note.author} if note.author else {})
            yield from self._objects.text(note.text, location, metadata=metadata, **ref)
        elif note.text:
            text = f"[^{note.id}]: {note.text}"
            yield from self._objects.text(text, location, metadata={"role": note.kind}, **ref)

    def _caption(self, following: FlowBlock | None) -> str | None:
        """Below a picture or above it."""
        if following is not None and following.text and (following.is_caption or is_caption(following.text)):
            return one_line(following.text, 300)
        return one_line(self._last_text, 300) if is_caption(self._last_text) else None

    def _section(self, block: FlowBlock) -> Section | None:
        at = bisect_right(self._starts, block.number) - 1
        return self._survey.sections[at] if at >= 0 else None

    def _location(self, block: FlowBlock) -> str:
        return f"section:{_number(self._section(block))}/paragraph:{block.number}"

    def _ref(self, block: FlowBlock) -> dict[str, Any]:
        return _common(self._section(block), self._survey.page_of(block))


def _common(section: Section | None, page: int) -> dict[str, Any]:
    if section is None:
        return {"section_id": None, "label": None, "page_index": page}
    return {"section_id": section.id, "label": section.title, "page_index": page}


def _number(section: Section | None) -> str:
    return section.id.removeprefix("s") if section else "0"


def _lists_together(lines: list[str]) -> Iterator[str]:
    """Items of a list on lines of their own, other paragraphs with an empty line between."""
    items: list[str] = []
    for line in lines:
        if _ITEM.match(line):
            items.append(line)
            continue
        if items:
            yield "\n".join(items)
            items = []
        yield line
    if items:
        yield "\n".join(items)
