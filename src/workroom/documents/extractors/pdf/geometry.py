"""Geometry of a page as displayed: upright, from the upper left corner, in points."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def holds(self, x: float, y: float, margin: float = 0.0) -> bool:
        return self.left - margin <= x <= self.right + margin and self.top - margin <= y <= self.bottom + margin

    def overlap(self, other: Box) -> float:
        """The common area."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * high if wide > 0 and high > 0 else 0.0


def around(boxes: Iterable[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


@dataclass(frozen=True)
class PageFrame:
    """The visible part of a page in PDF coordinates, and its rotation in quarter turns."""

    left: float
    bottom: float
    right: float
    top: float
    quarters: int

    @property
    def width(self) -> float:
        return self.right - self.left if self.quarters % 2 == 0 else self.top - self.bottom

    @property
    def height(self) -> float:
        return self.top - self.bottom if self.quarters % 2 == 0 else self.right - self.left

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """A box in PDF coordinates as a box on the displayed page."""
        if self.quarters == 0:
            return Box(left - self.left, self.top - top, right - self.left, self.top - bottom)
        if self.quarters == 1:
            return Box(bottom - self.bottom, left - self.left, top - self.bottom, right - self.left)
        if self.quarters == 2:
            return Box(self.right - right, bottom - self.bottom, self.right - left, top - self.bottom)
        return Box(self.top - top, self.right - right, self.top - bottom, self.right - left)

    def region(self, box: Box) -> str:
        """`topLeft`, `top`, … `center`, … `bottomRight`: in which ninth of the page the middle lies."""
        x, y = box.middle
        row = "top" if y < self.height / 3 else "bottom" if y > self.height * 2 / 3 else ""
        column = "left" if x < self.width / 3 else "right" if x > self.width * 2 / 3 else ""
        if not row:
            return column or "center"
        return row + column.capitalize()


def frame_of(page: Any) -> PageFrame:
    rect = pdfium.FS_RECTF()
    if pdfium.FPDF_GetPageBoundingBox(page, rect):
        left, bottom, right, top = rect.left, rect.bottom, rect.right, rect.top
    else:
        left, bottom = 0.0, 0.0
        right, top = page.get_size()
    return PageFrame(left, bottom, max(right, left + 1), max(top, bottom + 1), pdfium.FPDFPage_GetRotation(page) % 4)


class Corners:
    """Four numbers that PDFium fills; made once, since making them costs as much as filling them."""

    def __init__(self, kind: type[ctypes.c_double] | type[ctypes.c_float] = ctypes.c_double) -> None:
        self.numbers = tuple(kind() for _ in range(4))
        self.references = tuple(ctypes.byref(number) for number in self.numbers)

    def values(self) -> tuple[float, float, float, float]:
        first, second, third, fourth = self.numbers
        return first.value, second.value, third.value, fourth.value
