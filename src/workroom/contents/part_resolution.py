"""Resolves references such as "page 47", "chapter 3" or "sheet Q4" to parts of one document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from workroom.contents.parts import PartSelection
from workroom.core.actions import OpenFile
from workroom.core.places import DocumentPlace, file_place, number_ranges, numbered_place, section_place, sheet_place
from workroom.documents.references import PartReferences
from workroom.documents.types import Section, Structure

_WORDS = r"(?:chapter|kapitel|chapitre|cap[ií]tulo|section|abschnitt|se[cç][cç]?[aã]o|teil|part|partie|第)?\s*"
NUMBERED = re.compile(rf"{_WORDS}(\d{{1,3}}(?:\.\d{{1,3}})*)(?:[\s.:)\-–—章节]|$)", re.IGNORECASE)


@dataclass(frozen=True)
class ReferencedPart:
    """A part of a document: how to select it, and its place, without the document's path."""

    place: DocumentPlace
    selection: PartSelection

    def opens(self, at: OpenFile) -> OpenFile:
        """The first of it, to be shown."""
        selection = self.selection
        place = {
            "page": selection.pages[0] if selection.pages else None,
            "slide": selection.slides[0] if selection.slides else None,
            "sheet": selection.sheets[0] if selection.sheets else None,
            "section": selection.sections[0] if selection.sections else None,
        }
        return at.model_copy(update=place)


def place_of_selection(selection: PartSelection, path: str, *, recognised: bool = False) -> DocumentPlace:
    """The place of a selection in the document at `path`; of several sheets or sections the first."""
    if selection.pages:
        place = numbered_place("page", selection.pages, path)
    elif selection.slides:
        place = numbered_place("slide", selection.slides, path)
    elif selection.sheets:
        place = sheet_place(selection.sheets[0], path)
    elif selection.sections:
        place = section_place(selection.sections[0], path=path)
    else:
        place = file_place(path)
    return place.model_copy(update={"recognised": recognised})


def resolve_parts(structure: Structure, places: PartReferences) -> tuple[list[ReferencedPart], list[str]]:
    """The parts that are referred to, and sentences about those the document does not have. People call slides pages, and pages
    slides."""
    references, missing = list[ReferencedPart](), list[str]()
    numbers = tuple(dict.fromkeys((*places.pages, *places.slides)))
    if numbers:
        _numbered(structure, numbers, references, missing)
    for name in places.sheets:
        if sheet := find_sheet(structure, name):
            references.append(ReferencedPart(sheet_place(sheet), PartSelection(sheets=(sheet,))))
        elif structure.sheets:
            listed = ", ".join(f"“{other.name}”" for other in structure.sheets[:20])
            missing.append(f"There is no sheet “{name}”; there is {listed}.")
    for chapter in places.chapters:
        if section := find_section(structure, chapter):
            references.append(
                ReferencedPart(section_place(section.id, section.title), PartSelection(sections=(section.id,)))
            )
        else:
            missing.append(f"No chapter “{chapter}” was found among its headings.")
    return references, missing


def find_section(structure: Structure, text: str) -> Section | None:
    """By id, by the number before its title, by its title or a part of it; the uppermost first. Where no title has a number,
    chapters are counted."""
    wanted = " ".join(text.casefold().split())
    if not wanted:
        return None
    if by_id := next((section for section in structure.sections if section.id == wanted), None):
        return by_id
    if re.fullmatch(r"\d+(?:\.\d+)*", wanted):
        numbered = [(number, section) for section in structure.sections if (number := _number(section))]
        if numbered:
            return _uppermost(section for number, section in numbered if number == wanted)
        return next((section for section in structure.sections if section.id == f"s{wanted}"), None)
    titles = [(_title(section), section) for section in structure.sections]
    return (
        _uppermost(section for title, section in titles if wanted in (title, _unnumbered(title)))
        or _uppermost(section for title, section in titles if _unnumbered(title).startswith(wanted))
        or _uppermost(section for title, section in titles if wanted in title)
    )


def find_sheet(structure: Structure, text: str) -> str | None:
    """By name, capitals or not, else by its number."""
    names = [sheet.name for sheet in structure.sheets]
    if same := next((name for name in names if name.casefold() == text.casefold()), None):
        return same
    return names[int(text) - 1] if text.isascii() and text.isdigit() and 0 < int(text) <= len(names) else None


def _numbered(
    structure: Structure, numbers: Sequence[int], references: list[ReferencedPart], missing: list[str]
) -> None:
    kind: Literal["page", "slide"] = "page" if structure.pages else "slide"
    count = structure.pages or len(structure.slides)
    if not count:
        missing.append("It has no pages.")
        return
    there = tuple(number for number in numbers if number <= count)
    if there:
        selection = PartSelection(pages=there) if kind == "page" else PartSelection(slides=there)
        references.append(ReferencedPart(numbered_place(kind, there), selection))
    if beyond := [number for number in numbers if number > count]:
        missing.append(f"It has {count} {kind}s; there is no {kind} {number_ranges(beyond)}.")


def _uppermost(sections: Iterator[Section]) -> Section | None:
    return min(sections, key=lambda section: section.level, default=None)


def _number(section: Section) -> str | None:
    hit = NUMBERED.match(section.title.strip())
    return hit[1] if hit else None


def _title(section: Section) -> str:
    return " ".join(section.title.casefold().split())


def _unnumbered(title: str) -> str:
    return NUMBERED.sub("", title, count=1).lstrip(" .:)-–—") or title
