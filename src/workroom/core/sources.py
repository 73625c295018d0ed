"""What an answer may cite. Every place in a file, and every page of the web, has a mark: five letters that are the same wherever
it is met, so that a passage found before the question and again by a tool is one source. Models write the mark behind what they
took from it, `[[k7qda]]`; readers see a chip that opens the place."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from uuid import UUID

from pydantic import Field

from workroom.core.actions import OpenFile
from workroom.core.places import HasPlace

LENGTH = 5
CITED = re.compile(r"\[\[([a-z2-7]{5}(?:[,;\s]+[a-z2-7]{5})*)\]\]")


class Source(HasPlace):
    """A place in a file that an answer may cite by its mark; `opens` shows it. Or a page of the web, at `address`."""

    mark: str
    opens: OpenFile | None = None
    address: str | None = Field(None, pattern="^https?://")


def mark_of(file_id: UUID, *address: object) -> str:
    """The mark of a place in a file; `address` is a path in an archive, a page, a passage. Of a hundred places two share their
    mark once in a few thousand conversations; if they are in two files, the page shows no chip then."""
    return _mark([str(file_id), *map(str, address)])


def web_mark(address: str) -> str:
    """The mark of a page of the web."""
    return _mark(["web", address])


def cited_in(text: str) -> list[str]:
    """The marks in an answer, in the order in which they first occur."""
    return list(dict.fromkeys(mark for group in CITED.findall(text) for mark in re.findall(r"[a-z2-7]{5}", group)))


def citation(marks: Iterable[str]) -> str:
    return "".join(f"[[{mark}]]" for mark in marks)


def unmarked(text: str) -> str:
    """Makes marks in a text from outside harmless. A model would repeat one that stands in a document, and it would pass for a
    citation of some other place."""
    return CITED.sub(lambda match: f"[ {match[0][1:]}", text)


def _mark(address: Sequence[str]) -> str:
    key = "\0".join(address)
    return base64.b32encode(hashlib.sha256(key.encode()).digest())[:LENGTH].decode().lower()
