"""Graphics of a page: pictures, and straight lines such as the borders of tables."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import pypdfium2.raw as pdfium

from workroom.documents.extractors.pdf.geometry import Box, Corners, PageFrame

_DEPTH = 4  # forms in forms
_OBJECTS = 20_000  # on one page; a map has more, and no tables
_POINTS = 40  # of one path; more is a drawing
_THIN = 2.5  # points: not a box but a line
_SHORT = 4.0


@dataclass
class PageGraphics:
    pictures: list[Picture] = field(default_factory=list)
    across: list[Box] = field(default_factory=list)  # horizontal lines
    down: list[Box] = field(default_factory=list)  # vertical ones
    shapes: int = 0


@dataclass(frozen=True)
class Picture:
    """`number` counts from 1 in the order of drawing, over all pictures of the page, also those too small to matter."""

    box: Box
    number: int
    handle: Any


def graphics_on(page: Any, frame: PageFrame, *, lines: bool = True) -> PageGraphics:
    graphics = PageGraphics()
    corners = Corners(ctypes.c_float)
    pictures = 0
    for handle, kind, matrix in _objects(page):
        if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            pictures += 1
            if (box := _bounds(handle, matrix, frame, corners)) is not None:
                graphics.pictures.append(Picture(box, pictures, handle))
        elif kind == pdfium.FPDF_PAGEOBJ_PATH:
            graphics.shapes += 1
            if lines:
                _add_lines(graphics, handle, matrix, frame, corners)
    return graphics


_Matrix = tuple[float, float, float, float, float, float]


def _objects(page: Any) -> Iterator[tuple[Any, int, _Matrix | None]]:
    return islice(_level(page, pdfium.FPDFPage_CountObjects, pdfium.FPDFPage_GetObject, None, _DEPTH), _OBJECTS)


def _level(
    holder: Any, count: Any, get: Any, matrix: _Matrix | None, depth: int
) -> Iterator[tuple[Any, int, _Matrix | None]]:
    for index in range(count(holder)):
        handle = get(holder, index)
        kind = pdfium.FPDFPageObj_GetType(handle)
        if kind == pdfium.FPDF_PAGEOBJ_FORM and depth:
            inner = _combined(_matrix_of(handle), matrix)
            yield from _level(handle, pdfium.FPDFFormObj_CountObjects, pdfium.FPDFFormObj_GetObject, inner, depth - 1)
        else:
            yield handle, kind, matrix


def _matrix_of(handle: Any) -> _Matrix | None:
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(handle, matrix):
        return None
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def _combined(inner: _Matrix | None, outer: _Matrix | None) -> _Matrix | None:
    if inner is None or outer is None:
        return inner or outer
    a, b, c, d, e, f = inner
    m, n, o, p, q, r = outer
    return a * m + b * o, a * n + b * p, c * m + d * o, c * n + d * p, e * m + f * o + q, e * n + f * p + r


def _bounds(handle: Any, matrix: _Matrix | None, frame: PageFrame, corners: Corners) -> Box | None:
    if not pdfium.FPDFPageObj_GetBounds(handle, *corners.references):
        return None
    left, bottom, right, top = corners.values()
    if matrix is not None:
        points = [_moved(x, y, matrix) for x in (left, right) for y in (bottom, top)]
        left, right = min(x for x, _ in points), max(x for x, _ in points)
        bottom, top = min(y for _, y in points), max(y for _, y in points)
    return frame.box(left, bottom, right, top)


def _moved(x: float, y: float, matrix: _Matrix) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _add_lines(graphics: PageGraphics, handle: Any, matrix: _Matrix | None, frame: PageFrame, corners: Corners) -> None:
    box = _bounds(handle, matrix, frame, corners)
    if box is None or max(box.width, box.height) < _SHORT:
        return
    if box.height <= _THIN or box.width <= _THIN:
        _add(graphics, box)
        return
    points = pdfium.FPDFPath_CountSegments(handle)
    if points > _POINTS:
        return
    own = _combined(_matrix_of(handle), matrix)
    _add_segments(graphics, handle, points, own, frame)


def _add_segments(graphics: PageGraphics, handle: Any, points: int, matrix: _Matrix | None, frame: PageFrame) -> None:
    x, y = ctypes.c_float(), ctypes.c_float()
    before: tuple[float, float] | None = None
    start: tuple[float, float] | None = None
    for index in range(points):
        segment = pdfium.FPDFPath_GetPathSegment(handle, index)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if not pdfium.FPDFPathSegment_GetPoint(segment, x, y):
            return
        here = _moved(x.value, y.value, matrix) if matrix is not None else (x.value, y.value)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            start = here
        elif kind == pdfium.FPDF_SEGMENT_LINETO and before is not None:
            _add(graphics, _between(before, here, frame))
        if pdfium.FPDFPathSegment_GetClose(segment) and start is not None:
            _add(graphics, _between(here, start, frame))
        before = here


def _between(start: tuple[float, float], end: tuple[float, float], frame: PageFrame) -> Box:
    (a, b), (c, d) = start, end
    return frame.box(min(a, c), min(b, d), max(a, c), max(b, d))


def _add(graphics: PageGraphics, box: Box) -> None:
    if box.height <= _THIN and box.width >= _SHORT:
        graphics.across.append(box)
    elif box.width <= _THIN and box.height >= _SHORT:
        graphics.down.append(box)
