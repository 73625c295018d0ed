"""The axes of a chart: round ticks with their numbers, and what stands along the other one without overlapping."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from workroom.core.charts import Chart, moment_of
from workroom.core.languages import Language
from workroom.documents.chart_writer import language as words
from workroom.documents.chart_writer.marks import AXIS, LINE, SMALL, Drawing, cut, width_of
from workroom.documents.chart_writer.ticks import date_ticks, inner_ticks, number_ticks

VALUE_TICKS = 5
_GAP = 6.0
_ROW = 11.0
_LONGEST_TURNED = 90.0
_SLOPE = math.sin(math.radians(40))
_DAY = 86_400.0
_START = datetime(1970, 1, 1)  # noqa: DTZ001 - charts know no zone
_EARLIEST, _LATEST = -62_135_596_800.0, 253_402_214_400.0
_EDGE = 0.04  # free room beside the points of a scatter chart


@dataclass(frozen=True)
class Area:
    """Where values are drawn; x grows to the right, y downwards."""

    left: float
    right: float
    top: float
    bottom: float


@dataclass(frozen=True)
class ValueAxis:
    ticks: Sequence[float]
    labels: Sequence[str]

    @property
    def width(self) -> float:
        return max(map(width_of, self.labels))

    def part(self, value: float) -> float:
        low, high = self.ticks[0], self.ticks[-1]
        return (value - low) / (high - low)


def value_axis(chart: Chart, language: Language) -> ValueAxis:
    ticks = number_ticks(*_range(chart), VALUE_TICKS)
    return ValueAxis(ticks, [words.number(tick, language) for tick in ticks])


def _range(chart: Chart) -> tuple[float, float]:
    """Bars and areas begin at 0; what is stacked reaches as far as its sums."""
    if chart.kind in ("line", "scatter"):
        return min(chart.numbers), max(chart.numbers)
    ends = chart.numbers
    if chart.stacked:
        columns = [[one.values[n] or 0.0 for one in chart.series] for n in range(len(chart.categories))]
        ends = [end for column in columns for end in (_sum(column, 1), _sum(column, -1))]
    return min(0.0, *ends), max(0.0, *ends)


def _sum(column: Sequence[float], sign: int) -> float:
    return math.fsum(value for value in column if value * sign > 0)


@dataclass(frozen=True)
class ScaledAxis:
    """An axis to scale: where its ends are, and where its ticks stand."""

    values: Sequence[float]
    low: float
    high: float
    ticks: Sequence[tuple[float, str]]

    def part(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)


def scale_of(chart: Chart, width: float, language: Language) -> ScaledAxis:
    shown = words.categories(chart, language)
    wanted = max(2, int(width / (max(map(width_of, shown)) + 18)))
    is_date = chart.axis == "date"
    values = [_seconds(str(one)) if is_date else float(one) for one in chart.categories]
    low, high = min(values), max(values)
    if low == high:
        low, high = (low - _DAY, high + _DAY) if is_date else (low - (abs(low) or 1), high + (abs(high) or 1))
    if chart.kind == "scatter":
        low, high = low - (high - low) * _EDGE, high + (high - low) * _EDGE
    ticks = (_dates_along if is_date else _numbers_along)(chart, (low, high), wanted, language)
    if is_date and (len(set(values)) == 1 or not ticks):
        ticks = [(values[0], shown[0])]
    return ScaledAxis(values, low, high, ticks)


def _numbers_along(chart: Chart, ends: tuple[float, float], wanted: int, language: Language) -> list[tuple[float, str]]:
    whole = all(not isinstance(one, str) and one == int(one) for one in chart.categories)
    ticks = inner_ticks(*ends, wanted, 1.0 if whole else 0.0)
    years = words.are_years(chart.categories)
    return [(tick, f"{tick:.0f}" if years else words.number(tick, language)) for tick in ticks]


def _seconds(text: str) -> float:
    moment = moment_of(text)
    assert moment is not None
    return (moment - _START).total_seconds()


def _dates_along(chart: Chart, ends: tuple[float, float], wanted: int, language: Language) -> list[tuple[float, str]]:
    """Not finer than the dates are written."""
    longest = max(len(str(one)) for one in chart.categories)
    least = 28.0 if longest <= len("YYYY-MM") else 1.0 if longest <= len("YYYY-MM-DD") else 0.0
    shows = (
        lambda moment: str(moment.year),
        lambda moment: words.month(moment, language),
        lambda moment: words.day(moment, language),
        lambda moment: words.minute(moment, language),
    )
    low, high = map(_moment, ends)
    found = date_ticks(low, high, wanted, shows, least)
    return [((moment - _START).total_seconds(), name) for moment, name in found]


def _moment(seconds: float) -> datetime:
    """The margins of an axis may lie before the first year there is, or after the last."""
    return _START + timedelta(seconds=min(max(seconds, _EARLIEST), _LATEST))


def draw_value_axis(drawing: Drawing, area: Area, axis: ValueAxis) -> None:
    for tick, label in zip(axis.ticks, axis.labels, strict=True):
        y = area.bottom - axis.part(tick) * (area.bottom - area.top)
        drawing.line((area.left, y), (area.right, y), AXIS if tick == 0 else LINE, 0.8 if tick == 0 else 0.5)
        drawing.text((area.left - _GAP, y), label, "end")


def draw_value_axis_below(drawing: Drawing, area: Area, axis: ValueAxis) -> None:
    """Of bars that lie; every other tick is named where all of them have no room."""
    step = (area.right - area.left) / max(len(axis.ticks) - 1, 1)
    every = max(1, math.ceil((axis.width + _GAP) / step))
    for number, (tick, label) in enumerate(zip(axis.ticks, axis.labels, strict=True)):
        x = area.left + axis.part(tick) * (area.right - area.left)
        drawing.line((x, area.top), (x, area.bottom), AXIS if tick == 0 else LINE, 0.8 if tick == 0 else 0.5)
        if number % every == 0:
            drawing.text((x, area.bottom + _ROW), label, "center")


def draw_scale(drawing: Drawing, area: Area, scale: ScaledAxis) -> float:
    """Where the labels end."""
    drawing.line((area.left, area.bottom), (area.right, area.bottom), AXIS, 0.8)
    for tick, label in scale.ticks:
        x = area.left + scale.part(tick) * (area.right - area.left)
        drawing.line((x, area.bottom), (x, area.bottom + 3), AXIS)
        half = width_of(label) / 2
        drawing.text((min(max(x, half), drawing.width - half), area.bottom + _ROW), label, "center")
    return area.bottom + _ROW + SMALL


@dataclass(frozen=True)
class BandLabels:
    """How names stand below their bands: in one line, in two, turned, or only every so many of them."""

    lines: Sequence[Sequence[str]]
    every: int
    turned: bool
    height: float


def band_labels(names: Sequence[str], band: float, *, ordered: bool) -> BandLabels:
    """`ordered`: dates and numbers, of which one knows those between."""
    room = band - 4
    if all(width_of(name) <= room for name in names):
        return BandLabels([[name] for name in names], 1, False, _ROW + SMALL)
    if not ordered:
        halves = [_halved(name) for name in names]
        if all(width_of(line) <= room for lines in halves for line in lines):
            return BandLabels(halves, 1, False, 2 * _ROW + SMALL)
    widest = max(map(width_of, names))
    if ordered:
        every = max(1, math.ceil((widest + _GAP) / band))
        return BandLabels([[name] for name in names], every, False, _ROW + SMALL)
    short = [cut(name, _LONGEST_TURNED) for name in names]
    height = max(map(width_of, short)) * _SLOPE + _ROW + 2
    return BandLabels([[name] for name in short], max(1, math.ceil(_ROW / band)), True, height)


def draw_bands(drawing: Drawing, area: Area, labels: BandLabels) -> None:
    band = (area.right - area.left) / len(labels.lines)
    for number, lines in enumerate(labels.lines):
        if number % labels.every:
            continue
        x = area.left + (number + 0.5) * band
        for row, line in enumerate(lines):
            if labels.turned:
                drawing.text((x + 3, area.bottom + _GAP), line, "end", turned=True)
            else:
                drawing.text((x, area.bottom + _ROW * (row + 1)), line, "center")


def _halved(name: str) -> list[str]:
    """At the space that leaves the shortest lines."""
    parts = name.split()
    ways = [[" ".join(parts[:n]), " ".join(parts[n:])] for n in range(1, len(parts))]
    return min(ways, key=lambda lines: max(map(width_of, lines)), default=[name])
