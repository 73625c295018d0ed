"""Whether the Universal Sentence Encoder speaks the language of a text: it was trained on sixteen."""

from __future__ import annotations

import re
from typing import Final

LANGUAGES: Final = frozenset(("ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"))
# Latin, Cyrillic, Arabic, Thai, kana, Han and Hangul; every other letter belongs to none of these languages.
_SCRIPTS: Final = re.compile(
    "[\u0000-\u024f\u0400-\u04ff\u0600-\u06ff\u0750-\u077f\u0e00-\u0e7f\u1e00-\u1eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]"
)
SAMPLE: Final = 1_000  # characters are enough to tell
TOLD_APART: Final = 100  # letters below which languages of one script are confused: then it is asked anyway


def is_spoken(text: str) -> bool:
    letters = [char for char in text[:SAMPLE] if char.isalpha()]
    if sum(_SCRIPTS.match(letter) is not None for letter in letters) * 2 < len(letters):
        return False
    if len(letters) < TOLD_APART:
        return True
    from py3langid import classify  # takes a second to load

    return str(classify(text[:SAMPLE])[0]) in LANGUAGES
