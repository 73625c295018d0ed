"""The digest of a text, which says what a block is about where there is no room for the text: by rules at once, its beginning in
plain words; better ones come from a model later (digest_jobs.py). Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from workroom.studio.types import BlockText, BlockVersionText

LONGEST = 240  # characters
READ = 2_000
RESTED = timedelta(
    seconds=20
)  # how old a text is when a model sums it up: while it is being written, versions come quickly
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+(.+)$", re.MULTILINE)
_RULE = re.compile(r"^[-|: \t]{3,}$| ?\|[ \t]*$", re.MULTILINE)  # below the head of a table; the end of a row
_MARKS = re.compile(r"^\s{0,3}(?:#{1,6}\s+|[-*+]\s+|\d+[.)]\s+|>\s?|\|)|[*_`~]{1,3}", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


@dataclass(frozen=True)
class NewDigest:
    """`wanted_for`: a model shall make a better one, and this person pays for it."""

    text: str
    by_model: bool = False
    wanted_for: UUID | None = None


def new_digest(made: BlockVersionText, before: BlockText) -> NewDigest:
    """Of a text that has just been written. What a model said of the same text stays; a short text is its own digest."""
    if made.text == before.text and before.digest_by_model:
        return NewDigest(before.digest, by_model=True)
    text = digest_of(made.text)
    return NewDigest(text, wanted_for=None if _is_short(made.text) else made.written_by)


def digest_of(text: str) -> str:
    return cut_at_sentence(plain_text(text))


def cut_at_sentence(plain: str) -> str:
    """Up to the end of a sentence, if one ends in the second half."""
    if len(plain) <= LONGEST:
        return plain
    end = max(plain.rfind(sign, LONGEST // 2, LONGEST) for sign in (". ", "! ", "? ", "。"))
    return plain[: end + 1] if end > 0 else plain[: LONGEST - 1].rstrip() + "…"


def plain_text(text: str) -> str:
    """The beginning of a text without Markdown, on one line; a dash stands behind what was a heading."""
    rows = _RULE.sub("", _LINK.sub(r"\1", text[:READ]))
    lines = _HEADING.sub(lambda heading: f"{heading[1].rstrip(' #')} –", rows)
    return " ".join(_MARKS.sub("", lines).split()).strip("– ")


def _is_short(text: str) -> bool:
    return len(text) <= READ and len(plain_text(text)) <= LONGEST
