"""What files, tags and types are called. Content lies under its hash, so these are for people: no disk limits them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable

from workroom.core.errors import InvalidInput
from workroom.core.paths import DECEPTIVE, NO_TEXT

LONGEST_NAME = 255
LONGEST_TAG = 50
MOST_TAGS = 50
UNKNOWN_TYPE = "application/octet-stream"
_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}")
_LONGEST_ENDING = 20


def clean_file_name(text: str, field: str = "name") -> str:
    """In NFC, without what cannot be seen. Characters that would make a path or break a line are refused, not replaced:
    nobody finds again what was renamed in silence."""
    name = "".join(char for char in unicodedata.normalize("NFC", text) if char not in DECEPTIVE)
    name = unicodedata.normalize("NFC", name).strip()
    if any(char in "/\\" or unicodedata.category(char) in NO_TEXT for char in name):
        raise InvalidInput("A name must not contain slashes or control characters.", field=field)
    if not name.strip(". ") or len(name) > LONGEST_NAME:
        raise InvalidInput(f"A name has 1 to {LONGEST_NAME} characters, and not only dots.", field=field)
    return name


def numbered(name: str, taken: Collection[str]) -> str:
    """`report.pdf`, `report (2).pdf`, `report (3).pdf`, …: the first that is free, never longer than a name may be."""
    stem, ending = split(name)
    number, found = 1, name
    while found in taken:
        number += 1
        mark = f" ({number})"
        found = stem[: LONGEST_NAME - len(mark) - len(ending)].rstrip() + mark + ending
    return found


def split(name: str) -> tuple[str, str]:
    """Stem and ending, the dot with the ending: `("report", ".pdf")`. A name that begins with its only dot has none."""
    stem, dot, ending = name.rpartition(".")
    if not stem.strip() or not ending or len(ending) > _LONGEST_ENDING or " " in ending:
        return name, ""
    return stem, dot + ending


def clean_tags(tags: Iterable[str]) -> list[str]:
    """In lower case, single spaces, each once, in order of the alphabet."""
    cleaned = sorted({clean_tag(tag) for tag in tags})
    if len(cleaned) > MOST_TAGS:
        raise InvalidInput(f"A file has at most {MOST_TAGS} tags.", field="tags")
    return cleaned


def clean_tag(text: str) -> str:
    tag = unicodedata.normalize("NFC", " ".join(unicodedata.normalize("NFC", text).casefold().split()))
    if not 1 <= len(tag) <= LONGEST_TAG or any(unicodedata.category(char) in NO_TEXT for char in tag) or '"' in tag:
        raise InvalidInput(f"A tag has 1 to {LONGEST_TAG} characters, without quotation marks.", field="tags")
    return tag


def clean_media_type(text: str | None) -> str:
    """Without parameters; what is none is unknown, because a wrong label must not keep a file out."""
    plain = (text or "").split(";", 1)[0].strip().lower()
    return plain if _TYPE.fullmatch(plain) else UNKNOWN_TYPE
