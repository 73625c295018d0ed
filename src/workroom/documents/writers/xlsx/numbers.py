"""Numbers as people write them. `1.234` is one number in Zurich and another in London: a column is numbers only if every way of
writing that fits all of its cells says the same of each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

MOST_DIGITS = 15  # that a spreadsheet keeps
PLAIN = r"(?:0|[1-9]\d*)"
NO_BREAK = "\u00a0\u202f\u2009"


@dataclass(frozen=True)
class _Way:
    """A way of writing numbers: what stands between groups of three, and before decimals."""

    groups: str
    point: str
    pattern: re.Pattern[str]


def _way(groups: str, point: str) -> _Way:
    grouped = rf"[1-9]\d{{0,2}}(?:([{groups}])\d{{3}})(?:\1\d{{3}})*"
    return _Way(groups, point, re.compile(rf"[-−]?(?:{grouped}|{PLAIN})(?:{re.escape(point)}(?P<decimals>\d+))?"))


# Plain spaces may be more than one number, or a number that people read out, unless decimals follow.
_SPACED = r"[-−]?(?:[1-9]\d{0,2}(?: \d{3})+(?=,)|[1-9]\d{0,2}(?:[\u00a0\u202f\u2009]\d{3})+|(?:0|[1-9]\d*))"
WAYS = (
    _way(",", "."),
    _way(".", ","),
    _way("'’", "."),
    _way("'’", ","),
    _Way(f" {NO_BREAK}", ",", re.compile(_SPACED + r"(?:,(?P<decimals>\d+))?")),
)


@dataclass(frozen=True)
class Numbers:
    """The numbers of some texts, in their order. `decimals`: how many all of them have; None where they differ."""

    values: Sequence[float]
    decimals: int | None
    most_decimals: int
    is_grouped: bool


def numbers_of(texts: Sequence[str]) -> Numbers | None:
    """None: they are not all numbers, or may be other ones."""
    readings = [numbers for way in WAYS if (numbers := _read(way, texts))]
    if not readings or any(other.values != readings[0].values for other in readings[1:]):
        return None
    return readings[0]


def _read(way: _Way, texts: Sequence[str]) -> Numbers | None:
    values, decimals, ends_in_zero, is_grouped = [], set(), False, False
    for text in texts:
        found = way.pattern.fullmatch(text)
        if found is None or sum(map(str.isdigit, text)) > MOST_DIGITS or not _is_known(text):
            return None
        behind = found["decimals"] or ""
        decimals.add(len(behind))
        ends_in_zero = ends_in_zero or behind.endswith("0")
        is_grouped = is_grouped or any(sign in text for sign in way.groups)
        bare = "".join(sign for sign in text if sign not in way.groups).replace(way.point, ".").replace("−", "-")
        values.append(float(bare) if behind else int(bare))
    lengths = decimals - {0}
    if len(lengths) > 1 and ends_in_zero:
        return None  # 1.9 and 1.10 are versions, or chapters
    same = decimals.pop() if len(decimals) == 1 else None
    return Numbers(values, same, max(lengths, default=0), is_grouped)


def _is_known(text: str) -> bool:
    """Digits of other scripts are texts."""
    return all(sign.isascii() or sign in f"−’{NO_BREAK}" for sign in text)
