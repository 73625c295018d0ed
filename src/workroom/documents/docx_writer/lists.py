"""Lists: bullets share one definition; every numbered list has its own numbers, beginning where it says."""

from __future__ import annotations

from typing import Any

from workroom.documents.docx_writer.xml import w

LEVELS = 9
INDENT = 425  # twentieths of a point for each level
BULLETS, NUMBERS = 1, 2  # definitions
BULLET_SIGNS = ("•", "–", "▪")
MOST = 2_147_483_647


class Lists:
    def __init__(self) -> None:
        self._starts: list[tuple[int, int]] = []

    def bullets(self) -> int:
        """The number by which paragraphs name the list."""
        return 1

    def numbers(self, level: int, start: int) -> int:
        self._starts.append((level, min(max(start, 0), MOST)))
        return len(self._starts) + 1

    def part(self) -> Any:
        """The file's definitions of its lists."""
        lists = [w("num", w("abstractNumId", val=BULLETS), numId=1)]
        for number, (level, start) in enumerate(self._starts, start=2):
            restart = w("lvlOverride", w("startOverride", val=start), ilvl=level)
            lists.append(w("num", w("abstractNumId", val=NUMBERS), restart, numId=number))
        return w("numbering", _definition(BULLETS), _definition(NUMBERS), *lists)


def _definition(id_: int) -> Any:
    return w(
        "abstractNum",
        w("multiLevelType", val="multilevel"),
        *(_level(level, is_bullet=id_ == BULLETS) for level in range(LEVELS)),
        abstractNumId=id_,
    )


def _level(level: int, *, is_bullet: bool) -> Any:
    sign = BULLET_SIGNS[level % len(BULLET_SIGNS)] if is_bullet else f"%{level + 1}."
    return w(
        "lvl",
        w("start", val=1),
        w("numFmt", val="bullet" if is_bullet else "decimal"),
        w("lvlText", val=sign),
        w("lvlJc", val="left"),
        w("pPr", w("ind", left=INDENT * (level + 1), hanging=INDENT)),
        ilvl=level,
    )
