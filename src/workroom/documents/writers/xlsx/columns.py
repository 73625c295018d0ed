"""What the cells of a column are: numbers, amounts of money, shares, dates, or texts. Decided for the whole column, by all of its
filled cells: when in doubt they are texts, exactly as they were written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from workroom.documents.writers.xlsx.numbers import Numbers, numbers_of

UNFILLED = ("", "-", "–", "—")
Value = float | date
ISO_DATE = re.compile(r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})")
PADDED_DATE = re.compile(r"(?P<day>\d{2})\.(?P<month>\d{2})\.(?P<year>\d{4})")
SHORT_DATE = re.compile(r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})")
DATES = ((ISO_DATE, "yyyy-mm-dd"), (PADDED_DATE, "dd.mm.yyyy"), (SHORT_DATE, "d.m.yyyy"))
FIRST_YEAR = 1901  # a spreadsheet counts days from 1900, which it takes for a leap year
SHARE = re.compile(r"(?P<number>.*\d)[ \u00a0\u202f]?%")
SIGNS = r"CHF|EUR|USD|GBP|Fr\.|[€$£]"
AMOUNT_BEHIND_SIGN = re.compile(rf"(?P<minus>[-−]?)(?P<sign>{SIGNS})(?P<gap>[ \u00a0\u202f]?)(?P<number>[-−]?\d.*)")
AMOUNT_BEFORE_SIGN = re.compile(rf"(?P<number>[-−]?\d.*?)(?P<gap>[ \u00a0\u202f]?)(?P<sign>{SIGNS})")


@dataclass(frozen=True)
class Column:
    """`values` by the texts of cells; `number_format` is how a spreadsheet shows them. Without values, all cells are texts."""

    values: Mapping[str, Value]
    number_format: str = "General"

    @property
    def is_text(self) -> bool:
        return not self.values

    @property
    def is_date(self) -> bool:
        return isinstance(next(iter(self.values.values()), None), date)


TEXTS = Column({})


def column_of(texts: Sequence[str]) -> Column:
    """`texts` of all cells below the head, without formulas."""
    filled = list(dict.fromkeys(text for text in texts if text not in UNFILLED))
    if not filled:
        return TEXTS
    return _numbers(filled) or _shares(filled) or _amounts(filled) or _dates(filled) or TEXTS


def _numbers(texts: Sequence[str]) -> Column | None:
    if (numbers := numbers_of(texts)) is None:
        return None
    return _column(texts, numbers.values, _format(numbers, is_amount=False))


def _shares(texts: Sequence[str]) -> Column | None:
    found = [match for text in texts if (match := SHARE.fullmatch(text))]
    if len(found) < len(texts) or (numbers := numbers_of([match["number"] for match in found])) is None:
        return None
    places = f".{'0' * numbers.most_decimals}" if numbers.most_decimals else ""
    values = [round(value / 100, numbers.most_decimals + 2) for value in numbers.values]
    return _column(texts, values, f"0{places}%")


def _amounts(texts: Sequence[str]) -> Column | None:
    """All in the same currency, which stands on the same side."""
    for pattern in (AMOUNT_BEHIND_SIGN, AMOUNT_BEFORE_SIGN):
        found = [match for text in texts if (match := pattern.fullmatch(text))]
        if len(found) < len(texts) or len({match["sign"] for match in found}) != 1:
            continue
        minus = [match.groupdict().get("minus") or "" for match in found]
        if any(sign and match["number"][0] in "-−" for sign, match in zip(minus, found, strict=True)):
            return None
        bare = [sign + match["number"] for sign, match in zip(minus, found, strict=True)]
        if (numbers := numbers_of(bare)) is None:
            return None
        sign, gap = found[0]["sign"], " " if found[0]["gap"] else ""
        shown = _format(numbers, is_amount=True)
        before = pattern is AMOUNT_BEHIND_SIGN
        return _column(texts, numbers.values, f'"{sign}{gap}"{shown}' if before else f'{shown}"{gap}{sign}"')
    return None


def _dates(texts: Sequence[str]) -> Column | None:
    for pattern, shown in DATES:
        days = [day for text in texts if (match := pattern.fullmatch(text)) and (day := _day(match))]
        if len(days) == len(texts):
            return _column(texts, days, shown)
    return None


def _day(match: re.Match[str]) -> date | None:
    try:
        day = date(int(match["year"]), int(match["month"]), int(match["day"]))
    except ValueError:
        return None
    return day if day.year >= FIRST_YEAR else None


def _format(numbers: Numbers, *, is_amount: bool) -> str:
    """Where the numbers have decimals in different numbers, each shows its own."""
    whole = "#,##0" if numbers.is_grouped or is_amount else "0"
    if numbers.decimals is None and whole == "0":
        return "General"
    return f"{whole}.{'0' * numbers.most_decimals}" if numbers.most_decimals else whole


def _column(texts: Sequence[str], values: Sequence[Value], shown: str) -> Column:
    return Column(dict(zip(texts, values, strict=True)), shown)
