"""Amounts of money: a currency and a number, in the notations of Switzerland, Germany, France, Portugal, Brazil, England and
China. Kept as written; compared as `CHF 1250.00`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal

from workroom.agent.entities.types import Entity, EntityKey

CURRENCIES = {
    "CHF": "CHF", "SFr.": "CHF", "sFr.": "CHF", "Franken": "CHF", "EUR": "EUR", "Euro": "EUR", "Euros": "EUR", "euros": "EUR",
    "euro": "EUR", "€": "EUR", "USD": "USD", "US$": "USD", "$": "$", "GBP": "GBP", "£": "GBP", "BRL": "BRL", "R$": "BRL",
    "CNY": "CNY", "RMB": "CNY", "人民币": "CNY", "元": "CNY", "¥": "¥", "￥": "¥", "JPY": "JPY", "CAD": "CAD", "AUD": "AUD",
}  # fmt: skip
MULTIPLES = {
    "Tsd.": 10**3, "Mio.": 10**6, "Mio": 10**6, "Millionen": 10**6, "Million": 10**6, "million": 10**6, "millions": 10**6,
    "milhões": 10**6, "milhão": 10**6, "Mrd.": 10**9, "Mrd": 10**9, "Milliarden": 10**9, "milliards": 10**9,
    "billion": 10**9, "万": 10**4, "亿": 10**8,
}  # fmt: skip


def _any(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


SPACE = r"[ \u00a0\u202f]"
GROUPED = r"\d{1,3}(?:['’ʼ.,]\d{3}|[ \u00a0\u202f]\d{3}){1,5}"
NUMBER = rf"(?P<number>[-−]?(?:{GROUPED}|\d{{1,12}})(?:[.,]\d{{1,2}}|\.[-–—]{{1,2}})?)(?!\d|['’.,]\d)"
MULTIPLE = rf"(?:{SPACE}?(?P<times>{_any(MULTIPLES)})(?![^\W\d_\u4e00-\u9fff]))?"
LEADING = re.compile(rf"(?<![A-Za-zÀ-ÿ\d$])(?P<currency>{_any(CURRENCIES)}){SPACE}?{NUMBER}{MULTIPLE}")
TRAILING = re.compile(
    rf"(?<![A-Za-zÀ-ÿ\d.,'’$€£¥-]){NUMBER}{MULTIPLE}{SPACE}?(?P<currency>{_any(CURRENCIES)})(?![A-Za-z])"
)
# `Fr.` is a Friday too: an amount has cents, or a line in their place.
FRANCS = re.compile(
    rf"(?<!\w)(?P<currency>Fr\.){SPACE}?(?P<number>(?:{GROUPED}|\d{{1,12}})(?:\.\d\d|\.[-–—]{{1,2}}))(?!\d|['’.,]\d)"
)


def amounts(text: str) -> Iterator[Entity]:
    taken: set[int] = set()  # where a number ends that has its currency already
    for pattern in (LEADING, FRANCS, TRAILING):
        for found in pattern.finditer(text):
            if found.end("number") in taken:
                continue
            taken.add(found.end("number"))
            multiple = found.groupdict().get("times")
            amount = decimal_of(found["number"]) * (MULTIPLES[multiple] if multiple else 1)
            currency = CURRENCIES.get(found["currency"], "CHF")
            yield Entity(EntityKey.AMOUNT, found.group().strip(), f"{currency} {amount:.2f}")


def decimal_of(written: str) -> Decimal:
    """One separator with three digits after it groups thousands, in all of these notations; of two kinds the last is the
    decimal one."""
    negative = written[0] in "-−"
    digits = re.sub(r"['’ʼ\s]|^[-−]|\.?[-–—]+$", "", written)
    last = max(digits.rfind("."), digits.rfind(","))
    if last < 0:
        value = Decimal(digits)
    else:
        other = "," if digits[last] == "." else "."
        groups = digits.count(digits[last]) > 1 or (len(digits) - last == 4 and other not in digits)
        whole, cents = (digits, "") if groups else (digits[:last], digits[last + 1 :])
        value = Decimal(f"{re.sub('[.,]', '', whole)}.{cents or 0}")
    return -value if negative else value
