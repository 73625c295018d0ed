"""Values of the entity cache: facts that stood in results of tools."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import StrEnum

LONGEST = 200  # characters of a value


class EntityKey(StrEnum):
    COMPANY = "entity:company"
    AMOUNT = "entity:amount"
    DATE = "entity:date"
    PERSON = "entity:person"

    @property
    def kind(self) -> str:
        return self.value.partition(":")[2]


class EntitySource(StrEnum):
    """`tool`: by rules, in a tool's result; `extraction`: by a model that read it. The others are what people and summaries
    say."""

    TOOL = "tool"
    EXTRACTION = "extraction"
    CONVERSATION = "conversation"
    SUMMARY = "summary"


@dataclass(frozen=True)
class Entity:
    """`value` as it was written, `normalised` as it is compared: two spellings of one thing have one."""

    key: EntityKey
    value: str
    normalised: str
    source: EntitySource = EntitySource.TOOL


def one_line(text: str) -> str:
    """Whatever was written: one line, not too long, and nothing in it that could open or end something in a prompt."""
    kept = "".join(" " if c.isspace() else c for c in text if c.isspace() or not _is_mark(c))
    return " ".join(kept.split())[:LONGEST].strip()


def _is_mark(character: str) -> bool:
    """Brackets of tags, citations and templates; control and format characters."""
    return character in "<>[]{}`" or unicodedata.category(character).startswith("C")
