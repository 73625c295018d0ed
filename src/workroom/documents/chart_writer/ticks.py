"""Round places on an axis: numbers in steps of 1, 2 or 5, and moments at the beginnings of days, months and years."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from itertools import takewhile

from workroom.documents.chart_writer.language import ShowDate

Shows = tuple[ShowDate, ShowDate, ShowDate, ShowDate]

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_NEARLY = 0.75  # a tick more is better than half as many
_MONTHS = (1, 2, 3, 6)
_DAYS = (1, 2, 7, 14)
_HOURS = (1, 3, 6, 12)
_SAME = 1e-10  # values that are closer than that part of them are one
_NOTHING = 1e-290  # beyond it floats lose their digits


def number_ticks(low: float, high: float, wanted: int) -> list[float]:
    """From at most `low` to at least `high`."""
    if high - low <= max(_size(low, high) * _SAME, _NOTHING):
        room = _size(low, high) * 0.1
        low, high = (low - room, high + room) if room > _NOTHING else (-1.0, 1.0)
    step = _step((high - low) / max(wanted, 1) * _NEARLY)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [_exact(number * step) for number in range(first, last + 1)]


def inner_ticks(low: float, high: float, wanted: int, least: float = 0.0) -> list[float]:
    """Those between `low` and `high`, the steps at least `least`."""
    if high - low <= max(_size(low, high) * _SAME, _NOTHING):
        return [low]
    step = max(_step((high - low) / max(wanted, 1)), least)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [_exact(number * step) for number in range(first, last + 1)] or [low]


def date_ticks(
    low: datetime, high: datetime, wanted: int, shows: Shows, least: float = 0.0
) -> list[tuple[datetime, str]]:
    """With their names; `shows` says years, months, days and hours, `least` how many days are told apart."""
    year, month, day, hour = shows
    days = max((high - low).total_seconds() / 86_400, 1e-6)
    wanted = max(wanted, 1)
    for hours in _HOURS:
        if least < 1 and days * 24 / hours <= wanted and days <= 2:
            start = low.replace(hour=0, minute=0, second=0, microsecond=0)
            return _named(_spaced(start, low, high, timedelta(hours=hours)), hour)
    for number in _DAYS:
        if number >= least and days / number <= wanted:
            start = low.replace(hour=0, minute=0, second=0, microsecond=0)
            return _named(_spaced(start, low, high, timedelta(days=number)), day)
    for number in _MONTHS:
        if days / (30.4 * number) <= wanted:
            return _named(_months(low, high, number), month)
    years = max(1, round(_step(max(days / 365.25 / wanted, 1))))
    return _named(_months(low, high, 12 * years), year)


def _named(moments: list[datetime], show: ShowDate) -> list[tuple[datetime, str]]:
    return [(moment, show(moment)) for moment in moments]


def _spaced(start: datetime, low: datetime, high: datetime, step: timedelta) -> list[datetime]:
    count = int((high - start) / step) + 1
    return [moment for n in range(count) if low <= (moment := start + n * step) <= high]


def _months(low: datetime, high: datetime, step: int) -> list[datetime]:
    first = (low.year * 12 + low.month - 1) // step * step
    moments = (_month(number) for number in range(first, 9_999 * 12, step))
    return [moment for moment in takewhile(lambda moment: moment <= high, moments) if moment >= low]


def _month(number: int) -> datetime:
    return datetime(max(number // 12, 1), number % 12 + 1, 1)  # noqa: DTZ001 - charts know no zone


def _step(least: float) -> float:
    size = 10.0 ** math.floor(math.log10(least))
    # A quarter of a hundred is round, two and a half is not.
    rounds = [size * step for step in _STEPS if step != 2.5 or size >= 10]
    return next(step for step in rounds if step >= least * (1 - 1e-9))


def _size(low: float, high: float) -> float:
    return max(abs(low), abs(high))


def _exact(value: float) -> float:
    return float(f"{value:.12g}") + 0.0
