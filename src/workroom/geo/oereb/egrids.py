"""EGRID: the number every parcel in Switzerland has."""

from __future__ import annotations

import re

from workroom.core.errors import InvalidInput

LONGEST = 40
_EGRID = re.compile(r"CH[0-9]{10,14}")  # real ones have twelve digits, those of the sample thirteen


def checked_egrid(text: str) -> str:
    """As people copy it: with spaces, in small letters, with its name before it."""
    bare = re.sub(r"[\s.'’-]+", "", text.upper()).removeprefix("EGRID").lstrip(":")
    if not _EGRID.fullmatch(bare):
        raise InvalidInput("An EGRID is CH and twelve digits, such as CH580632068782.", field="egrid")
    return bare
