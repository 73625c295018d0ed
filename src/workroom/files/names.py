"""Validates names of files, tags and media types. Content is stored under its hash, so no file system limits names."""

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
    """The name in NFC, without invisible characters. Slashes and control characters are refused, not replaced: a file that
    was renamed silently is not found again."""
    name = "".join(char for char in unicodedata.normalize("NFC", text) if char not in DECEPTIVE)
    name = unicodedata.normalize("NFC", name).strip()
    if any(char in "/\\" or unicodedata.category(char) in NO_TEXT for char in name):
        raise InvalidInput("A name must not contain slashes or control characters.", field=field)
    if not name.strip(". ") or len(name) > LONGEST_NAME:
        raise InvalidInput(f"A name has 1 to {LONGEST_NAME} characters, and not only dots.", field=field)
    return name


def numbered(name: str, taken: Collection[str]) -> str:
    """The first free one of `report.pdf`, `report (2).pdf`, `report (3).pdf`, …, within the length limit."""
    stem, ending = split(name)
    number, candidate = 1, name
    while candidate in taken:
        number += 1
        suffix = f" ({number})"
        candidate = stem[: LONGEST_NAME - len(suffix) - len(ending)].rstrip() + suffix + ending
    return candidate


def split(name: str) -> tuple[str, str]:
    """Stem and extension, with its dot: `("report", ".pdf")`. A name that begins with its only dot has no extension."""
    stem, dot, ending = name.rpartition(".")
    if not stem.strip() or not ending or len(ending) > _LONGEST_ENDING or " " in ending:
        return name, ""
    return stem, dot + ending


def clean_tags(tags: Iterable[str]) -> list[str]:
    """Tags as they are written, with single spaces, sorted; of several that differ by case alone the last."""
    by_key = {tag_key(tag): tag for tag in map(clean_tag, tags)}
    cleaned = [by_key[key] for key in sorted(by_key)]
    if len(cleaned) > MOST_TAGS:
        raise InvalidInput(f"A file has at most {MOST_TAGS} tags.", field="tags")
    return cleaned


def clean_tag(text: str) -> str:
    tag = unicodedata.normalize("NFC", " ".join(text.split()))
    if not 1 <= len(tag) <= LONGEST_TAG or any(unicodedata.category(char) in NO_TEXT for char in tag) or '"' in tag:
        raise InvalidInput(f"A tag has 1 to {LONGEST_TAG} characters, without quotation marks.", field="tags")
    return tag


def tag_key(tag: str) -> str:
    """What tags are compared by: `Finanzen` and `finanzen` are one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", tag).casefold())


def clean_media_type(text: str | None) -> str:
    """The media type without parameters; UNKNOWN_TYPE for an invalid one, since a wrong label must not reject a file."""
    plain = (text or "").split(";", 1)[0].strip().lower()
    return plain if _TYPE.fullmatch(plain) else UNKNOWN_TYPE
