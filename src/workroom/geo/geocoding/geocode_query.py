"""Parses a search for an address or a place: street and town in any order, house number, postcode, canton."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workroom.geo.name_matching import folded

# Words between the names, in the languages spoken here; the names are compared without them.
_BETWEEN = (
    "in im bei beim an am der die das den zur zum the at a au en em na no de do da la le les du des ch schweiz suisse"
    " switzerland svizzera suica"
)
_FILLERS = frozenset(_BETWEEN.split())
_NUMBER = re.compile(r"\d{1,4}[a-z]?")
_POSTCODE = re.compile(r"[1-9]\d{3}")
_CANTON = re.compile(
    r"\b(AG|AI|AR|BE|BL|BS|FR|GE|GL|GR|JU|LU|NE|NW|OW|SG|SH|SO|SZ|TG|TI|UR|VD|VS|ZG|ZH)\b"  # as written on envelopes
)


@dataclass(frozen=True)
class GeocodeQuery:
    words: tuple[str, ...]
    number: str | None = None
    postcode: str | None = None
    canton: str | None = None

    @property
    def name(self) -> str:
        return " ".join(self.words)

    @property
    def is_address(self) -> bool:
        return self.number is not None or any(word.endswith("str") for word in self.words)

    @classmethod
    def parse(cls, query: str) -> GeocodeQuery:
        canton = None
        if (match := _CANTON.search(query)) and _CANTON.sub("", query).strip(" ,()"):
            canton, query = match[1], _CANTON.sub(" ", query)
        words: list[str] = []
        number = postcode = None
        for word in folded(query).split():
            if postcode is None and _POSTCODE.fullmatch(word):
                postcode = word
            elif number is None and words and _NUMBER.fullmatch(word):
                number = word
            elif number is not None and number.isdigit() and len(word) == 1 and word.isalpha():
                number += word  # 19 b
            else:
                words.append(word)
        return cls(significant(words), number, postcode, canton)


def significant(words: list[str]) -> tuple[str, ...]:
    """Without what stands between names, unless there is nothing else: a village is called Au."""
    return tuple(word for word in words if word not in _FILLERS) or tuple(words)
