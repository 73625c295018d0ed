"""Number formats of spreadsheets: a number as people see it in its cell. `#,##0.00` makes 1,234.50 of 1234.5.

Formats use the English decimal point and thousands comma; which separators were displayed depended on the machine, not on
the file. Dates are shown by date_formats.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from workroom.documents.office.format_tokens import CONDITION, FormatToken

Show = Callable[[float], str]

_SPACES = re.compile(r"\s+")
_PRECISE = 15  # digits a spreadsheet computes with
_MOST_DECIMALS = 30
_LARGE = 1e13
_UPWARDS = 1 + 1e-15  # 2.675 is a little less in binary, and is rounded up all the same


def number_format(sections: list[list[FormatToken]]) -> Show | None:
    """None where a number is shown as it is."""
    if all(token.kind == "general" for token in sections[0]) and len(sections) == 1:
        return None
    parsed = [_Section(tokens) for tokens in sections[:3]]
    if len(parsed) == 1 and parsed[0].condition is None:
        return parsed[0].show

    def show(value: float) -> str:
        section, absolute = _chosen(parsed, value)
        return section.show(abs(value) if absolute else value, otherwise=value)

    return show


def plain(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.{_PRECISE}g}"


def _chosen(sections: list[_Section], value: float) -> tuple[_Section, bool]:
    """Which part is for this number, and whether its sign is already said by that."""
    if any(section.condition for section in sections):
        for section in sections:
            if section.condition is None or section.holds(value):
                return section, False
        return sections[-1], False
    if value < 0 and len(sections) > 1:
        return sections[1], True
    if value == 0 and len(sections) > 2:
        return sections[2], True
    return sections[0], False


class _Section:
    def __init__(self, tokens: list[FormatToken]) -> None:
        self.condition = next((token.text for token in tokens if token.kind == "condition"), None)
        self._tokens = [token for token in tokens if token.kind not in ("condition", "ignored")]
        digits = [index for index, token in enumerate(self._tokens) if token.kind in ("digit", "over")]
        self._first, self._last = (digits[0], digits[-1]) if digits else (len(self._tokens), len(self._tokens) - 1)
        if 0 < self._first <= self._last and self._tokens[self._first - 1].means("."):
            self._first -= 1
        inside = self._tokens[self._first : self._last + 1]
        self._point = next((index for index, token in enumerate(inside) if token.means(".")), len(inside))
        self._whole, self._part = inside[: self._point], inside[self._point + 1 :]
        self._thousands = any(token.means(",") for token in self._whole)
        self._percents = sum(token.means("%") for token in self._tokens)
        self._smaller = _leading_commas(self._tokens[self._last + 1 :])
        self._is_fraction = any(token.means("/") or token.kind == "over" for token in inside)
        self._exponent = any(token.kind == "exponent" for token in inside)
        # Millions of cells have plain formats: for these, everything that can be known is known before the first.
        self._spec = self._quickly()
        self._times = 100**self._percents / 1000**self._smaller
        self._before = _words(self._tokens[: self._first]).lstrip()
        self._after = _words(self._tokens[self._last + 1 :]).rstrip()

    def holds(self, value: float) -> bool:
        sign, limit = CONDITION.fullmatch(self.condition or "").groups()  # type: ignore[union-attr]
        than = float(limit)
        results = {"<": value < than, ">": value > than, "<=": value <= than, ">=": value >= than}
        return results.get(sign, (value == than) == (sign == "="))

    def show(self, value: float, *, otherwise: float | None = None) -> str:
        """`otherwise` is shown as it is where the format says nothing; without it, the value."""
        if self._spec and abs(value) < _LARGE:
            number = f"{abs(value) * self._times * _UPWARDS:{self._spec}}"
            sign = "-" if value < 0 and number.strip("0.,") else ""
            return f"{sign}{self._before}{number}{self._after}"
        shown = " ".join(self._shown(value).split())
        return shown or plain(value if otherwise is None else otherwise)

    def _quickly(self) -> str:
        """How Python would format the number; empty where a format asks for more than decimals and thousands."""
        placeholders = [token.text for token in self._whole if token.kind == "digit"]
        odd = any(token.kind not in ("digit", "mark") for token in (*self._whole, *self._part))
        if odd or self._is_fraction or self._exponent or placeholders.count("0") != 1 or placeholders[-1] != "0":
            return ""
        if any(token.text != "0" for token in self._part):
            return ""
        return f"{',' if self._thousands else ''}.{len(self._part)}f"

    def _shown(self, value: float) -> str:
        if any(token.kind == "general" for token in self._tokens):
            return self._around(plain(value))
        if any(token.means("@") for token in self._tokens):
            return plain(value)
        if self._first > self._last:
            return self._around("")
        sign = "-" if value < 0 else ""
        number = Decimal(f"{abs(value):.{_PRECISE}g}") * 100**self._percents / 1000**self._smaller
        if self._is_fraction:
            return sign + self._around(self._fraction(number))
        if self._exponent:
            return sign + self._around(self._scientific(number))
        places = min(sum(token.kind == "digit" for token in self._part), _MOST_DECIMALS)
        rounded = number.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP) if number < Decimal(10) ** 25 else number
        whole, _, part = f"{rounded:f}".partition(".")
        shown = self._integer(whole) + self._decimals(part)
        return (sign if rounded else "") + self._around(shown)

    def _around(self, number: str) -> str:
        if self._first > self._last:  # words only, or a number as it is
            return "".join(number if token.kind == "general" else _literal(token) for token in self._tokens)
        return self._before + number + self._after

    def _integer(self, whole: str) -> str:
        placeholders = [token for token in self._whole if token.kind == "digit"]
        least = sum(token.text == "0" for token in placeholders)
        digits = whole.lstrip("0").rjust(least, "0") if whole.strip("0") or least else ""
        if not any(token.kind == "literal" for token in self._whole):
            return f"{int(digits):,}".rjust(least, "0") if self._thousands and digits else digits
        shown = ""
        for index, token in reversed(list(enumerate(self._whole))):  # such as 000-00-0000
            if token.kind == "digit":
                is_first = not any(other.kind == "digit" for other in self._whole[:index])
                shown = (digits if is_first else digits[-1:]) + shown
                digits = digits[:-1]
            elif digits:
                shown = _literal(token) + shown
        return shown

    def _decimals(self, part: str) -> str:
        placeholders = [token.text for token in self._part if token.kind == "digit"]
        least = max((index + 1 for index, text in enumerate(placeholders) if text != "#"), default=0)
        kept = part[:least] + part[least:].rstrip("0")
        literals = "".join(_literal(token) for token in self._part if token.kind == "literal")
        return (f".{kept}" if kept else "") + literals

    def _scientific(self, number: Decimal) -> str:
        at = next(index for index, token in enumerate(self._part or self._whole) if token.kind == "exponent")
        places = sum(token.kind == "digit" for token in self._part[:at]) if self._part else 0
        mantissa, _, exponent = f"{float(number):.{places}E}".partition("E")
        least = sum(token.kind == "digit" for token in (self._part or self._whole)[at:])
        return f"{mantissa}E{exponent[0]}{exponent[1:].lstrip('0').rjust(max(least, 1), '0')}"

    def _fraction(self, number: Decimal) -> str:
        slash = next(index for index, token in enumerate(self._whole) if token.means("/") or token.kind == "over")
        below = "".join(token.text for token in self._whole[slash:]).lstrip("/")
        has_whole = any(token.kind == "literal" for token in self._whole[:slash])
        exact = Fraction(number)
        fixed = int(below) if below.isdecimal() and int(below) else 0
        near = Fraction(round(exact * fixed), fixed) if fixed else exact.limit_denominator(10 ** min(len(below), 3) - 1)
        whole, rest = divmod(near, 1) if has_whole else (0, near)
        if rest == 0:
            return str(int(whole)) if has_whole else str(int(near))
        parts = (rest.numerator * (fixed // rest.denominator), fixed) if fixed else (rest.numerator, rest.denominator)
        return (f"{int(whole)} " if whole else "") + f"{parts[0]}/{parts[1]}"


def _leading_commas(tokens: list[FormatToken]) -> int:
    """Commas after the last digit: each makes a number a thousand times smaller."""
    count = 0
    for token in tokens:
        if not token.means(","):
            break
        count += 1
    return count


def _words(tokens: list[FormatToken]) -> str:
    return _SPACES.sub(" ", "".join(map(_literal, tokens)))


def _literal(token: FormatToken) -> str:
    if token.kind in ("literal", "era"):
        return token.text
    return "%" if token.means("%") else ""
