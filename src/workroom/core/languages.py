"""The languages that pages, agents and mails speak."""

from __future__ import annotations

from typing import Literal, get_args

Language = Literal["de", "en", "fr", "pt", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
DEFAULT_LANGUAGE: Language = "en"
