"""Lists: bullets share one definition; every numbered list has its own numbers, beginning where it says."""

from __future__ import annotations

from typing import Any

from workroom.documents.writers.docx.xml import WORD, W, w
from workroom.documents.writers.package import OfficePackage

LEVELS = 9
INDENT = 425  # twentieths of a point for each level
BULLET_SIGNS = ("•", "–", "▪")
MOST = 2_147_483_647
SHARED_OR_LIST = (f"{{{W}}}abstractNum", f"{{{W}}}num")


class Lists:
    """Those of a template stay; ours are counted behind them."""

    def __init__(self, package: OfficePackage) -> None:
        self._package = package
        self._part = package.related("numbering")
        self._root = package.xml(self._part) if self._part else w("numbering")
        self._bullets, self._numbers = (_highest(self._root, "abstractNum", "abstractNumId") + at for at in (1, 2))
        self._first = _highest(self._root, "num", "numId") + 1
        self._starts: list[tuple[int, int]] = []

    def bullets(self) -> int:
        """The number by which paragraphs name the list."""
        return self._first

    def numbers(self, level: int, start: int) -> int:
        self._starts.append((level, min(max(start, 0), MOST)))
        return self._first + len(self._starts)

    def put(self) -> None:
        """Stores the definitions of all lists. Those that are shared come before the lists that use them."""
        shared = [_definition(self._bullets, is_bullet=True), _definition(self._numbers, is_bullet=False)]
        behind = next((at for at, element in enumerate(self._root) if element.tag == f"{{{W}}}num"), len(self._root))
        self._root[behind:behind] = shared
        lists = [w("num", w("abstractNumId", val=self._bullets), numId=self._first)]
        for number, (level, start) in enumerate(self._starts, start=self._first + 1):
            restart = w("lvlOverride", w("startOverride", val=start), ilvl=level)
            lists.append(w("num", w("abstractNumId", val=self._numbers), restart, numId=number))
        last = max((at for at, one in enumerate(self._root) if one.tag in SHARED_OR_LIST), default=-1)
        self._root[last + 1 : last + 1] = lists
        if self._part is None:
            self._part = "word/numbering.xml"
            self._package.relate(self._package.document, "numbering", f"/{self._part}", id_="workroomNumbering")
            self._package.declare(self._part, f"{WORD}numbering+xml")
        self._package.put(self._part, self._root)


def _highest(root: Any, name: str, attribute: str) -> int:
    numbers = [element.get(f"{{{W}}}{attribute}", "0") for element in root.iter(f"{{{W}}}{name}")]
    return max((int(number) for number in numbers if number.isdigit()), default=0)


def _definition(id_: int, *, is_bullet: bool) -> Any:
    return w(
        "abstractNum",
        w("multiLevelType", val="multilevel"),
        *(_level(level, is_bullet=is_bullet) for level in range(LEVELS)),
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
