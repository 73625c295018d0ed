"""What an answer may cite. Every place in a file has a mark: five letters that are the same wherever it is met, so that a
passage found before the question and again by a tool is one source. Models write the mark behind what they took from it,
`[[k7qda]]`; readers see a chip that opens the place."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from uuid import UUID

from workroom.core.actions import OpenFile
from workroom.core.wire import Wire

LENGTH = 5
CITED = re.compile(r"\[\[([a-z2-7]{5}(?:[,;\s]+[a-z2-7]{5})*)\]\]")


class Source(Wire):
    """`label` is for people, such as `page 47 of report.pdf`."""

    mark: str
    label: str
    opens: OpenFile


def mark_of(file_id: UUID, *where: object) -> str:
    """Of a place: a path in an archive, a page, a passage. Two of a hundred places share theirs once in a few thousand
    conversations; the page shows no chip then, if they are of two files."""
    told = "\0".join([str(file_id), *(str(one) for one in where)])
    return base64.b32encode(hashlib.sha256(told.encode()).digest())[:LENGTH].decode().lower()


def cited_in(text: str) -> list[str]:
    """The marks in an answer, in the order in which they first occur."""
    return list(dict.fromkeys(mark for found in CITED.findall(text) for mark in re.findall(r"[a-z2-7]{5}", found)))


def citation(marks: Iterable[str]) -> str:
    return "".join(f"[[{mark}]]" for mark in marks)


def unmarked(text: str) -> str:
    """What somebody wrote, for a model to read: marks are ours to give. One in a document would be repeated in an answer, and
    pass for a citation of some other place."""
    return CITED.sub(lambda found: f"[ {found[0][1:]}", text)
