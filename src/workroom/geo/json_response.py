"""Parses JSON of external services into plain trees of bounded size.

A megabyte of brackets is small to send and large to hold, so values are counted before the tree is built. Parsing still takes
time: callers run it in a thread.
"""

from __future__ import annotations

import json
from typing import Any

Tree = Any  # dict, list, text or number, as JSON has them
MOST_NODES = 200_000


class UnreadableResponse(Exception):  # a signal between modules, never shown
    """The response cannot be parsed or is too large; the caller knows which service it came from."""


def parse_json(body: bytes) -> Tree:
    """Counted are the three characters that begin values; those inside strings count too, the limit is generous enough."""
    if sum(map(body.count, (b",", b"[", b"{"))) > MOST_NODES:
        raise UnreadableResponse
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise UnreadableResponse from None
