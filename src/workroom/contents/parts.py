"""The parts a document is read in, and what people and models call them.

A document with pages is kept by page, a workbook by sheet, a presentation by slide; everything else as a whole, or section
by section where the whole would be too much. So whatever was read for one question is there for the next, however it asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from workroom.core.errors import InvalidInput
from workroom.documents.types import ContentObject, ExtractionScope, Section, Structure

WHOLE = "whole"
REST = "rest"  # what belongs to no page, sheet or slide: attachments, properties
LARGE = 1_000_000  # bytes; a text beyond that is read by sections


@dataclass(frozen=True)
class PartSelection:
    """Which parts of a document to read, as people count: pages and slides from 1. An empty selection means all of it."""

    pages: tuple[int, ...] = ()
    slides: tuple[int, ...] = ()
    sheets: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Names the selection in the keys of stored digests. It says `Wish` because the class was called so when the first of
        them were stored; with another word they would all be made and paid for again."""
        return f"Wish(pages={self.pages!r}, slides={self.slides!r}, sheets={self.sheets!r}, sections={self.sections!r})"


@dataclass(frozen=True)
class SelectedParts:
    """The parts a selection comes to, in reading order, and the sections to keep of what is in them; none: all of it."""

    parts: tuple[str, ...]
    sections: tuple[Section, ...] = ()


def selection_of(part: str | None) -> PartSelection:
    """`page:47`, `slide:3`, `sheet:Q4`, `section:s1.2`; nothing for the whole."""
    if part is None or part in ("", WHOLE):
        return PartSelection()
    kind, _, name = part.partition(":")
    if kind in ("page", "slide") and name.isascii() and name.isdigit() and len(name) < 7:
        return PartSelection(pages=(int(name),)) if kind == "page" else PartSelection(slides=(int(name),))
    if kind == "sheet" and name:
        return PartSelection(sheets=(name,))
    if kind == "section" and name:
        return PartSelection(sections=(name,))
    raise InvalidInput("A part is `page:47`, `slide:3`, `sheet:Q4` or `section:s1.2`.", field="part")


def units(structure: Structure) -> list[str]:
    """All parts of a document in reading order; each can be read without the others."""
    if structure.pages:
        return [f"page:{number + 1}" for number in range(structure.pages)]
    if structure.slides:
        return [f"slide:{slide.slide_index + 1}" for slide in structure.slides]
    if structure.sheets:
        return [f"sheet:{number}" for number in range(len(structure.sheets))]
    return [WHOLE]


def chosen(structure: Structure, size: int, selection: PartSelection) -> SelectedParts:
    """Raises InvalidInput, saying what there is, for a part the document does not have."""
    keys: list[str] = []
    if selection.pages:
        keys += [_numbered("page", number, structure.pages or 0) for number in selection.pages]
    if selection.slides:
        keys += [_numbered("slide", number, len(structure.slides)) for number in selection.slides]
    if selection.sheets:
        keys += [f"sheet:{_sheet(structure, name)}" for name in selection.sheets]
    sections = [_section(structure, id_) for id_ in selection.sections]
    if not (keys or sections):
        return SelectedParts((*units(structure), *_beside(structure)))
    for section in sections:
        keys += _parts_of(structure, size, section)
    only = not (selection.pages or selection.slides or selection.sheets)
    return SelectedParts(tuple(dict.fromkeys(keys)), tuple(sections) if only else ())


def extraction_scope(structure: Structure, parts: Iterable[str]) -> ExtractionScope:
    """How the extractor is asked for these parts."""
    named: dict[str, set[str]] = {"page": set(), "slide": set(), "sheet": set(), "section": set()}
    for part in parts:
        kind, _, name = part.partition(":")
        if kind in named:
            named[kind].add(name)
    return ExtractionScope(
        pages=frozenset(int(name) - 1 for name in named["page"]),
        slides=frozenset(int(name) - 1 for name in named["slide"]),
        sheets=frozenset(structure.sheets[int(name)].name for name in named["sheet"]),
        sections=frozenset(named["section"]),
    )


def part_finder(structure: Structure, asked: Sequence[str]) -> Callable[[ContentObject], str]:
    """Says to which part something belongs that was found."""
    sheets = {sheet.name: number for number, sheet in reversed(list(enumerate(structure.sheets)))}
    return lambda object: _part_of(structure, object, asked, sheets)


def _part_of(structure: Structure, object: ContentObject, asked: Sequence[str], sheets: Mapping[str, int]) -> str:
    ref = object.ref
    if asked and asked[0].startswith("section:"):
        return asked[0]
    if structure.pages:
        only = 0 if structure.pages == 1 else None  # what says no page is on the only one
        page = ref.page_index if ref.page_index is not None else only
        return REST if page is None else f"page:{page + 1}"
    if structure.slides:
        return REST if ref.slide_index is None else f"slide:{ref.slide_index + 1}"
    if structure.sheets:
        index = None if ref.sheet_name is None else sheets.get(ref.sheet_name)
        return REST if index is None else f"sheet:{index}"
    return WHOLE


def _beside(structure: Structure) -> list[str]:
    """Whether there is more than pages, sheets and slides: only then all of it is read to find that."""
    more = ("attachments", "images", "charts", "media", "objects") if structure.sheets else ("attachments",)
    return [REST] if any(structure.counts.get(name) for name in more) and units(structure) != [WHOLE] else []


def _parts_of(structure: Structure, size: int, section: Section) -> list[str]:
    if structure.pages and section.start_page is not None:
        last = section.end_page if section.end_page is not None else section.start_page
        return [f"page:{number + 1}" for number in range(section.start_page, min(last, structure.pages - 1) + 1)]
    return [f"section:{section.id}"] if size > LARGE else [WHOLE]


def _numbered(kind: str, number: int, count: int) -> str:
    if not count:
        raise InvalidInput(f"This document has no {kind}s.", field="part")
    if not 1 <= number <= count:
        raise InvalidInput(
            f"This document has {count} {kind}{'s' if count > 1 else ''}; there is no {kind} {number}.", field="part"
        )
    return f"{kind}:{number}"


def _sheet(structure: Structure, name: str) -> int:
    names = [sheet.name for sheet in structure.sheets]
    if not names:
        raise InvalidInput("This document has no sheets.", field="part")
    for alike in (name.__eq__, lambda other: other.casefold() == name.casefold()):
        if found := [number for number, other in enumerate(names) if alike(other)]:
            return found[0]
    listed = ", ".join(f"“{other}”" for other in names[:20])
    raise InvalidInput(f"There is no sheet “{name[:100]}” here. There is {listed}.", field="part")


def _section(structure: Structure, id_: str) -> Section:
    for section in structure.sections:
        if section.id == id_:
            return section
    raise InvalidInput(
        "This document has no such section. Its structure lists the sections and their ids.", field="part"
    )
