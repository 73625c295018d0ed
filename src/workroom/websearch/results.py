"""What services say of pages, as results: texts on one line and cut, addresses that can be opened. Pure."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from workroom.core.errors import OutgoingRefused
from workroom.core.paths import NO_TEXT
from workroom.net.urls import parse_url
from workroom.websearch.errors import no_json
from workroom.websearch.types import MOST_RESULTS, WebResult

LONGEST_TITLE = 300
LONGEST_EXCERPT = 1_500
LONGEST_DATE = 40
LONGEST_ADDRESS = 2_000
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")


def results_of(answer: Any, provider: str, date: str) -> list[WebResult]:
    """`answer` is the JSON of the service, `date` its name of the field with the day of publication."""
    entries = answer.get("results") if isinstance(answer, dict) else None
    if not isinstance(entries, list):
        raise no_json(provider)
    by_url = {result.url: result for result in reversed([*_results(entries, date)])}
    return list(reversed(by_url.values()))[:MOST_RESULTS]


def _results(entries: list[Any], date: str) -> Iterator[WebResult]:
    for entry in entries:
        if not isinstance(entry, dict) or not (url := _address(entry.get("url"))):
            continue
        title = _text(entry.get("title"), LONGEST_TITLE) or url
        yield WebResult(
            title=title,
            url=url,
            excerpt=_text(entry.get("content"), LONGEST_EXCERPT),
            date=_text(entry.get(date), LONGEST_DATE),
        )


def _address(given: Any) -> str | None:
    """Only what a browser opens as a page: a result is a link that people click."""
    if not isinstance(given, str) or len(given) > LONGEST_ADDRESS:
        return None
    try:
        return str(parse_url(given.strip()))
    except OutgoingRefused:
        return None


def _text(given: Any, limit: int) -> str:
    """Services mark words of the query in HTML."""
    if not isinstance(given, str):
        return ""
    said = "".join(
        char
        for char in html.unescape(_TAG.sub("", given))
        if char.isspace() or unicodedata.category(char) not in NO_TEXT
    )
    plain = " ".join(said.split())
    return plain if len(plain) <= limit else f"{plain[: limit - 1].rstrip()}…"
