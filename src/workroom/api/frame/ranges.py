"""Parts of content by HTTP's rules: one range of bytes, and whether the client has it already."""

from __future__ import annotations

import re

_RANGE = re.compile(r"\s*bytes\s*=\s*(\d{0,19})\s*-\s*(\d{0,19})\s*")


class Unsatisfiable(Exception):
    """The range begins behind the end."""


def asked_range(header: str | None, size: int) -> tuple[int, int] | None:
    """First byte and the one behind the last. None: all of it, also for several ranges at once and what is no range."""
    found = _RANGE.fullmatch(header or "")
    if found is None or found.groups() == ("", ""):
        return None
    first, last = found.groups()
    if not first:  # the last so many bytes
        start, stop = max(0, size - int(last)), size
    else:
        start, stop = int(first), min(size, int(last) + 1) if last else size
        if last and int(last) < start:
            return None
    if start >= stop:
        raise Unsatisfiable
    return start, stop


def is_known(header: str | None, tag: str) -> bool:
    """If-None-Match: one of the tags is this one, or any will do."""
    tags = {part.strip().removeprefix("W/") for part in (header or "").split(",")}
    return tag in tags or "*" in tags
