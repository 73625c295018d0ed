"""A pie, and beside it what its parts are: a list is read where words around a circle would push each other away."""

from __future__ import annotations

import math

from workroom.core.charts import Chart
from workroom.core.languages import Language
from workroom.documents.chart_writer import language as words
from workroom.documents.chart_writer.legend import draw_swatch
from workroom.documents.chart_writer.marks import MUTED, PATTERNS, TEXT, Drawing, colour_of, cut, width_of

_RADIUS = 92.0
_ROW = 16.0
_STEP = math.radians(2)
_LIST = 230.0  # where it begins


def draw_pie(drawing: Drawing, chart: Chart, top: float, language: Language) -> float:
    """Where it ends."""
    values = [value or 0.0 for value in chart.series[0].values]
    whole = math.fsum(values)
    height = max(2 * _RADIUS, len(values) * _ROW)
    centre = (_RADIUS + 10, top + height / 2)
    angle = -math.pi / 2
    y = top + (height - len(values) * _ROW) / 2 + _ROW / 2
    for number, (name, value) in enumerate(zip(words.categories(chart, language), values, strict=True)):
        end = angle + 2 * math.pi * value / whole
        if value:
            drawing.shape(_sector(centre, angle, end), colour_of(number), PATTERNS[number % len(PATTERNS)])
        draw_swatch(drawing, chart, number, _LIST, y)
        said = f"{words.with_unit(words.number(value, language), chart.unit)}  {words.share(value / whole, language)}"
        drawing.text((drawing.width, y), said, "end", colour=MUTED)
        room = drawing.width - _LIST - 22 - width_of(said) - 8
        drawing.text((_LIST + 22, y), cut(name, room), colour=TEXT)
        angle, y = end, y + _ROW
    return top + height


def _sector(centre: tuple[float, float], start: float, end: float) -> list[tuple[float, float]]:
    x, y = centre
    steps = max(1, math.ceil((end - start) / _STEP))
    angles = [start + (end - start) * step / steps for step in range(steps + 1)]
    return [(x, y), *((x + _RADIUS * math.cos(one), y + _RADIUS * math.sin(one)) for one in angles)]
