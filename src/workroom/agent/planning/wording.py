"""What a plan says in words of ours."""

from __future__ import annotations

from workroom.core import texts


def say(key: str, language: str) -> str:
    return texts.say(__package__, key, language)
