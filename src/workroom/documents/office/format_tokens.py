"""The language of number formats: `[Red]-#,##0.00 "CHF";;@` in pieces, each with what it means."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_(?P<space>.)|\*(?P<fill>.)|\[(?P<bracket>[^\]]*)\]|(?P<general>General)'
    r"|(?P<half>AM/PM|A/P|上午/下午)|(?P<exponent>E[+-])|(?P<over>/\d+)|(?P<digit>[0#?])"
    r"|(?P<mark>[.,%/@])"
    r"|(?P<date>y+|m+|d+|h+|s+(?:\.0+)?)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
CONDITION = re.compile(r"(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)")
_CURRENCY = re.compile(r"\$([^-]*)")
_LONGEST = 255  # characters of a format; Excel takes no more
_SECTIONS = 4


@dataclass(frozen=True)
class FormatToken:
    kind: str
    text: str

    def means(self, mark: str) -> bool:
        """It is this sign of the language of formats, and not a letter to be shown."""
        return self.kind == "mark" and self.text == mark


def sections_of(code: str) -> list[list[FormatToken]]:
    """The parts between semicolons: for positive and negative numbers, for zero, for text."""
    sections: list[list[FormatToken]] = [[]]
    for match in _TOKEN.finditer(code[:_LONGEST]):
        kind = match.lastgroup or "other"
        text = match.group(kind)
        if kind == "other" and text == ";":
            sections.append([])
        elif kind == "bracket":
            sections[-1] += _bracket(text)
        elif kind in ("quoted", "escaped", "other"):
            sections[-1].append(FormatToken("era" if kind == "other" and text in "gGeEbB" else "literal", text))
        elif kind == "space":
            sections[-1].append(FormatToken("literal", " "))
        elif kind != "fill":
            sections[-1].append(FormatToken(kind, text))
    return sections[:_SECTIONS]


def is_of_an_era(sections: list[list[FormatToken]]) -> bool:
    """Years as emperors or Buddhists count them: not known here."""
    return any(token.kind == "era" for token in sections[0])


def is_date(sections: list[list[FormatToken]]) -> bool:
    return any(token.kind in ("date", "half", "elapsed") for token in sections[0])


def _bracket(text: str) -> list[FormatToken]:
    if currency := _CURRENCY.match(text):
        locale = FormatToken("locale", text.rpartition("-")[2]) if "-" in text else FormatToken("ignored", "")
        return [FormatToken("literal", currency[1]), locale]
    if text and not text.lower().strip(text[0].lower()) and text[0] in "hmsHMS":
        return [FormatToken("elapsed", text.lower())]
    if CONDITION.fullmatch(text):
        return [FormatToken("condition", text)]
    return [FormatToken("ignored", text)]  # colours
