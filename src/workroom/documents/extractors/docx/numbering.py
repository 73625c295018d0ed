"""Computes list numbers and bullets, which Word renders; the file only has the list a paragraph belongs to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from workroom.documents.extractors.docx.styles import attribute, number
from workroom.documents.flow.numerals import numeral

_PLACE = re.compile(r"%([1-9])")
_LEVELS = 9


@dataclass(frozen=True)
class DocxListLevel:
    format: str = "bullet"
    text: str = ""
    start: int = 1


class Numbering:
    """Counters of all lists; paragraphs are passed in order."""

    def __init__(self, root: Any) -> None:
        self._levels: dict[str, dict[int, DocxListLevel]] = {}
        self._lists: dict[str, str] = {}
        self._restarts: dict[str, dict[int, int]] = {}
        self._counts: dict[str, list[int | None]] = {}
        if root is None:
            return
        for element in root.iterfind("{*}abstractNum"):
            levels = {_level_index(level): _level(level) for level in element.iterfind("{*}lvl")}
            self._levels[attribute(element, "abstractNumId")] = levels
        for element in root.iterfind("{*}num"):
            self._add(element)

    def label(self, list_id: str, level: int) -> str | None:
        """What stands before the next paragraph of this list: `-`, `3.`, `b)`; None when nothing does."""
        abstract = self._lists.get(list_id)
        if abstract is None:
            return None
        level = max(0, min(level, _LEVELS - 1))
        counts = self._counts.setdefault(abstract, [None] * _LEVELS)
        for level_index, start in self._restarts.pop(list_id, {}).items():
            counts[level_index] = start - 1
        levels = self._levels.get(abstract, {})
        current = levels.get(level, DocxListLevel())
        value = counts[level]
        counts[level] = current.start if value is None else value + 1
        counts[level + 1 :] = [None] * (_LEVELS - level - 1)
        if current.format in ("bullet", "none"):
            return "-" if current.format == "bullet" else None
        return (
            _PLACE.sub(lambda match: self._shown(levels, counts, int(match.group(1)) - 1), current.text).strip() or None
        )

    def _shown(self, levels: dict[int, DocxListLevel], counts: list[int | None], level_index: int) -> str:
        level = levels.get(level_index, DocxListLevel("decimal"))
        value = counts[level_index]
        return numeral(level.start if value is None else value, level.format)

    def _add(self, element: Any) -> None:
        id_ = attribute(element, "numId")
        reference = element.find("{*}abstractNumId")
        self._lists[id_] = "" if reference is None else attribute(reference, "val")
        for override in element.iterfind("{*}lvlOverride"):
            start = number(override.find("{*}startOverride"))
            if start is not None and _level_index(override) < _LEVELS:
                self._restarts.setdefault(id_, {})[_level_index(override)] = start


def _level_index(element: Any) -> int:
    level_index = attribute(element, "ilvl")
    return int(level_index) if level_index.isdecimal() else 0


def _level(element: Any) -> DocxListLevel:
    format_, text = element.find("{*}numFmt"), element.find("{*}lvlText")
    start = number(element.find("{*}start"))
    return DocxListLevel(
        format="decimal" if format_ is None else attribute(format_, "val"),
        text="" if text is None else attribute(text, "val"),
        start=1 if start is None else start,
    )
