"""Sentences about the map, in the user's language."""

from __future__ import annotations

from collections.abc import Callable

from workroom.core import texts
from workroom.core.results import ToolResult
from workroom.geo.errors import GeoServiceFailed


def say(key: str, language: str, **values: object) -> str:
    return texts.say(__package__, key, language, **values)


def nothing(key: str) -> Callable[[ToolResult, str], str]:
    """That there is none, or why: the coordinate is out of range; and, where only the sample is known, that more could be."""

    def text(result: ToolResult, language: str) -> str:
        more = " " + say("onlySample", language) if result.data.get("onlySample") else ""
        return say(str(result.data.get("why", key)), language) + more

    return text


def failed(result: ToolResult, language: str) -> str:
    return say("serviceFailed", language) if result.data.get("code") == GeoServiceFailed.code else result.message


def saying(key: str) -> Callable[[str], str]:
    return lambda language: say(key, language)
