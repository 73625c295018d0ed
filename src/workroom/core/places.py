"""How a place in a file is called: `pages 3-5, 9 of report.pdf`. Labels are written in this one way, in English, which is how
models read them and what is stored; `called` reads them again, so that people are told in their own language: in answers by
`models/embedded/places.py`, on the page by `chat/attach/chips.ts`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from workroom.core.actions import OpenFile

Kind = Literal["file", "page", "pages", "slide", "slides", "sheet", "title"]
_NUMBERED = re.compile(r"(pages?|slides?) (\d[\d, -]*) of (.+)", re.DOTALL)
_RECOGNISED = " (recognised from a picture)"
_KINDS: dict[str, Kind] = {"page": "page", "pages": "pages", "slide": "slide", "slides": "slides"}


@dataclass(frozen=True)
class Called:
    """`what` of the file is meant: `3-5, 9`, the name of a sheet, the title of a section or the subject of a mail."""

    kind: Kind
    what: str
    path: str
    recognised: bool = False


def numbered(kind: Literal["page", "slide"], numbers: Sequence[int]) -> str:
    """`pages 3-5, 9`, as people count."""
    return f"{kind}{'s' if len(numbers) > 1 else ''} {listed(numbers)}"


def listed(numbers: Sequence[int]) -> str:
    """`3-5, 9`."""
    spans: list[list[int]] = []
    for number in sorted(set(numbers)):
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)


def sheet(name: str) -> str:
    return f"sheet {name}"


def section(id_: str, title: str = "") -> str:
    return f"section {id_} {titled(title)}" if title else f"section {id_}"


def titled(title: str) -> str:
    return f"“{title}”"


def of(place: str, path: str) -> str:
    return f"{place} of {path}" if place else path


def recognised(label: str) -> str:
    """What stands there was no text, until somebody looked for letters in it."""
    return label + _RECOGNISED


def called(label: str, opens: OpenFile | None) -> Called:
    """What such a label says. The id of a section says nothing to people; what is in no such form is the name of a file."""
    if label.endswith(_RECOGNISED):
        return replace(called(label.removesuffix(_RECOGNISED), opens), recognised=True)
    if found := _NUMBERED.fullmatch(label):
        return Called(_KINDS[found[1]], found[2], found[3])
    name, id_ = (opens.sheet, opens.section) if opens is not None else (None, None)
    if name and label.startswith(begun := of(sheet(name), "")):
        return Called("sheet", name, label[len(begun) :])
    if id_ and label.startswith(begun := of(section(id_), "")):
        return Called("file", "", label[len(begun) :])
    if label.startswith("“") or (id_ and label.startswith(f"{section(id_)} “")):
        title, ended, path = label[label.index("“") + 1 :].rpartition("” of ")
        if ended:
            return Called("title", title, path)
    return Called("file", "", label)
