"""Which of the objects on some pages belong to a section.

Where the format says so (DOCX, Markdown …) every object carries its section. In a PDF a section is known by its pages and its
title: it begins at the title, if that is found on its first page, and ends before the next one's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from workroom.documents.types import ContentObject, Section, Structure

Holds = Callable[[ContentObject], bool]


@dataclass(frozen=True)
class Span:
    """Pages as indices; `begins` is the first sequence on the first page, `ends` the first on the last that is not meant."""

    first: int
    last: int
    begins: int = 0
    ends: int | None = None

    def holds(self, object: ContentObject) -> bool:
        page = object.ref.page_index
        if page is None or not self.first <= page <= self.last:
            return False
        if page == self.first and object.sequence < self.begins:
            return False
        return not (page == self.last and self.ends is not None and object.sequence >= self.ends)


def is_by_pages(sections: Iterable[Section]) -> bool:
    return any(section.first is None and section.start_page is not None for section in sections)


def by_id(sections: Iterable[Section]) -> Holds:
    """Of these sections and all below them: `s1.2.3` is in `s1.2`."""
    ids = {section.id for section in sections}

    def holds(object: ContentObject) -> bool:
        found = object.ref.section_id
        return found is not None and any(found == one or found.startswith(one + ".") for one in ids)

    return holds


def edges(structure: Structure, sections: Iterable[Section]) -> list[str]:
    """Parts that have to be seen to know where these sections begin and end."""
    pages: dict[int, None] = {}
    for section in sections:
        first, last = _pages(section)
        pages |= {first: None, last: None}
    return [f"page:{page + 1}" for page in pages]


def by_titles(structure: Structure, sections: Sequence[Section], seen: Sequence[ContentObject]) -> Holds:
    """`seen` are the objects of the parts that `edges` names."""
    spans = [_span(structure, section, seen) for section in sections]
    return lambda object: any(span.holds(object) for span in spans)


def _span(structure: Structure, section: Section, seen: Sequence[ContentObject]) -> Span:
    first, last = _pages(section)
    begins = _at(section.title, first, seen) or 0
    following = _following(structure.sections, section)
    ends = None
    if following is not None and following.start_page == last:
        ends = _at(following.title, last, seen)
        if ends is not None and last == first and ends <= begins:
            ends = None
    return Span(first, last, begins, ends)


def _following(sections: Sequence[Section], section: Section) -> Section | None:
    """The next one that is not below it."""
    after = sections[sections.index(section) + 1 :]
    return next((other for other in after if other.level <= section.level), None)


def _at(title: str, page: int, seen: Sequence[ContentObject]) -> int | None:
    """The sequence of the object on that page that begins with the title."""
    wanted = _plain(title)
    if not wanted:
        return None
    on_page = (object for object in seen if object.ref.page_index == page)
    return next((object.sequence for object in on_page if _plain(object.text).startswith(wanted)), None)


def _pages(section: Section) -> tuple[int, int]:
    first = section.start_page or 0
    return first, first if section.end_page is None else section.end_page


def _plain(text: str) -> str:
    return "".join(char for char in text.casefold()[:400] if char.isalnum())
