"""Which language a text is in, and how its words are made comparable: PostgreSQL stems them, one configuration per language.
Chinese, Japanese and Korean have no spaces between words: there every two neighbouring characters count as one."""

from __future__ import annotations

import re
import unicodedata

SIMPLE = "simple"
CONFIGURATIONS = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish",
    "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian",
    "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian",
    "nb": "norwegian", "nn": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
SAMPLE = 4_000  # characters are enough to tell
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")


def configuration(text: str) -> str:
    """PostgreSQL's name for the language of a text; `simple` when it has none for it."""
    sample = text[:SAMPLE]
    unspaced = sum(len(run) for run in _UNSPACED.findall(sample))
    if unspaced > len(sample) / 5 or not any(char.isalpha() for char in sample):
        return SIMPLE
    from py3langid import classify  # takes a second to load, so only for those who index

    return CONFIGURATIONS.get(classify(sample)[0], SIMPLE)


def comparable(text: str) -> str:
    """The same text as it is given to PostgreSQL to be stemmed."""
    return _UNSPACED.sub(lambda run: f" {_pairs(run[0])} ", text)


def unaccented(text: str) -> str:
    """Without accents and capitals: of `Kündigung` PostgreSQL's German stem is `kundig`, its English one is `kündigung`."""
    plain = "".join(char for char in unicodedata.normalize("NFD", text.casefold()) if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", plain)


def _pairs(run: str) -> str:
    return run if len(run) < 3 else " ".join(run[at : at + 2] for at in range(len(run) - 1))
