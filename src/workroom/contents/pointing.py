"""From words such as "page 47", "chapter 3" or "sheet Q4" to the parts of one document: what is there, and what is not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from workroom.contents.parts import Wish
from workroom.core.actions import OpenFile
from workroom.core.places import DocumentPlace, file_place, number_ranges, numbered_place, section_place, sheet_place
from workroom.documents.references import Places
from workroom.documents.types import Section, Structure

_WORDS = r"(?:chapter|kapitel|chapitre|cap[ií]tulo|section|abschnitt|se[cç][cç]?[aã]o|teil|part|partie|第)?\s*"
NUMBERED = re.compile(rf"{_WORDS}(\d{{1,3}}(?:\.\d{{1,3}})*)(?:[\s.:)\-–—章节]|$)", re.IGNORECASE)


@dataclass(frozen=True)
class Pointed:
    """A part of a document: how to select it, and its place, without the document's path."""

    place: DocumentPlace
    wish: Wish

    def opens(self, at: OpenFile) -> OpenFile:
        """The first of it, to be shown."""
        wish = self.wish
        place = {
            "page": wish.pages[0] if wish.pages else None,
            "slide": wish.slides[0] if wish.slides else None,
            "sheet": wish.sheets[0] if wish.sheets else None,
            "section": wish.sections[0] if wish.sections else None,
        }
        return at.model_copy(update=place)


def place_of_wish(wish: Wish, path: str, *, recognised: bool = False) -> DocumentPlace:
    """Where what is wished for stands in the document at `path`; of several sheets or sections the first."""
    if wish.pages:
        place = numbered_place("page", wish.pages, path)
    elif wish.slides:
        place = numbered_place("slide", wish.slides, path)
    elif wish.sheets:
        place = sheet_place(wish.sheets[0], path)
    elif wish.sections:
        place = section_place(wish.sections[0], path=path)
    else:
        place = file_place(path)
    return place.model_copy(update={"recognised": recognised})


def pointed(structure: Structure, places: Places) -> tuple[list[Pointed], list[str]]:
    """What is meant of this document, and sentences about what it does not have. Slides are pages to many, and pages slides."""
    found, missing = list[Pointed](), list[str]()
    numbers = tuple(dict.fromkeys((*places.pages, *places.slides)))
    if numbers:
        _numbered(structure, numbers, found, missing)
    for name in places.sheets:
        if sheet := sheet_like(structure, name):
            found.append(Pointed(sheet_place(sheet), Wish(sheets=(sheet,))))
        elif structure.sheets:
            listed = ", ".join(f"“{other.name}”" for other in structure.sheets[:20])
            missing.append(f"There is no sheet “{name}”; there is {listed}.")
    for chapter in places.chapters:
        if section := section_like(structure, chapter):
            found.append(Pointed(section_place(section.id, section.title), Wish(sections=(section.id,))))
        else:
            missing.append(f"No chapter “{chapter}” was found among its headings.")
    return found, missing


def section_like(structure: Structure, text: str) -> Section | None:
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


def sheet_like(structure: Structure, text: str) -> str | None:
    """By name, capitals or not, else by its number."""
    names = [sheet.name for sheet in structure.sheets]
    if same := next((name for name in names if name.casefold() == text.casefold()), None):
        return same
    return names[int(text) - 1] if text.isascii() and text.isdigit() and 0 < int(text) <= len(names) else None


def _numbered(structure: Structure, numbers: Sequence[int], found: list[Pointed], missing: list[str]) -> None:
    kind: Literal["page", "slide"] = "page" if structure.pages else "slide"
    count = structure.pages or len(structure.slides)
    if not count:
        missing.append("It has no pages.")
        return
    there = tuple(number for number in numbers if number <= count)
    if there:
        wish = Wish(pages=there) if kind == "page" else Wish(slides=there)
        found.append(Pointed(numbered_place(kind, there), wish))
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
