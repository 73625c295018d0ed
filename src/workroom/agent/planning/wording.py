"""What a plan says in words of ours."""

from __future__ import annotations

from workroom.core import texts


def knows(key: str) -> bool:
    return key in texts.texts(__package__, texts.DEFAULT)


def say(key: str, language: str) -> str:
    return texts.say(__package__, key, language)
