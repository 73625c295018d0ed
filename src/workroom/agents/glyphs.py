"""The sign of an agent: one letter, digit or emoji, however many characters an emoji is made of."""

from __future__ import annotations

import unicodedata

from workroom.core.errors import InvalidInput

JOINER = "\u200d"
_JOINED = {"Sk", "Mn", "Me", "Cf"}  # skin tones, variation selectors, joiners


def clean_glyph(text: str, name: str) -> str:
    """Nothing said: the first letter of the name."""
    glyph = unicodedata.normalize("NFC", text).strip() or name[:1].upper()
    if not _is_one(glyph):
        raise InvalidInput("The sign of an agent is one letter or one emoji.", field="glyph")
    return glyph


def _is_one(glyph: str) -> bool:
    if len(glyph) == 1:
        return unicodedata.category(glyph)[0] in "LNPS"
    if not all(unicodedata.category(char) == "So" or unicodedata.category(char) in _JOINED for char in glyph):
        return False
    before = ["", *glyph]
    drawn = [
        char for char, last in zip(glyph, before, strict=False) if unicodedata.category(char) == "So" and last != JOINER
    ]
    return len(drawn) == 1 or (len(drawn) == 2 and all("\U0001f1e6" <= char <= "\U0001f1ff" for char in drawn))
