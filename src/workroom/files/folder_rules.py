"""Rules of folders that collect files automatically: `tag:financial`, `type:pdf and name:*.csv`.

    rule   = term { "and" term }
    term   = ( "tag" | "type" | "name" ) ":" ( word | quoted )

`tag` is one of the file's tags; `type` its extension, its media type or a half of that (`pdf`, `image`, `image/png`); `name` a
pattern with `*` and `?`. A value with spaces stands in quotation marks. All terms must be true.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

from workroom.core.errors import InvalidInput
from workroom.files import globs
from workroom.files.names import LONGEST_NAME, clean_tag, split, tag_key

LONGEST_RULE = 500
_TERM = re.compile(r'\s*(tag|type|name)\s*:\s*(?:"([^"]+)"|([^\s"]+))\s*', re.IGNORECASE)
_SPACE = re.compile(r"\s")
_AND = re.compile(r"and\s", re.IGNORECASE)
HELP = "Write terms like tag:financial, type:pdf or name:*.csv, joined by “and”; values with spaces in quotation marks."


@dataclass(frozen=True)
class RuleTerm:
    kind: str
    value: str

    def fits(self, name: str, media_type: str, tags: Collection[str]) -> bool:
        if self.kind == "tag":
            return tag_key(self.value) in map(tag_key, tags)
        if self.kind == "type":
            return is_of_type(self.value, name, media_type)
        return globs.matches(self.value, name)

    def __str__(self) -> str:
        return f'{self.kind}:"{self.value}"' if _SPACE.search(self.value) else f"{self.kind}:{self.value}"


@dataclass(frozen=True)
class FolderRule:
    terms: tuple[RuleTerm, ...]

    def fits(self, name: str, media_type: str, tags: Collection[str]) -> bool:
        return all(term.fits(name, media_type, tags) for term in self.terms)

    def __str__(self) -> str:
        """The text form, as stored and shown; `parse` gives the same rule again."""
        return " and ".join(map(str, self.terms))


def parse(text: str) -> FolderRule:
    if len(text) > LONGEST_RULE:
        raise InvalidInput(f"A rule has at most {LONGEST_RULE} characters.", field="autoRule")
    terms, position = [], 0
    while match := _TERM.match(text, position):
        terms.append(_term(match))
        position = match.end()
        if position == len(text):
            return FolderRule(tuple(terms))
        conjunction = _AND.match(text, position)
        if conjunction is None:
            break
        position = conjunction.end()
    raise InvalidInput(f"This rule cannot be read from character {position + 1} on. {HELP}", field="autoRule")


def is_of_type(type_: str, name: str, media_type: str) -> bool:
    halves = media_type.partition("/")
    return type_ in (split(name)[1][1:].lower(), media_type, halves[0], halves[2])


def _term(match: re.Match[str]) -> RuleTerm:
    kind, value = match[1].lower(), unicodedata.normalize("NFC", match[2] or match[3]).strip()
    if not value or len(value) > LONGEST_NAME:
        raise InvalidInput(f"This rule has a term without a value. {HELP}", field="autoRule")
    if kind == "tag":
        return RuleTerm(kind, clean_tag(value))
    return RuleTerm(kind, value.lower().lstrip(".") or value) if kind == "type" else RuleTerm(kind, value)
