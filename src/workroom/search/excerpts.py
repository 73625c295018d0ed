"""The part of a text where searched words stand."""

from __future__ import annotations

from collections.abc import Sequence

LENGTH = 200
LEAD = 40  # characters before the first match


def excerpt(text: str, words: Sequence[str]) -> str:
    """About `LENGTH` characters around the word that stands first, in lines as they are; empty if none of the words is there.
    Without words, the beginning."""
    line = text.strip()
    lower = line.lower()
    places = [place for word in words if word and (place := lower.find(word.lower())) >= 0]
    if words and not places:
        return ""
    start = _word_begin(line, max(0, min(places, default=0) - LEAD))
    end = start + LENGTH
    return ("… " if start else "") + line[start:end].rstrip() + (" …" if end < len(line) else "")


def _word_begin(line: str, start: int) -> int:
    """The next beginning of a word, if one is near; where words have no spaces, here."""
    space = line.find(" ", start, start + LEAD // 2) if start else -1
    return space + 1 if space >= 0 else start
