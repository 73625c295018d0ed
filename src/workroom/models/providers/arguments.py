"""What a model wrote, made safe to keep. Its text and arguments are hostile input: they end up in JSON and in PostgreSQL."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

UNREADABLE_LENGTH = 2000
# Far more than any tool needs, and far less than what serialisers give up at.
DEEPEST = 64

# NUL cannot be stored as text by PostgreSQL, halves of surrogate pairs cannot be encoded at all.
_UNKEEPABLE = re.compile("[\x00\ud800-\udfff]")


def clean(text: str) -> str:
    return _UNKEEPABLE.sub("\ufffd", text)


def read_arguments(written: str | Mapping[str, Any] | None) -> tuple[dict[str, Any], str | None]:
    """The arguments, and what was written if it is not a JSON object. Nothing at all means no arguments."""
    if written is None or (isinstance(written, str) and not written.strip()):
        return {}, None
    try:
        value = json.loads(written) if isinstance(written, str) else dict(written)
        if isinstance(value, dict):
            return _kept(value, DEEPEST), None
    except (ValueError, RecursionError):
        pass
    text = written if isinstance(written, str) else repr(written)
    return {}, clean(text[:UNREADABLE_LENGTH])


def cleaned(value: dict[str, Any]) -> dict[str, Any]:
    """JSON of a provider, made safe to keep."""
    return {clean(key): _kept(item, DEEPEST) for key, item in value.items()}


def _kept(value: Any, levels: int) -> Any:
    if levels == 0:
        raise ValueError("nested too deeply")
    match value:
        case str():
            return clean(value)
        case float() if not math.isfinite(value):
            raise ValueError("not a number that JSON knows")
        case dict():
            return {clean(key): _kept(item, levels - 1) for key, item in value.items()}
        case list():
            return [_kept(item, levels - 1) for item in value]
        case _:
            return value
