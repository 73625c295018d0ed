"""Running text of every kind that has headings but no pages: blocks in, sections and content objects out.

Plain text, Markdown, HTML, EPUB and RTF are read into blocks, lazily and in order. What belongs together (paragraphs below
one heading) becomes one object of about a page; tables and pictures stand alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from workroom.documents.content import ObjectBuilder
from workroom.documents.section_numbers import SectionHeading, SectionNumbers, contents_of, is_wanted, sections_of
from workroom.documents.table_slices import table_objects
from workroom.documents.tables import markdown_table
from workroom.documents.types import ContentObject, ContentType, ExtractionScope, Structure

PASSAGE = 4_000  # characters: about what a citation should point to
_MAX_HEADINGS = 5_000


@dataclass(frozen=True)
class TextBlock:
    """`first` and `last` number the lines or blocks it came from, from 1."""

    kind: Literal["heading", "text", "table", "image"]
    text: str
    first: int
    last: int
    level: int = 0
    rows: list[list[str]] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)


def structure_of(kind: str, blocks: Iterable[TextBlock], **more: Any) -> Structure:
    headings: list[SectionHeading] = []
    counts = {"textBlocks": 0, "tables": 0, "images": 0, "characters": 0}
    last = 0
    for block in blocks:
        last = block.last
        counts["characters"] += len(block.text)
        if block.kind == "heading" and len(headings) < _MAX_HEADINGS:
            headings.append(SectionHeading(block.text, block.level, block.first))
        counts[{"table": "tables", "image": "images"}.get(block.kind, "textBlocks")] += 1
    sections = sections_of(headings, last)
    return Structure(kind=kind, sections=sections, toc=contents_of(sections), counts=counts, **more)


def passages(
    objects: ObjectBuilder, blocks: Iterable[TextBlock], wanted: ExtractionScope, unit: str
) -> Iterator[ContentObject]:
    """`unit` names what blocks are numbered by in locations: `lines:5-17`, `blocks:3-3`."""
    numbers = SectionNumbers()
    pending = _PassageBuilder(objects, unit)
    section: str | None = None
    title: str | None = None
    count = 0
    for block in blocks:
        if block.kind == "heading" and count < _MAX_HEADINGS:
            yield from pending.done()
            section, title, count = numbers.next(block.level), block.text, count + 1
        if not (wanted.everything or is_wanted(section, wanted.sections)):
            continue
        pending.section, pending.label = section, title
        if block.kind in ("heading", "text"):
            if pending.size and pending.size + len(block.text) > PASSAGE:
                yield from pending.done()
            pending.add(block)
            continue
        yield from pending.done()
        yield from _alone(objects, block, unit, section, title)
    yield from pending.done()


def _alone(
    objects: ObjectBuilder, block: TextBlock, unit: str, section: str | None, title: str | None
) -> Iterator[ContentObject]:
    if block.kind == "table":
        location = f"{unit}:{block.first}-{block.last}"
        yield from table_objects(objects, location, block.rows, facts=block.facts, section_id=section, label=title)
    else:
        location = f"image:{block.facts['number']}"
        facts = {key: value for key, value in block.facts.items() if key != "number"}
        yield objects.media(ContentType.IMAGE, location, metadata=facts, section_id=section, label=block.text or title)


class _PassageBuilder:
    """Text that is being put together."""

    def __init__(self, objects: ObjectBuilder, unit: str) -> None:
        self._objects = objects
        self._unit = unit
        self._blocks: list[TextBlock] = []
        self.size = 0
        self.section: str | None = None
        self.label: str | None = None

    def add(self, block: TextBlock) -> None:
        self._blocks.append(block)
        self.size += len(block.text)

    def done(self) -> Iterator[ContentObject]:
        if not self._blocks:
            return
        location = f"{self._unit}:{self._blocks[0].first}-{self._blocks[-1].last}"
        text = joined(self._blocks)
        self._blocks, self.size = [], 0
        yield from self._objects.text(text, location, section_id=self.section, label=self.label)


def joined(blocks: Iterable[TextBlock]) -> str:
    """One text of several blocks; items of a list stay together."""
    text = ""
    previous: TextBlock | None = None
    for block in blocks:
        is_list = previous is not None and previous.facts.get("item") and block.facts.get("item")
        text += ("" if previous is None else "\n" if is_list else "\n\n") + as_markdown(block)
        previous = block
    return text


def as_markdown(block: TextBlock) -> str:
    if block.kind == "table":
        return markdown_table(block.rows)
    if block.kind == "heading" and not block.facts.get("verbatim"):
        return f"{'#' * min(max(block.level, 1), 6)} {block.text}"
    return block.text
