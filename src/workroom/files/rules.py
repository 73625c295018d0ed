"""The rule of a folder that files things by itself: `tag:financial`, `type:pdf and name:*.csv`.

    rule   = term { "and" term }
    term   = ( "tag" | "type" | "name" ) ":" ( word | quoted )

`tag` is one of the file's tags; `type` its ending, its media type or a half of that (`pdf`, `image`, `image/png`); `name` a
pattern with `*` and `?`. A value with spaces stands in quotation marks. All terms must be true.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

from workroom.core.errors import InvalidInput
from workroom.files import globs
from workroom.files.names import LONGEST_NAME, clean_tag, split

LONGEST_RULE = 500
_TERM = re.compile(r'\s*(tag|type|name)\s*:\s*(?:"([^"]+)"|([^\s"]+))\s*', re.IGNORECASE)
_SPACE = re.compile(r"\s")
_AND = re.compile(r"and\s", re.IGNORECASE)
HELP = "Write terms like tag:financial, type:pdf or name:*.csv, joined by “and”; values with spaces in quotation marks."


@dataclass(frozen=True)
class Term:
    kind: str
    value: str

    def fits(self, name: str, media_type: str, tags: Collection[str]) -> bool:
        if self.kind == "tag":
            return self.value in tags
        if self.kind == "type":
            return is_of_type(self.value, name, media_type)
        return globs.matches(self.value, name)

    def __str__(self) -> str:
        return f'{self.kind}:"{self.value}"' if _SPACE.search(self.value) else f"{self.kind}:{self.value}"


@dataclass(frozen=True)
class Rule:
    terms: tuple[Term, ...]

    def fits(self, name: str, media_type: str, tags: Collection[str]) -> bool:
        return all(term.fits(name, media_type, tags) for term in self.terms)

    def __str__(self) -> str:
        """As it is stored and shown: reading it again gives the same rule."""
        return " and ".join(map(str, self.terms))


def parse(text: str) -> Rule:
    if len(text) > LONGEST_RULE:
        raise InvalidInput(f"A rule has at most {LONGEST_RULE} characters.", field="autoRule")
    terms, place = [], 0
    while found := _TERM.match(text, place):
        terms.append(_term(found))
        place = found.end()
        if place == len(text):
            return Rule(tuple(terms))
        joined = _AND.match(text, place)
        if joined is None:
            break
        place = joined.end()
    raise InvalidInput(f"This rule cannot be read from character {place + 1} on. {HELP}", field="autoRule")


def is_of_type(wanted: str, name: str, media_type: str) -> bool:
    halves = media_type.partition("/")
    return wanted in (split(name)[1][1:].lower(), media_type, halves[0], halves[2])


def _term(found: re.Match[str]) -> Term:
    kind, value = found[1].lower(), unicodedata.normalize("NFC", found[2] or found[3]).strip()
    if not value or len(value) > LONGEST_NAME:
        raise InvalidInput(f"This rule has a term without a value. {HELP}", field="autoRule")
    if kind == "tag":
        return Term(kind, clean_tag(value))
    return Term(kind, value.lower().lstrip(".") or value) if kind == "type" else Term(kind, value)
