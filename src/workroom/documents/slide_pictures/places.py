"""Where things stand on a slide, in points: rectangles, what groups do to them, and how they are turned or mirrored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from workroom.documents.slide_pictures.canvas import number

EMU = 12_700  # in a point
_FARTHEST = 1_000_000_000


@dataclass(frozen=True)
class ShapePlace:
    x: float
    y: float
    width: float
    height: float
    turned: float = 0.0  # degrees, clockwise
    mirrored: bool = False  # left and right
    upside_down: bool = False

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def turning(self) -> list[str]:
        x, y = self.middle
        return [f"rotate({number(self.turned)} {number(x)} {number(y)})"] if self.turned else []

    def mirroring(self) -> list[str]:
        if not (self.mirrored or self.upside_down):
            return []
        across, down = (-1 if self.mirrored else 1), (-1 if self.upside_down else 1)
        x, y = self.middle
        return [f"translate({number(x - across * x)} {number(y - down * y)}) scale({across} {down})"]

    def smaller(self, left: float, top: float, right: float, bottom: float) -> ShapePlace:
        return replace(
            self,
            x=self.x + left,
            y=self.y + top,
            width=max(1.0, self.width - left - right),
            height=max(1.0, self.height - top - bottom),
        )

    def standing(self) -> ShapePlace:
        """The same rectangle turned by a quarter around its middle: text that runs down or up."""
        x, y = self.middle
        return replace(
            self, x=x - self.height / 2, y=y - self.width / 2, width=self.height, height=self.width, turned=0.0
        )


@dataclass(frozen=True)
class Space:
    """The coordinates inside a group; a slide is the outermost. Turned groups turn everything in them."""

    across: float = 1.0
    down: float = 1.0
    x: float = 0.0
    y: float = 0.0
    steps: tuple[str, ...] = ()

    def place(self, frame: Any) -> ShapePlace | None:
        """`frame` is an `xfrm`; None where it says no position."""
        corner = None if frame is None else frame.find("{*}off")
        size = None if frame is None else frame.find("{*}ext")
        if corner is None or size is None:
            return None
        return ShapePlace(
            self.x + self.across * points(corner, "x"),
            self.y + self.down * points(corner, "y"),
            abs(self.across * points(size, "cx")),
            abs(self.down * points(size, "cy")),
            whole(frame, "rot") / 60_000 % 360,
            said(frame, "flipH"),
            said(frame, "flipV"),
        )

    def inside(self, frame: Any) -> Space:
        """That of a group, whose own frame is `frame`."""
        place = self.place(frame)
        origin, extent = (None, None) if frame is None else (frame.find("{*}chOff"), frame.find("{*}chExt"))
        if place is None or origin is None or extent is None:
            return self
        wide, high = points(extent, "cx"), points(extent, "cy")
        across = place.width / wide if wide else self.across
        down = place.height / high if high else self.down
        return Space(
            across,
            down,
            place.x - across * points(origin, "x"),
            place.y - down * points(origin, "y"),
            (*self.steps, *place.turning(), *place.mirroring()),
        )

    def moved(self, x: float, y: float) -> Space:
        return replace(self, x=self.x + x, y=self.y + y)


def whole(element: Any, name: str, default: int = 0) -> int:
    """An attribute that should be a number; `element` may be None."""
    if element is None:
        return default
    try:
        return max(-_FARTHEST, min(int(float(element.get(name))), _FARTHEST))
    except (TypeError, ValueError, OverflowError):
        return default


def points(element: Any, name: str, default: int = 0) -> float:
    return whole(element, name, default) / EMU


def said(element: Any, name: str) -> bool:
    return element is not None and element.get(name) in ("1", "true")
