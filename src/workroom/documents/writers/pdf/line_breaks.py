"""Places to break a line in words that are longer than one: the typesetter would let them run over the edge."""

from __future__ import annotations

import re
from typing import Any

_LONG_WORD = re.compile(r"\S{40,}")


def breakable(text: str) -> str:
    return _LONG_WORD.sub(lambda word: "\u200b".join(re.findall(".{1,30}", word[0])), text)


def with_breaks(value: Any) -> Any:
    """Blocks whose texts are breakable; addresses of links stay as they are."""
    match value:
        case list():
            return [with_breaks(item) for item in value]
        case dict():
            return {
                key: breakable(item) if key == "text" and isinstance(item, str) else with_breaks(item)
                for key, item in value.items()
            }
        case _:
            return value
