"""The digest of a text by rules: its beginning in plain words. A model makes a better one later. Pure."""

from __future__ import annotations

import re

LONGEST = 240  # characters
READ = 2_000
_MARKS = re.compile(r"^\s{0,3}(?:#{1,6}\s+|[-*+]\s+|\d+[.)]\s+|>\s?|\|)|[*_`~]{1,3}|^\s*[-|:\s]{3,}$", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


def digest_of(text: str) -> str:
    """Up to the end of a sentence, if one ends in the second half."""
    plain = " ".join(_MARKS.sub("", _LINK.sub(r"\1", text[:READ])).split())
    if len(plain) <= LONGEST:
        return plain
    end = max(plain.rfind(sign, LONGEST // 2, LONGEST) for sign in (". ", "! ", "? ", "。"))
    return plain[: end + 1] if end > 0 else plain[: LONGEST - 1].rstrip() + "…"
