"""What stands on a slide, in reading order: shapes from the top left, groups opened, each with its place.

A shape's number is its place in the file, so that it can be found again by `slide:7/shape:3`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from workroom.core.untrusted_xml import local_name

_SHAPES = frozenset({"sp", "pic", "graphicFrame", "cxnSp", "grpSp", "contentPart"})
_ROW = 250_000  # EMU, about 7 mm: shapes that begin this close to one another stand in one row
_MAX_DEPTH = 20
MAX_SHAPES = 5_000  # of one slide

Positions = dict[tuple[str, str], tuple[int, int]]


@dataclass
class Shape:
    number: int
    kind: str  # the local name of its element
    element: Any
    top: int | None
    left: int | None
    inside: list[Shape] = field(default_factory=list)

    @property
    def placeholder(self) -> tuple[str, str] | None:
        """Type and index: `("title", "")`."""
        element = self.element.find("./*/{*}nvPr/{*}ph")
        return None if element is None else (element.get("type", "body"), element.get("idx", ""))

    @property
    def is_title(self) -> bool:
        placeholder = self.placeholder
        return placeholder is not None and placeholder[0] in ("title", "ctrTitle")

    @property
    def alternative(self) -> str:
        """What a picture shows, in its author's words."""
        properties = self.element.find("./*/{*}cNvPr")
        return "" if properties is None else properties.get("descr") or properties.get("title") or ""

    @property
    def name(self) -> str:
        properties = self.element.find("./*/{*}cNvPr")
        return "" if properties is None else properties.get("name", "")


def shapes_of(tree: Any, inherited: Positions) -> list[Shape]:
    """In reading order; `inherited` are the places of placeholders in the layout."""
    counter = iter(range(1, MAX_SHAPES + 1))
    return _ordered(list(_read(tree, inherited, counter, 0)))


def flat(shapes: list[Shape]) -> Iterator[Shape]:
    for shape in shapes:
        yield shape
        yield from flat(shape.inside)


def placeholder_places(tree: Any) -> Positions:
    """Where a layout or master puts its placeholders, by type and by index."""
    positions: Positions = {}
    for shape in flat(shapes_of(tree, {})):
        placeholder = shape.placeholder
        if placeholder and shape.top is not None and shape.left is not None:
            positions.setdefault((placeholder[0], ""), (shape.top, shape.left))
            if placeholder[1]:
                positions["", placeholder[1]] = (shape.top, shape.left)
    return positions


def _read(parent: Any, inherited: Positions, counter: Iterator[int], depth: int) -> Iterator[Shape]:
    for child in parent:
        name = local_name(child)
        if name == "AlternateContent":
            choice = child.find("{*}Choice")
            holder = choice if choice is not None and len(choice) else child.find("{*}Fallback")
            if holder is not None:
                yield from _read(holder, inherited, counter, depth)
        elif name in _SHAPES:
            number = next(counter, None)
            if number is None:
                return
            top, left = _place(child)
            shape = Shape(number, name, child, top, left)
            if shape.top is None and (placeholder := shape.placeholder):
                position = inherited.get(("", placeholder[1])) if placeholder[1] else None
                shape.top, shape.left = position or inherited.get((placeholder[0], "")) or (None, None)
            if name == "grpSp" and depth < _MAX_DEPTH:
                shape.inside = _ordered(list(_read(child, inherited, counter, depth + 1)))
            yield shape


def _place(element: Any) -> tuple[int | None, int | None]:
    frame = element.find("{*}xfrm")
    for path in ("{*}spPr/{*}xfrm", "{*}grpSpPr/{*}xfrm"):
        frame = frame if frame is not None else element.find(path)
    corner = None if frame is None else frame.find("{*}off")
    if corner is None:
        return None, None
    return _number(corner.get("y")), _number(corner.get("x"))


def _number(text: str | None) -> int | None:
    try:
        return int(text or "")
    except ValueError:
        return None


def _ordered(shapes: list[Shape]) -> list[Shape]:
    """Titles first; then rows from the top, each from the left. What has no place keeps its order in the file, first."""
    titles = [shape for shape in shapes if shape.is_title]
    placed = sorted(
        (shape for shape in shapes if not shape.is_title and shape.top is not None), key=lambda shape: shape.top or 0
    )
    floating = [shape for shape in shapes if not shape.is_title and shape.top is None]
    rows: list[list[Shape]] = []
    for shape in placed:
        if rows and (shape.top or 0) - (rows[-1][0].top or 0) < _ROW:
            rows[-1].append(shape)
        else:
            rows.append([shape])
    in_rows = [shape for row in rows for shape in sorted(row, key=lambda shape: (shape.left or 0, shape.number))]
    return [*titles, *floating, *in_rows]
