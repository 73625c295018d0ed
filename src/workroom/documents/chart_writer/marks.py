"""What is drawn: lines, shapes and texts at places in points, from the upper left corner; and how wide a text will be."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Mark = dict[str, Any]
Anchor = Literal["start", "center", "end"]
Place = tuple[float, float]

# As on the page (web/src/styles/tokens.css); tests hold them together.
COLOURS = ("#4050d0", "#c2570c", "#12805c", "#b0307f", "#0f7794", "#8a6a00", "#c0352b", "#5f6472")
SYMBOLS = ("circle", "square", "triangle", "diamond")
DASHES = ("solid", "dashed", "dotted", "dash-dotted", "loosely-dashed", "densely-dotted")
PATTERNS = ("plain", "rising", "dots", "falling", "lines", "cross")
TEXT, MUTED, LINE, AXIS = "#17181d", "#505563", "#e4e5eb", "#7d8290"
SMALL, TITLE = 8.5, 12.0
_NARROW = frozenset("iljtfrI.,:;!|'’()[] -\u202f\u00a0")


@dataclass
class Drawing:
    width: float
    height: float
    marks: list[Mark] = field(default_factory=list)

    def line(self, start: Place, end: Place, colour: str = LINE, width: float = 0.5) -> None:
        self.path([start, end], colour, width)

    def path(self, points: Sequence[Place], colour: str, width: float, dash: str = "solid") -> None:
        self.marks.append({"kind": "path", "points": _rounded(points), "colour": colour, "width": width, "dash": dash})

    def shape(self, points: Sequence[Place], colour: str, pattern: str = "plain", opacity: int = 100) -> None:
        fill = {"colour": colour, "pattern": pattern, "opacity": opacity}
        self.marks.append({"kind": "shape", "points": _rounded(points), **fill})

    def symbol(self, at: Place, shape: str, colour: str, size: float = 4.4) -> None:
        [point] = _rounded([at])
        self.marks.append({"kind": "symbol", "at": point, "shape": shape, "colour": colour, "size": size})

    def text(
        self,
        at: Place,
        text: str,
        anchor: Anchor = "start",
        *,
        colour: str = MUTED,
        size: float = SMALL,
        bold: bool = False,
        turned: bool = False,
    ) -> None:
        """`at` is the middle of its height, at its anchor; `turned`: rising towards it."""
        [point] = _rounded([at])
        look = {"colour": colour, "size": size, "bold": bold, "turned": turned}
        self.marks.append({"kind": "text", "at": point, "text": text, "anchor": anchor, **look})


def colour_of(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def width_of(text: str, size: float = SMALL) -> float:
    """A little more than it will be: what fits by this, fits."""
    return size * sum(_em(sign) for sign in text)


def cut(text: str, width: float, size: float = SMALL) -> str:
    """As much of it as fits, on one line."""
    text = " ".join(text.split())
    if width_of(text, size) <= width:
        return text
    while text and width_of(f"{text}…", size) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _em(sign: str) -> float:
    if sign in _NARROW:
        return 0.35
    if unicodedata.east_asian_width(sign) in "WF":
        return 1.0
    return 0.75 if sign.isupper() or sign in "mwMW%@—…" else 0.52


def _rounded(points: Sequence[Place]) -> list[list[float]]:
    return [[round(x, 2), round(y, 2)] for x, y in points]
