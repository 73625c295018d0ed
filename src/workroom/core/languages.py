"""The languages that pages, agents and mails speak."""

from __future__ import annotations

from typing import Literal, get_args

Language = Literal["de", "en", "fr", "pt", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
DEFAULT_LANGUAGE: Language = "en"


def language_or_default(code: str) -> Language:
    return next((language for language in LANGUAGES if language == code), DEFAULT_LANGUAGE)
