"""Puts places in documents into words for people, in the language of the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workroom.core.places import DocumentPlace, number_ranges
from workroom.core.sources import Source, citation
from workroom.models.embedded.language import Language

LONGEST = 100
BREAKABLE = re.compile(r"[^\S\u00a0\u202f]+")
# The line above a quotation, `[page 3 of report.pdf] [[k7qda]]`: its mark says which source it is.
SOURCE_LINE = re.compile(r"\[[^\[\]\n]{1,500}\] \[\[([a-z2-7]{5})\]\]")


def place_words(place: DocumentPlace, language: Language) -> str:
    """`pages 3–5, 9 of report.pdf`, in this language. The id of a section is left out: it says nothing to people."""
    text = _part_words(place, language)
    if place.piece is not None:
        text = language.say("place.piece", piece=place.piece, pieces=place.pieces, place=text)
    return language.say("place.recognised", place=text) if place.recognised else text


def place_heading(place: DocumentPlace, language: Language) -> str:
    """The same as a heading: bold, in one line."""
    line = BREAKABLE.sub(" ", place_words(place, language)).strip()  # no-break spaces belong to the language
    return f"**{line if len(line) <= LONGEST else line[:LONGEST].rstrip() + ' …'}**"


def with_source_headings(text: str, sources: Sequence[Source], language: Language) -> str:
    """The text with every line that names the source of what follows as a heading with its mark."""
    places = {source.mark: source.place for source in sources}
    return "\n".join(
        f"{place_heading(by_name(places[match[1]]), language)} {citation([match[1]])}\n"
        if (match := SOURCE_LINE.fullmatch(line.strip())) and match[1] in places
        else line
        for line in text.split("\n")
    )


def by_name(place: DocumentPlace) -> DocumentPlace:
    """The place in a document that is known by its name, wherever that lies."""
    return place.within(place.path.rpartition("/")[2] or place.path)


def _part_words(place: DocumentPlace, language: Language) -> str:
    match place.kind:
        case "page" | "slide":
            key = place.kind if len(place.numbers) == 1 else f"{place.kind}s"
            ranges = number_ranges(place.numbers).replace("-", "–")
            text = language.say(f"place.{key}", what=ranges, path=place.path)
            return language.say("place.titled", title=place.title, place=text) if place.title else text
        case "sheet":
            return language.say("place.sheet", what=place.sheet, path=place.path)
        case "section" | "title" if place.title:
            return language.say("place.title", what=place.title, path=place.path)
        case "named":
            return place.title or ""
        case _:
            return place.path
