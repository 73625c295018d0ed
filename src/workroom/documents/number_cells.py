"""Reads the numbers in a column of a table as people write them: `1'234.50`, `1.234,50`, `1 234,50`, `12 %`, `CHF 5.–`, `(3)`.

`1.234` alone may be a thousand or a little more than one: what the other cells of its column show decides it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

DecimalMark = Literal[".", ","]

_LONGEST = 60
_GROUPING = "'’ʼ´ \u00a0\u2009\u202f"
_DIGITS = rf"\d(?:[\d.,{_GROUPING}]*\d)?|[.,]\d+"
# Letters directly before digits are a name, such as Q1: before a number stands a currency or nothing.
_CURRENCY = r"(?:[A-Z]{2,3}\$?|S?Fr\.)(?=[\s\-−–\d])|[€$£¥￥₣]"
_CELL = re.compile(
    rf"(?P<open>\()?\s*(?P<minus>[-−–])?\s*(?P<before>{_CURRENCY})?\s*(?P<sign>[-+−–])?\s*"
    rf"(?P<digits>{_DIGITS})(?P<exponent>[eE][-+]?\d{{1,3}})?(?:\.[-–—]{{1,2}})?"
    r"(?P<behind>[-−])?\s*(?P<after>[^\d\s.,:/()'’–-][^\d()]{0,19})?(?P<close>\))?"
)
_LETTERS_TOUCH = re.compile(r"[A-Z]{1,3}\d")
_GROUPED = re.compile(rf"\d{{1,3}}(?:[{_GROUPING}]\d{{3}})+(?=[.,]|$)")
_GROUPS = {mark: re.compile(rf"\d{{1,3}}(?:\{mark}\d{{3}})+") for mark in ".,"}
_SPACES = re.compile(r"\s{2,}")
_NOTHING = frozenset(
    ["-", "–", "—", "…", "...", "?", "n/a", "na", "#n/a", "#nv", "k.a.", "n.d.", "n.v.", "nan", "null", "none"]
)


@dataclass(frozen=True)
class NumberColumn:
    """`values` has None where nothing stands, and where there is no number; `unread` counts the latter. `units`: what stands
    beside the numbers, the most frequent first."""

    values: list[float | None]
    unread: int
    units: tuple[str, ...]

    @property
    def is_numeric(self) -> bool:
        """Most of what stands in it is a number."""
        count = sum(value is not None for value in self.values)
        return count > 0 and count >= 2 * self.unread


@dataclass(frozen=True)
class _Number:
    """`digits` still has the dots and commas of the cell."""

    digits: str
    negative: bool
    exponent: str
    unit: str


def read_numbers(cells: Sequence[str], decimal: DecimalMark | None = None) -> NumberColumn:
    """`decimal` is the mark before decimals, where the format of a file says which; else the cells show it."""
    read = [_read(cell) for cell in cells]
    mark = _decimal_mark(read) or decimal
    values = [None if number is None else _value(number, mark) for number in read]
    unread = sum(value is None and not is_nothing(cell) for value, cell in zip(values, cells, strict=True))
    units = Counter(
        number.unit for number, value in zip(read, values, strict=True) if number and number.unit and value is not None
    )
    return NumberColumn(values, unread, tuple(unit for unit, _ in units.most_common()))


def is_nothing(cell: str) -> bool:
    """Whether it says that there is no value."""
    said = "".join(cell.casefold().split())
    return not said or said in _NOTHING


def _decimal_mark(numbers: Iterable[_Number | None]) -> DecimalMark | None:
    """What most of these numbers show; None if each may be read in two ways."""
    votes = Counter(mark for number in numbers if number and (mark := _shown(number.digits)))
    return votes.most_common(1)[0][0] if votes else None


def _shown(digits: str) -> DecimalMark | None:
    """The mark before decimals, as far as this number alone says it."""
    dots, commas = digits.count("."), digits.count(",")
    if not dots and not commas:
        return None
    if dots and commas:
        return "." if digits.rfind(".") > digits.rfind(",") else ","
    if dots + commas > 1:
        return "," if dots else "."
    whole, _, part = digits.partition("." if dots else ",")
    if len(part) == 3 and 1 <= len(whole) <= 3 and whole != "0":
        return None
    return "." if dots else ","


def _read(cell: str) -> _Number | None:
    text = _SPACES.sub(lambda spaces: spaces[0][0], cell.strip())  # many in a row would be tried in every way
    if len(text) > _LONGEST or not (found := _CELL.fullmatch(text)):
        return None
    if bool(found["open"]) != bool(found["close"]) or _LETTERS_TOUCH.match(text):
        return None
    digits = found["digits"]
    if any(sign in digits for sign in _GROUPING):
        if not (grouped := _GROUPED.match(digits)):
            return None
        digits = re.sub(f"[{_GROUPING}]", "", grouped[0]) + digits[grouped.end() :]
    signs = [found["open"], found["minus"], found["behind"], found["sign"] != "+" and found["sign"]]
    unit = found["before"] or (found["after"] or "").strip()
    return _Number(digits, any(signs), found["exponent"] or "", unit)


def _value(number: _Number, mark: DecimalMark | None) -> float | None:
    """Without anything that decides it, one dot or comma before three digits groups thousands."""
    own = _shown(number.digits) or mark
    if own is None:
        own = "," if "." in number.digits else "."
    other = "," if own == "." else "."
    whole, _, part = number.digits.partition(own)
    if other in whole and not _GROUPS[other].fullmatch(whole):
        return None
    if not (whole.replace(other, "") + part).isascii() or (not part.isdigit() and part):
        return None
    value = float(f"{whole.replace(other, '') or '0'}.{part or '0'}{number.exponent}")
    if not math.isfinite(value):
        return None
    return -value if number.negative else value
