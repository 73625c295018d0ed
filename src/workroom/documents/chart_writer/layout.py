"""Where everything of a chart stands: its title, its legend, its axes, its values."""

from __future__ import annotations

from workroom.core.charts import Chart
from workroom.core.languages import Language
from workroom.documents.chart_writer import language as words
from workroom.documents.chart_writer.axes import (
    Area,
    ValueAxis,
    band_labels,
    draw_bands,
    draw_scale,
    draw_value_axis,
    draw_value_axis_below,
    scale_of,
    value_axis,
)
from workroom.documents.chart_writer.legend import draw_legend
from workroom.documents.chart_writer.marks import SMALL, TEXT, TITLE, Drawing, cut, width_of
from workroom.documents.chart_writer.pie import draw_pie
from workroom.documents.chart_writer.series import draw_bars, draw_lines

WIDTH = 460.0  # points: a page of A4 between its margins
_HEIGHT = 190.0  # of the values
_LINE = 15.0
_CAPTION = 14.0
_GAP = 6.0
_LONGEST_NAME = 150.0


def drawing_of(chart: Chart, language: Language) -> Drawing:
    drawing = Drawing(WIDTH, 0.0)
    top = 0.0
    if chart.title:
        drawing.text((0.0, _LINE / 2), cut(chart.title, WIDTH, TITLE), colour=TEXT, size=TITLE, bold=True)
        top = _LINE + 5
    if chart.kind == "pie":
        drawing.height = draw_pie(drawing, chart, top + 4, language) + 4
        return drawing
    top = draw_legend(drawing, chart, top)
    lies = chart.kind == "bar" and chart.horizontal
    drawing.height = (_lying if lies else _standing)(drawing, chart, top, language)
    return drawing


def _standing(drawing: Drawing, chart: Chart, top: float, language: Language) -> float:
    axis = value_axis(chart, language)
    if said := _value_caption(chart):
        drawing.text((0.0, top + _CAPTION / 2), cut(said, WIDTH))
        top += _CAPTION
    area = Area(axis.width + _GAP, WIDTH - 2, top + 8, top + 8 + _HEIGHT)
    draw_value_axis(drawing, area, axis)
    to_scale = chart.kind != "bar" and chart.axis != "text"
    bottom = (_to_scale if to_scale else _in_bands)(drawing, chart, area, axis, language)
    if chart.x_label:
        drawing.text(((area.left + area.right) / 2, bottom + _CAPTION / 2), cut(chart.x_label, WIDTH), "center")
        bottom += _CAPTION
    return bottom


def _to_scale(drawing: Drawing, chart: Chart, area: Area, axis: ValueAxis, language: Language) -> float:
    across = area.right - area.left
    scale = scale_of(chart, across, language)
    bottom = draw_scale(drawing, area, scale)
    order = range(len(scale.values))
    in_order = order if chart.kind == "scatter" else sorted(order, key=lambda place: scale.values[place])

    def x_of(place: int) -> float:
        return area.left + scale.part(scale.values[place]) * across

    draw_lines(drawing, chart, area, axis, x_of, in_order)
    return bottom


def _in_bands(drawing: Drawing, chart: Chart, area: Area, axis: ValueAxis, language: Language) -> float:
    names = words.categories(chart, language)
    band = (area.right - area.left) / len(names)
    labels = band_labels(names, band, ordered=chart.axis != "text")
    draw_bands(drawing, area, labels)
    if chart.kind == "bar":
        draw_bars(drawing, chart, area, axis, language)
    else:
        draw_lines(drawing, chart, area, axis, lambda place: area.left + (place + 0.5) * band, range(len(names)))
    return area.bottom + labels.height


def _lying(drawing: Drawing, chart: Chart, top: float, language: Language) -> float:
    """Bars one below the other, with room for long names."""
    axis = value_axis(chart, language)
    if chart.x_label:
        drawing.text((0.0, top + _CAPTION / 2), cut(chart.x_label, WIDTH))
        top += _CAPTION
    names = [cut(name, _LONGEST_NAME) for name in words.categories(chart, language)]
    stacks = 1 if chart.stacked else len(chart.series)
    band = max(16.0, stacks * 9.0 + 6)
    left = max(map(width_of, names)) + _GAP
    right = WIDTH - max(axis.width / 2, width_of(axis.labels[-1]) + 6 if len(chart.series) == 1 else 0)
    area = Area(left, right, top + 4, top + 4 + band * len(names))
    draw_value_axis_below(drawing, area, axis)
    for number, name in enumerate(names):
        drawing.text((left - _GAP, area.top + (number + 0.5) * band), name, "end")
    draw_bars(drawing, chart, area, axis, language)
    bottom = area.bottom + 11 + SMALL
    if said := _value_caption(chart):
        drawing.text(((left + right) / 2, bottom + _CAPTION / 2), cut(said, WIDTH), "center")
        bottom += _CAPTION
    return bottom


def _value_caption(chart: Chart) -> str:
    unit = "" if chart.unit in chart.y_label else chart.unit
    return ", ".join(filter(None, [chart.y_label, unit]))
