"""What strangers answer, as plain trees: built only as far as somebody may have meant it.

A megabyte of brackets is small to send and large to hold, so what would be built is counted first. Reading takes its time all
the same: whoever calls this does it in a thread.
"""

from __future__ import annotations

import json
from typing import Any

Tree = Any  # dict, list, text or number, as JSON has them
MOST_NODES = 200_000


class UnreadableResponse(Exception):  # a signal between modules, never shown
    """Nothing that is understood here, or too much of it; whoever asked knows which service it was."""


def parse_json(body: bytes) -> Tree:
    """Every value but the first stands behind one of three signs. Those in texts count as well: nobody needs so many."""
    if sum(map(body.count, (b",", b"[", b"{"))) > MOST_NODES:
        raise UnreadableResponse
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise UnreadableResponse from None
