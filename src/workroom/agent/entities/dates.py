"""Dates with day, month and year. Compared as 2024-03-12; where day and month cannot be told apart, as they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from workroom.agent.entities.types import Entity, EntityKey

MONTHS = (
    "januar january janvier janeiro jan jänner janv",
    "februar february février fevereiro feb févr fev fév",
    "märz march mars março mar mär",
    "april avril abril apr avr abr",
    "mai may maio",
    "juni june juin junho jun",
    "juli july juillet julho jul juil",
    "august août agosto aug ago",
    "september septembre setembro sep sept set",
    "oktober october octobre outubro okt oct out",
    "november novembre novembro nov",
    "dezember december décembre dezembro dez dec déc",
)
NUMBERS = {name: number for number, names in enumerate(MONTHS, start=1) for name in names.split()}

YEAR = r"(?P<year>(?:1[89]|2[01])\d\d)"
NAME = r"(?P<name>[^\W\d_]{3,10})\.?"
GAP = r"[ \u00a0]{1,2}"
YEAR_FIRST = re.compile(
    rf"(?<![\d./-]){YEAR}(?P<mark>[-/.])(?P<month>\d{{1,2}})(?P=mark)(?P<day>\d{{1,2}})(?!\d|[./-]\d)"
)
DAY_FIRST = re.compile(
    rf"(?<![\d./-])(?P<day>\d{{1,2}})(?P<mark>[./-]) ?(?P<month>\d{{1,2}})(?P=mark) ?{YEAR}(?!\d|[./-]\d)"
)
DAY_NAME = re.compile(
    rf"(?<![\w./-])(?P<day>\d{{1,2}})(?:\.|er|st|nd|rd|th|º|°)?{GAP}(?:(?:de|of){GAP})?{NAME},?{GAP}(?:de{GAP})?{YEAR}(?!\d)"
)
NAME_DAY = re.compile(rf"(?<!\w){NAME}{GAP}(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,{GAP}{YEAR}(?!\d)")
CHINESE = re.compile(rf"(?<!\d){YEAR} ?年 ?(?P<month>\d{{1,2}}) ?月 ?(?P<day>\d{{1,2}}) ?[日号]")


def dates(text: str) -> Iterator[Entity]:
    for pattern in (YEAR_FIRST, DAY_FIRST, DAY_NAME, NAME_DAY, CHINESE):
        for match in pattern.finditer(text):
            if normalised := _normalised(match):
                yield Entity(EntityKey.DATE, match.group().rstrip(), normalised)


def _normalised(match: re.Match[str]) -> str | None:
    groups = match.groupdict()
    month = NUMBERS.get(groups["name"].lower()) if "name" in groups else int(groups["month"])
    if month is None:
        return None
    year, day = int(groups["year"]), int(groups["day"])
    if groups.get("mark") == "/" and match.re is DAY_FIRST:
        if day <= 12 and month <= 12 and day != month:
            return match.group()  # the third of April, or the fourth of March
        if day <= 12 < month:
            day, month = month, day
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None
