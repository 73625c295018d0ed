"""What a plan says in words of ours."""

from __future__ import annotations

from workroom.core import texts
from workroom.core.languages import DEFAULT_LANGUAGE


def knows(key: str) -> bool:
    return key in texts.texts(__package__, DEFAULT_LANGUAGE)


def say(key: str, language: str) -> str:
    return texts.say(__package__, key, language)
