"""EGRID: the number every parcel in Switzerland has."""

from __future__ import annotations

import re

from workroom.core.errors import InvalidInput
from workroom.geo.plain_text import plain_text

LONGEST = 40
_EGRID = re.compile(r"CH[0-9]{10,14}")  # real ones have twelve digits, those of the sample thirteen
_REAL = re.compile(r"CH[0-9]{12}")


def checked_egrid(text: str) -> str:
    """As people copy it: with spaces, in small letters, with its name before it."""
    bare = _bare(text)
    if not _EGRID.fullmatch(bare):
        raise InvalidInput("An EGRID is CH and twelve digits, such as CH580632068782.", field="egrid")
    return bare


def egrid_of_response(value: object) -> str:
    """The EGRID in a response; empty if it is not a valid one, because it is stored and sent to services again."""
    bare = _bare(plain_text(value))
    return bare if _REAL.fullmatch(bare) else ""


def _bare(text: str) -> str:
    return re.sub(r"[\s.'’-]+", "", text.upper()).removeprefix("EGRID").lstrip(":")
