"""Names of sheets, as Excel allows them: 31 characters, without some signs, each only once."""

from __future__ import annotations

import re

LONGEST = 31
REFUSED = re.compile(r"[\[\]:*?/\\]+")
RESERVED = ("history",)


class SheetNames:
    def __init__(self) -> None:
        self._taken: set[str] = set(RESERVED)

    def name(self, wanted: str) -> str:
        clean = " ".join(REFUSED.sub(" ", wanted).split()).strip("' ") or "–"
        name, number = _cut(clean, LONGEST), 1
        while name.casefold() in self._taken:
            number += 1
            name = _cut(clean, LONGEST - len(f" ({number})")) + f" ({number})"
        self._taken.add(name.casefold())
        return name


def _cut(text: str, length: int) -> str:
    """Excel counts in UTF-16."""
    data = text.encode("utf-16-le")[: 2 * length]
    return data.decode("utf-16-le", errors="ignore").strip("' ") or "–"
