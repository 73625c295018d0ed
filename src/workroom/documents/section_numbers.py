"""Builds sections from a flat list of headings: ids such as `s1.2`, and where each one ends."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from workroom.documents.types import Section, TocEntry
from workroom.documents.whitespace import one_line

MAX_SECTIONS = 5_000
_TITLE = 300


@dataclass(frozen=True)
class SectionHeading:
    title: str
    level: int  # from 1; may jump
    unit: int  # the line, paragraph or block it stands in


class SectionNumbers:
    """Numbered by depth in the tree, so that a jump from level 1 to 3 leaves no hole."""

    def __init__(self) -> None:
        self._levels: list[int] = []
        self._counters: list[int] = []

    def next(self, level: int) -> str:
        while self._levels and self._levels[-1] >= level:
            self._levels.pop()
        depth = len(self._levels)
        self._levels.append(level)
        del self._counters[depth + 1 :]
        if len(self._counters) == depth:
            self._counters.append(0)
        self._counters[depth] += 1
        return "s" + ".".join(map(str, self._counters))


def sections_of(headings: Sequence[SectionHeading], last_unit: int) -> list[Section]:
    """Each reaches from its heading to the unit before the next of its level or above."""
    taken = headings[:MAX_SECTIONS]
    ends = _ends(taken, last_unit)
    numbers = SectionNumbers()
    return [
        Section(
            id=numbers.next(heading.level),
            title=one_line(heading.title, _TITLE),
            level=heading.level,
            first=heading.unit,
            last=end,
        )
        for heading, end in zip(taken, ends, strict=True)
    ]


def contents_of(sections: Sequence[Section]) -> list[TocEntry]:
    return [TocEntry(title=section.title, level=section.level) for section in sections]


def is_wanted(section_id: str | None, wanted: Collection[str]) -> bool:
    """Whether a section is among the wanted ones; `s1` includes `s1.2`."""
    return section_id is not None and any(section_id == id_ or section_id.startswith(f"{id_}.") for id_ in wanted)


def _ends(headings: Sequence[SectionHeading], last_unit: int) -> list[int]:
    ends = [last_unit] * len(headings)
    still_open: list[int] = []
    for index, heading in enumerate(headings):
        while still_open and headings[still_open[-1]].level >= heading.level:
            closed = still_open.pop()
            ends[closed] = max(headings[closed].unit, heading.unit - 1)
        still_open.append(index)
    return ends
