"""Forms of shapes as SVG paths. The common ones are drawn as they are, forms of the author's own from their points; all
others are rectangles, which is what most of them nearly are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.slide_pictures.canvas import number
from workroom.documents.slide_pictures.places import ShapePlace, whole

_MOST_POINTS = 20_000  # of one form
LINES = frozenset({"line", "straightConnector1"})
_ROUND = frozenset({"ellipse", "flowChartConnector", "donut", "pie", "chord", "smileyFace", "noSmoking"})
_ROUNDED = frozenset({"roundRect", "flowChartAlternateProcess", "wedgeRoundRectCallout", "round2DiagRect", "plaque"})
_ENDS = frozenset({"flowChartTerminator"})

# Corners in parts of width and height. `a` and `b` stand for what the author may drag; these are their usual places.
_POLYGONS: dict[str, Sequence[tuple[float, float]]] = {
    "triangle": [(0.5, 0), (1, 1), (0, 1)],
    "flowChartExtract": [(0.5, 0), (1, 1), (0, 1)],
    "flowChartMerge": [(0, 0), (1, 0), (0.5, 1)],
    "rtTriangle": [(0, 0), (1, 1), (0, 1)],
    "diamond": [(0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)],
    "flowChartDecision": [(0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)],
    "parallelogram": [(0.2, 0), (1, 0), (0.8, 1), (0, 1)],
    "flowChartInputOutput": [(0.2, 0), (1, 0), (0.8, 1), (0, 1)],
    "trapezoid": [(0.2, 0), (0.8, 0), (1, 1), (0, 1)],
    "flowChartManualOperation": [(0, 0), (1, 0), (0.8, 1), (0.2, 1)],
    "pentagon": [(0.5, 0), (1, 0.38), (0.81, 1), (0.19, 1), (0, 0.38)],
    "hexagon": [(0.25, 0), (0.75, 0), (1, 0.5), (0.75, 1), (0.25, 1), (0, 0.5)],
    "flowChartPreparation": [(0.2, 0), (0.8, 0), (1, 0.5), (0.8, 1), (0.2, 1), (0, 0.5)],
    "octagon": [(0.29, 0), (0.71, 0), (1, 0.29), (1, 0.71), (0.71, 1), (0.29, 1), (0, 0.71), (0, 0.29)],
    "plus": [(p, q) for p, q in ((0.25, 0), (0.75, 0), (0.75, 0.25), (1, 0.25), (1, 0.75), (0.75, 0.75), (0.75, 1),
             (0.25, 1), (0.25, 0.75), (0, 0.75), (0, 0.25), (0.25, 0.25))],
    "mathPlus": [(0.4, 0.13), (0.6, 0.13), (0.6, 0.4), (0.87, 0.4), (0.87, 0.6), (0.6, 0.6), (0.6, 0.87), (0.4, 0.87),
                 (0.4, 0.6), (0.13, 0.6), (0.13, 0.4), (0.4, 0.4)],
    "upArrow": [(0.5, 0), (1, 0.5), (0.75, 0.5), (0.75, 1), (0.25, 1), (0.25, 0.5), (0, 0.5)],
    "downArrow": [(0.25, 0), (0.75, 0), (0.75, 0.5), (1, 0.5), (0.5, 1), (0, 0.5), (0.25, 0.5)],
    "star5": [(0.5, 0), (0.62, 0.38), (1, 0.38), (0.69, 0.62), (0.81, 1), (0.5, 0.76), (0.19, 1), (0.31, 0.62),
              (0, 0.38), (0.38, 0.38)],
    "star4": [(0.5, 0), (0.63, 0.37), (1, 0.5), (0.63, 0.63), (0.5, 1), (0.37, 0.63), (0, 0.5), (0.37, 0.37)],
}  # fmt: skip
_OPEN: dict[str, Sequence[tuple[float, float]]] = {
    "bentConnector2": [(0, 0), (1, 0), (1, 1)],
    "bentConnector3": [(0, 0), (0.5, 0), (0.5, 1), (1, 1)],
    "bentConnector4": [(0, 0), (0.5, 0), (0.5, 0.5), (1, 0.5), (1, 1)],
    "bentConnector5": [(0, 0), (0.5, 0), (0.5, 1), (1, 1)],
}


def outline(properties: Any, place: ShapePlace) -> tuple[str, bool]:
    """The path of a shape, and whether there is anything inside it to be filled."""
    custom = None if properties is None else properties.find("{*}custGeom")
    if custom is not None and (drawn := _custom(custom, place)):
        return drawn, True
    preset = None if properties is None else properties.find("{*}prstGeom")
    return form("rect" if preset is None else preset.get("prst", "rect"), place, preset)


def form(kind: str, place: ShapePlace, preset: Any = None) -> tuple[str, bool]:
    """The same for a form that has a name; `preset` says what its author dragged."""
    x, y, wide, high = place.x, place.y, place.width, place.height
    if kind in LINES:
        return f"M{_at(x, y)}L{_at(x + wide, y + high)}", False
    if kind in _OPEN:
        return _joined(_OPEN[kind], place), False
    if kind.startswith("curvedConnector"):
        bend = x + wide / 2
        return f"M{_at(x, y)}C{_at(bend, y)} {_at(bend, y + high)} {_at(x + wide, y + high)}", False
    if kind in _ROUND:
        return _rounded(place, wide / 2, high / 2), True
    if kind in _ROUNDED or kind in _ENDS:
        part = 0.5 if kind in _ENDS else _dragged(preset, 16_667)
        return _rounded(place, min(wide, high) * part, min(wide, high) * part), True
    if corners := _POLYGONS.get(kind) or _pointed(kind, preset, place):
        return _joined(corners, place) + "z", True
    return _joined([(0, 0), (1, 0), (1, 1), (0, 1)], place) + "z", True


def _pointed(kind: str, preset: Any, place: ShapePlace) -> list[tuple[float, float]]:
    """Arrows and chevrons: their points are as long as the shape is high, however wide it is."""
    tip = 1 - min(0.95, _dragged(preset, 50_000) * min(place.width, place.height) / max(place.width, 1.0))
    shapes = {
        "homePlate": [(0, 0), (tip, 0), (1, 0.5), (tip, 1), (0, 1)],
        "chevron": [(0, 0), (tip, 0), (1, 0.5), (tip, 1), (0, 1), (1 - tip, 0.5)],
        "rightArrow": [(0, 0.25), (tip, 0.25), (tip, 0), (1, 0.5), (tip, 1), (tip, 0.75), (0, 0.75)],
        "leftArrow": [(1, 0.25), (1 - tip, 0.25), (1 - tip, 0), (0, 0.5), (1 - tip, 1), (1 - tip, 0.75), (1, 0.75)],
    }  # fmt: skip
    return shapes.get(kind, [])


def _dragged(preset: Any, usual: int) -> float:
    """The first handle of a form, as a part of its shorter side."""
    guide = None if preset is None else preset.find("{*}avLst/{*}gd")
    words = [] if guide is None else guide.get("fmla", "").split()
    value = int(words[1]) if len(words) == 2 and words[0] == "val" and words[1].isdecimal() else usual
    return min(value, 100_000) / 100_000 if usual > 16_667 else min(value, 50_000) / 100_000


def _rounded(place: ShapePlace, across: float, down: float) -> str:
    x, y, wide, high = place.x, place.y, place.width, place.height
    bend = f"A{number(across)} {number(down)} 0 0 1 "
    return (
        f"M{_at(x + across, y)}L{_at(x + wide - across, y)}{bend}{_at(x + wide, y + down)}"
        f"L{_at(x + wide, y + high - down)}{bend}{_at(x + wide - across, y + high)}"
        f"L{_at(x + across, y + high)}{bend}{_at(x, y + high - down)}L{_at(x, y + down)}{bend}{_at(x + across, y)}z"
    )


def _custom(geometry: Any, place: ShapePlace) -> str:
    drawn: list[str] = []
    for path in geometry.iterfind("{*}pathLst/{*}path"):
        wide, high = whole(path, "w") or place.width * 12_700, whole(path, "h") or place.height * 12_700
        pen = _Pen(place, place.width / max(wide, 1), place.height / max(high, 1))
        for command in path:
            if len(drawn) > _MOST_POINTS:
                return "".join(drawn)
            drawn.append(pen.follow(command))
            if pen.lost:
                return ""  # its points are formulas
    return "".join(drawn)


class _Pen:
    def __init__(self, place: ShapePlace, across: float, down: float) -> None:
        self._place, self._across, self._down = place, across, down
        self._x = self._y = 0.0
        self.lost = False

    def follow(self, command: Any) -> str:
        name = local_name(command)
        if name == "close":
            return "z"
        if name == "arcTo":
            return self._arc(command)
        letters = {"moveTo": "M", "lnTo": "L", "cubicBezTo": "C", "quadBezTo": "Q"}
        corners = [self._point(point) for point in command.iterfind("{*}pt")]
        wanted = {"C": 3, "Q": 2}.get(letters.get(name, ""), 1)
        if name not in letters or len(corners) != wanted:
            self.lost = True
            return ""
        return letters[name] + " ".join(corners)

    def _point(self, point: Any) -> str:
        try:
            self._x, self._y = float(point.get("x")), float(point.get("y"))
        except (TypeError, ValueError):
            self.lost = True
        return self._at(self._x, self._y)

    def _arc(self, command: Any) -> str:
        try:
            wide, high = float(command.get("wR")), float(command.get("hR"))
            start, sweep = (math.radians(float(command.get(name)) / 60_000) for name in ("stAng", "swAng"))
        except (TypeError, ValueError):
            self.lost = True
            return ""
        middle = self._x - wide * math.cos(start), self._y - high * math.sin(start)
        drawn = ""
        for step in (0.5, 1.0):  # in two parts: a whole circle ends where it begins
            self._x = middle[0] + wide * math.cos(start + sweep * step)
            self._y = middle[1] + high * math.sin(start + sweep * step)
            radii = f"{number(wide * self._across)} {number(high * self._down)}"
            drawn += f"A{radii} 0 0 {int(sweep > 0)} {self._at(self._x, self._y)}"
        return drawn

    def _at(self, x: float, y: float) -> str:
        return _at(self._place.x + x * self._across, self._place.y + y * self._down)


def _joined(corners: Sequence[tuple[float, float]], place: ShapePlace) -> str:
    return "M" + "L".join(_at(place.x + x * place.width, place.y + y * place.height) for x, y in corners)


def _at(x: float, y: float) -> str:
    return f"{number(x)} {number(y)}"
