"""Glob patterns such as `*.csv` and `report-??.pdf`, in Python and in SQL: `*` and `?`, case-insensitive."""

from __future__ import annotations

import re


def matches(pattern: str, name: str) -> bool:
    """Match without `re`: a pattern from a user must not backtrack for long."""
    glob, text = pattern.lower(), name.lower()
    glob_index = index = retry_index = 0
    star_index = -1
    while index < len(text):
        if glob_index < len(glob) and glob[glob_index] == "*":
            star_index, retry_index = glob_index, index
            glob_index += 1
        elif glob_index < len(glob) and glob[glob_index] in ("?", text[index]):
            glob_index, index = glob_index + 1, index + 1
        elif star_index >= 0:
            retry_index += 1
            glob_index, index = star_index + 1, retry_index
        else:
            return False
    return all(char == "*" for char in glob[glob_index:])


def like(pattern: str) -> str:
    """For `name ilike …`."""
    escaped = re.sub(r"([\\%_])", r"\\\1", pattern)
    return re.sub(r"\*+", "%", escaped).replace("?", "_")
