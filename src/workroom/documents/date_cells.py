"""Reads the dates in a column of a table as people write them: `31.12.2026`, `12/31/2026`, `2026-12`. They become ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

_TIME = r"(?:[T ,]+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.\d+)?)?(?P<zone>Z)?)?"
_ISO = re.compile(rf"(?P<year>\d{{4}})-(?P<month>\d{{1,2}})(?:-(?P<day>\d{{1,2}}){_TIME})?")
_NUMBERS = re.compile(
    rf"(?P<first>\d{{1,2}})(?P<sign>[./-])(?P<second_number>\d{{1,2}})(?P=sign)(?P<year>\d{{4}}|\d{{2}}){_TIME}"
)
_MONTH = re.compile(r"(?P<month>0?[1-9]|1[0-2])[./](?P<year>\d{4})")
_CHINESE = re.compile(r"(?P<year>\d{4})年(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})日)?")


def read_dates(cells: Sequence[str]) -> list[str] | None:
    """None unless all of them are dates. Of `03/04/2026` the day is first, unless another cell shows that the month is."""
    texts = [cell.strip() for cell in cells]
    for month_first in (False, True):
        dates = [_date(text, month_first=month_first) for text in texts]
        if texts and all(dates):
            return [date for date in dates if date]
    return None


def _date(text: str, *, month_first: bool) -> str | None:
    if found := _ISO.fullmatch(text) or _CHINESE.fullmatch(text) or _MONTH.fullmatch(text):
        parts = found.groupdict()
        return _iso(parts["year"], parts["month"], parts.get("day"), parts)
    if found := _NUMBERS.fullmatch(text):
        day, month = found["first"], found["second_number"]
        if month_first and found["sign"] == "/":
            day, month = month, day
        year = found["year"] if len(found["year"]) == 4 else f"20{found['year']}"
        return _iso(year, month, day, found.groupdict())
    return None


def _iso(year: str, month: str, day: str | None, parts: dict[str, str | None]) -> str | None:
    try:
        moment = datetime(  # noqa: DTZ001 - cells know no zone
            int(year), int(month), int(day or 1), int(parts.get("hour") or 0), int(parts.get("minute") or 0)
        )
    except ValueError:
        return None
    if day is None:
        return f"{moment:%Y-%m}" if moment.year >= 1000 else None
    if moment.year < 1000:
        return None
    return f"{moment:%Y-%m-%dT%H:%M}" if parts.get("hour") else f"{moment:%Y-%m-%d}"
