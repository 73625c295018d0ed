"""The headings of a Markdown text: found, and moved to another level."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

LOWEST = 6
# A heading line, or the beginning or end of a block of code, in which lines are no headings.
_MARK = re.compile(r"^ {0,3}(?:(?P<level>#{1,6})(?P<title>[ \t].*)?|(?P<fence>`{3,}|~{3,}).*)$", re.MULTILINE)
_SPECIAL = re.compile(r"[\\`*_\[\]<>&#~|]")


class MarkdownHeading(NamedTuple):
    """`start` and `end` are those of its line."""

    level: int
    title: str
    start: int
    end: int


def headings(markdown: str) -> Iterator[MarkdownHeading]:
    """Not those within a block of code, nor those that are underlined."""
    fence = ""
    for mark in _MARK.finditer(markdown):
        fence, is_heading = _fence_behind(mark, fence), not fence and not mark["fence"]
        if is_heading:
            yield MarkdownHeading(len(mark["level"]), mark["title"] or "", mark.start(), mark.end())


def with_ended_code(markdown: str) -> str:
    """A block of code that is left open ends with the text, and not with what is put behind it."""
    fence = ""
    for mark in _MARK.finditer(markdown):
        fence = _fence_behind(mark, fence)
    return f"{markdown}\n{fence}" if fence else markdown


def heading_line(level: int, title: str) -> str:
    """The title as it is: nothing in it is Markdown."""
    return " ".join(["#" * min(level, LOWEST), _SPECIAL.sub(r"\\\g<0>", title)])


def moved_headings(markdown: str, level: int) -> str:
    """The text with its highest headings at this level, and the others as far below as they were."""
    found = list(headings(markdown))
    lower = level - min((heading.level for heading in found), default=level)
    parts, end = [], 0
    for heading in found:
        parts += [markdown[end : heading.start], "#" * min(heading.level + lower, LOWEST), heading.title]
        end = heading.end
    return "".join([*parts, markdown[end:]])


def _fence_behind(mark: re.Match[str], fence: str) -> str:
    """How the block of code began that is open behind this line; empty: none is."""
    found = mark["fence"]
    if not found:
        return fence
    if not fence:
        return str(found)
    return "" if found.startswith(fence) and mark[0].strip() == found else fence
