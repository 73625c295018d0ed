"""Replaces passages of a text that are named by their words. Each has to stand in it exactly once: what is not there, or
stands in several places, is told with what helps to name it better. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_ENDS = re.compile("\r\n|\r")
_WORD = re.compile(r"\w+")
MOST_NEAREST = 3
LONGEST_SHOWN = 200
MOST_PLACES = 10  # counted: more say nothing more, and looking for them takes long


@dataclass(frozen=True)
class Replacement:
    find: str
    replace: str


@dataclass(frozen=True)
class NearLine:
    """`number` counts from 1."""

    number: int
    text: str


@dataclass(frozen=True)
class UnfitEdit:
    """The `number`th edit, from 1: its passage stands `times` times in the text (MOST_PLACES: or more often), first in `lines`.
    Where it is not there, `nearest` are lines that are most like it."""

    number: int
    times: int
    lines: tuple[int, ...] = ()
    nearest: tuple[NearLine, ...] = ()


def apply_edits(text: str, edits: Sequence[Replacement]) -> str | UnfitEdit:
    """One after another: a later one sees what the earlier ones have written. Line ends are those of the text."""
    for number, edit in enumerate(edits, 1):
        find, replace = _ENDS.sub("\n", edit.find), _ENDS.sub("\n", edit.replace)
        found = _places(text, find)
        if not found:
            return UnfitEdit(number, 0, nearest=_nearest(text, find))
        if len(found) > 1:
            lines = tuple(text.count("\n", 0, at) + 1 for at in found[:MOST_NEAREST])
            return UnfitEdit(number, len(found), lines)
        text = text[: found[0]] + replace + text[found[0] + len(find) :]
    return text


def _places(text: str, find: str) -> list[int]:
    """Where it begins, also where two of them overlap; no more than MOST_PLACES."""
    places: list[int] = []
    at = text.find(find)
    while at >= 0 and len(places) < MOST_PLACES:
        places.append(at)
        at = text.find(find, at + 1)
    return places


def _nearest(text: str, find: str) -> tuple[NearLine, ...]:
    """Lines that have most words in common with the wordiest line of the passage, in the order of the text."""
    wanted = max((Counter(_words(line)) for line in find.split("\n")), key=Counter.total)
    scored = []
    for number, line in enumerate(text.split("\n"), 1):
        if shared := (wanted & Counter(_words(line))).total():
            scored.append((-shared, number, line.strip()[:LONGEST_SHOWN]))
    best = sorted(scored)[:MOST_NEAREST]
    return tuple(NearLine(number, line) for score, number, line in sorted(best, key=lambda entry: entry[1]))


def _words(line: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(line[:2_000])]
