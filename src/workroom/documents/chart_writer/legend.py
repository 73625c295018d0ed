"""The names of series above a chart, each with what it looks like."""

from __future__ import annotations

from workroom.core.charts import Chart
from workroom.documents.chart_writer.marks import (
    DASHES,
    PATTERNS,
    SMALL,
    SYMBOLS,
    TEXT,
    Drawing,
    colour_of,
    cut,
    width_of,
)

_ROW = 14.0
_SWATCH = 16.0
_BETWEEN = 14.0
_LONGEST = 180.0


def draw_legend(drawing: Drawing, chart: Chart, top: float) -> float:
    """Where it ends; a chart of one series needs none."""
    if len(chart.series) < 2:
        return top
    x, y = 0.0, top + _ROW / 2
    for number, one in enumerate(chart.series):
        name = cut(one.name, _LONGEST)
        width = _SWATCH + 4 + width_of(name)
        if x and x + width > drawing.width:
            x, y = 0.0, y + _ROW
        draw_swatch(drawing, chart, number, x, y)
        drawing.text((x + _SWATCH + 4, y), name, colour=TEXT, size=SMALL)
        x += width + _BETWEEN
    return y + _ROW / 2 + 4


def draw_swatch(drawing: Drawing, chart: Chart, number: int, x: float, y: float) -> None:
    colour, symbol = colour_of(number), SYMBOLS[number % len(SYMBOLS)]
    if chart.kind in ("line", "scatter"):
        if chart.kind == "line":
            drawing.path([(x, y), (x + _SWATCH, y)], colour, 1.6, DASHES[number % len(DASHES)])
        drawing.symbol((x + _SWATCH / 2, y), symbol, colour)
    else:
        box = [(x, y - 4), (x + _SWATCH, y - 4), (x + _SWATCH, y + 4), (x, y + 4)]
        drawing.shape(box, colour, PATTERNS[number % len(PATTERNS)])
