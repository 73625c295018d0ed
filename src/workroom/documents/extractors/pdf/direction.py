"""Text direction: Arabic and Hebrew are right-to-left, in letters and in columns."""

from __future__ import annotations

import re

_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def is_right_to_left(text: str) -> bool:
    letters = sum(char.isalpha() for char in text)
    return letters > 0 and len(_RIGHT_TO_LEFT.findall(text)) * 2 > letters
