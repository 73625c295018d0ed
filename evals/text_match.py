"""Whether a text contains words or a number. Case, width of characters and white space do not count; numbers are compared by
value, since `1’284.50`, `1.284,50` and `1 284,50` are one number in different languages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

Words = str | Sequence[str]

_NUMBER = re.compile(r"\d(?:[\d.,'’ \u00a0\u202f]*\d)?")
_GROUPING = re.compile(r"['’ \u00a0\u202f]")
_GROUPED = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
ALTERNATIVE = "|"


def contains(text: str, words: Words) -> bool:
    """Whether all of the words occur; `a|b` stands for either of them."""
    folded = _folded(text)
    wanted = [words] if isinstance(words, str) else words
    return all(any(_folded(option) in folded for option in word.split(ALTERNATIVE)) for word in wanted)


def contains_number(text: str, number: Decimal) -> bool:
    return any(number == read for written in _NUMBER.findall(text) for read in _readings(written))


def as_number(value: Any) -> Decimal | None:
    """A number as JSON has it, or written with a decimal point."""
    if isinstance(value, bool):
        return None
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _readings(written: str) -> Iterator[Decimal]:
    """Every value that these digits and separators can mean. Digits apart may also be numbers of their own: `3 items, 12 CHF`."""
    pieces = [written, *re.split(r"[ \u00a0\u202f]|[.,] ", written)]
    for piece in dict.fromkeys(pieces):
        plain = _GROUPING.sub("", piece)
        options = {plain, plain.replace(",", "")}
        options.add(plain.replace(".", "").replace(",", "."))
        if _GROUPED.fullmatch(plain):
            options.add(re.sub(r"[.,]", "", plain))
        for option in options:
            number = as_number(option)
            if number is not None:
                yield number
