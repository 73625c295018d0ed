"""Patterns such as `*.csv` and `report-??.pdf`, the same in Python and in SQL. Only `*` and `?` are special; case is not."""

from __future__ import annotations

import re


def matches(pattern: str, name: str) -> bool:
    """By hand and not by `re`: a pattern somebody chose must not take long."""
    wanted, given = pattern.lower(), name.lower()
    at = place = mark = 0
    star = -1
    while place < len(given):
        if at < len(wanted) and wanted[at] == "*":
            star, mark = at, place
            at += 1
        elif at < len(wanted) and wanted[at] in ("?", given[place]):
            at, place = at + 1, place + 1
        elif star >= 0:
            mark += 1
            at, place = star + 1, mark
        else:
            return False
    return all(char == "*" for char in wanted[at:])


def like(pattern: str) -> str:
    """For `name ilike …`."""
    escaped = re.sub(r"([\\%_])", r"\\\1", pattern)
    return re.sub(r"\*+", "%", escaped).replace("?", "_")
