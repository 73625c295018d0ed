"""What a document says may hold the one character that PostgreSQL keeps nowhere, in a camera's name or in a key of JSON."""

from __future__ import annotations

import json
from typing import Any

NUL = "\x00"


def text(value: str) -> str:
    return value.replace(NUL, "")


def json_text(value: str) -> str:
    """The same for JSON, in its keys and values."""
    return value if "\\u0000" not in value else json.dumps(_without(json.loads(value)))


def _without(value: Any) -> Any:
    match value:
        case str():
            return text(value)
        case dict():
            return {text(key): _without(item) for key, item in value.items()}
        case list():
            return [_without(item) for item in value]
        case _:
            return value
