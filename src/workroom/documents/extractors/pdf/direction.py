"""Which way a text is read: Arabic and Hebrew begin on the right, with their columns as well as with their letters."""

from __future__ import annotations

import re

_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def begins_on_the_right(text: str) -> bool:
    letters = sum(char.isalpha() for char in text)
    return letters > 0 and len(_RIGHT_TO_LEFT.findall(text)) * 2 > letters
