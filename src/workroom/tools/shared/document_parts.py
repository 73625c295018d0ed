"""Which part of a document a tool's arguments name: a page, a location, a section."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from workroom.contents.part_resolution import find_section
from workroom.contents.parts import PartSelection
from workroom.core.errors import NotFound
from workroom.documents.types import Structure

Page = Annotated[int, Field(ge=1, le=100_000)]
NEAREST = 15  # sections listed when there is none of that name


def numbered(structure: Structure, page: int) -> PartSelection:
    """The page with this number, counted from 1; in a presentation, the slide."""
    return PartSelection(slides=(page,)) if structure.slides and not structure.pages else PartSelection(pages=(page,))


def part_at(structure: Structure, location: str) -> PartSelection:
    """Which part to read for a location, if it says so: `page:5/region:bottomLeft` is on page 5."""
    kind, _, name = location.split("/", 1)[0].partition(":")
    if kind == "page" and structure.pages and name.isascii() and name.isdigit():
        return PartSelection(pages=(int(name),))
    if kind == "slide" and structure.slides and name.isascii() and name.isdigit():
        return PartSelection(slides=(int(name),))
    if kind == "sheet" and any(sheet.name == name for sheet in structure.sheets):
        return PartSelection(sheets=(name,))
    return PartSelection()


def section_named(structure: Structure, name: str) -> str:
    """The id of the section that this id, number or title names."""
    if (found := find_section(structure, name)) is not None:
        return found.id
    if not structure.sections:
        raise NotFound("This document has no sections. Read its pages, sheets or slides, or all of it with readFile.")
    listed = "; ".join(f"{section.id} {section.title[:80]}" for section in structure.sections[:NEAREST])
    raise NotFound(f"There is no section “{name[:100]}”. There is: {listed}. browseContainer shows all of them.")
