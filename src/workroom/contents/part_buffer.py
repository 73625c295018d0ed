"""Collects what an extractor yields, by part, until it is stored, and limits how much of a part and of a document is kept.

A workbook of a hundred kilobytes can spell out half a gigabyte. What is kept counts against quotas; where none
is set it must still bear some relation to the size of the file.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from workroom.documents.types import ContentObject

MOST_CHARACTERS = 10_000_000  # kept of one part
LEAST_IN_ALL = 20_000_000  # of a content, however small it is
TIMES_ITS_SIZE = 20  # as many characters as bytes; office files are packed, but not so tightly
EACH = 200  # what an object needs beside its text


def room_for(size: int) -> int:
    """How many characters are kept of a content of that many bytes."""
    return max(LEAST_IN_ALL, TIMES_ITS_SIZE * size)


def kept_bytes(objects: Sequence[ContentObject]) -> int:
    """How much these count against quotas: one byte per character."""
    return sum(len(object.text) + EACH for object in objects)


class PartBuffer:
    """Extracted objects by part, up to a number of characters. `is_full`: some objects did not fit."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._objects: defaultdict[str, list[ContentObject]] = defaultdict(list)
        self._lengths: Counter[str] = Counter()
        self._cut: set[str] = set()
        self.is_full = False

    def add(self, part: str, object: ContentObject) -> None:
        length = len(object.text)
        has_room = length + EACH <= self._room
        self.is_full = self.is_full or not has_room
        if self._lengths[part] + length > MOST_CHARACTERS or not has_room:
            self._cut.add(part)
            return
        self._objects[part].append(object)
        self._lengths[part] += length
        self._room -= length + EACH

    def take(self, part: str) -> tuple[list[ContentObject], bool]:
        """Removes and returns the objects of a part, and whether some were left out."""
        return self._objects.pop(part, []), part in self._cut
