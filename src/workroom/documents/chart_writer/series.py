"""The values of a chart above its axes: bars, lines, areas, points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from workroom.core.charts import Chart
from workroom.core.languages import Language
from workroom.documents.chart_writer import language as words
from workroom.documents.chart_writer.axes import Area, ValueAxis
from workroom.documents.chart_writer.marks import DASHES, PATTERNS, SYMBOLS, TEXT, Drawing, Place, colour_of, width_of

_FILLED = 0.72  # of a band
_WIDEST = 46.0
_FEW = 40  # points that get a symbol each
_FEW_BARS = 16  # that get their number
_PALE = 30

Points = list[Place | None]


def draw_bars(drawing: Drawing, chart: Chart, area: Area, axis: ValueAxis, language: Language) -> None:
    along = area.bottom - area.top if chart.horizontal else area.right - area.left
    band = along / len(chart.categories)
    stacks = 1 if chart.stacked else len(chart.series)
    width = min(band * _FILLED / stacks, _WIDEST)
    for place in range(len(chart.categories)):
        ends = {1: 0.0, -1: 0.0}
        for number, one in enumerate(chart.series):
            if (value := one.values[place]) is None:
                continue
            sign = 1 if value >= 0 else -1
            start = ends[sign] if chart.stacked else 0.0
            ends[sign] = start + value
            middle = (place + 0.5) * band + (0.0 if chart.stacked else (number - (stacks - 1) / 2) * width)
            bar = _box(chart, area, axis, (start, start + value), (middle - width / 2, middle + width / 2))
            drawing.shape(
                bar, colour_of(number), PATTERNS[number % len(PATTERNS)] if len(chart.series) > 1 else "plain"
            )
            if len(chart.series) == 1 and len(chart.categories) <= _FEW_BARS:
                _say(drawing, chart, bar, value, band, language)


def _box(
    chart: Chart, area: Area, axis: ValueAxis, values: tuple[float, float], sides: tuple[float, float]
) -> list[Place]:
    low, high = (axis.part(value) for value in values)
    if chart.horizontal:
        across = area.right - area.left
        x, other, y, below = (
            area.left + low * across,
            area.left + high * across,
            area.top + sides[0],
            area.top + sides[1],
        )
    else:
        up = area.bottom - area.top
        x, other, y, below = area.left + sides[0], area.left + sides[1], area.bottom - low * up, area.bottom - high * up
    return [(x, y), (other, y), (other, below), (x, below)]


def _say(drawing: Drawing, chart: Chart, bar: Sequence[Place], value: float, band: float, language: Language) -> None:
    said = words.number(value, language)
    xs, ys = [x for x, _ in bar], [y for _, y in bar]
    if chart.horizontal:
        room = drawing.width - max(xs)
        if value >= 0 and width_of(said) + 4 <= room:
            drawing.text((max(xs) + 4, sum(ys) / 4), said, colour=TEXT)
    elif width_of(said) <= band:
        drawing.text((sum(xs) / 4, min(ys) - 6 if value >= 0 else max(ys) + 6), said, "center", colour=TEXT)


def draw_lines(
    drawing: Drawing, chart: Chart, area: Area, axis: ValueAxis, x_of: Callable[[int], float], order: Sequence[int]
) -> None:
    """Lines, areas and points; `order` are the places of the categories from left to right."""
    piles = chart.stacked and chart.kind == "area"
    xs = [x_of(place) for place in order]
    below = [0.0] * len(order)

    def drawn(values: Sequence[float | None]) -> Points:
        up = area.bottom - area.top
        ys = (None if value is None else area.bottom - axis.part(value) * up for value in values)
        return [None if y is None else (x, y) for x, y in zip(xs, ys, strict=True)]

    for number, one in enumerate(chart.series):
        values = [one.values[place] for place in order]
        if piles:
            values = [base + (value or 0.0) for base, value in zip(below, values, strict=True)]
        points = drawn(values)
        if chart.kind == "area":
            _fill(drawing, number, points, drawn(below), piles=piles)
        if piles:
            below = [value or 0.0 for value in values]
        if chart.kind != "scatter":
            for run in _runs(points):
                drawing.path(_known(points, run), colour_of(number), 1.6, DASHES[number % len(DASHES)])
        _mark_points(drawing, number, points, all_of_them=chart.kind == "scatter" or len(order) <= _FEW)


def _fill(drawing: Drawing, number: int, points: Points, floor: Points, *, piles: bool) -> None:
    pattern = PATTERNS[number % len(PATTERNS)] if piles else "plain"
    for run in _runs(points):
        edge = [*_known(points, run), *reversed(_known(floor, run))]
        drawing.shape(edge, colour_of(number), pattern, 100 if piles else _PALE)


def _mark_points(drawing: Drawing, number: int, points: Points, *, all_of_them: bool) -> None:
    """A point between two gaps is on no line."""
    for n, point in enumerate(points):
        alone = not any(0 <= side < len(points) and points[side] for side in (n - 1, n + 1))
        if point and (all_of_them or alone):
            drawing.symbol(point, SYMBOLS[number % len(SYMBOLS)], colour_of(number))


def _known(points: Points, run: Sequence[int]) -> list[Place]:
    return [point for n in run if (point := points[n])]


def _runs(points: Sequence[Place | None]) -> Iterator[list[int]]:
    """Places of neighbours that are known: a gap is not drawn over."""
    for known, group in groupby(range(len(points)), key=lambda n: points[n] is not None):
        if known:
            yield list(group)
