"""Lengths as OpenDocument writes them (`2.54cm`), in points."""

from __future__ import annotations

import re
from typing import Any

_LENGTH = re.compile(r"\s*(-?\d{0,9}(?:\.\d{1,12})?)(cm|mm|in|pt|px|pc)\s*")
_POINTS = {"cm": 72 / 2.54, "mm": 7.2 / 2.54, "in": 72.0, "pt": 1.0, "px": 0.75, "pc": 12.0}
_FARTHEST = 100_000.0


def length(text: str, default: float = 0.0) -> float:
    found = _LENGTH.fullmatch(text)
    try:
        value = float(found[1]) * _POINTS[found[2]] if found else default
    except ValueError:
        return default
    return max(-_FARTHEST, min(value, _FARTHEST))


def share(text: str, default: float = 1.0) -> float:
    """`80%` is 0.8."""
    try:
        return max(0.0, min(float(text[:-1]) / 100, 100.0)) if text.endswith("%") else default
    except ValueError:
        return default


def attribute(element: Any, name: str) -> str:
    """By its local name: programs differ in the namespaces they use."""
    if element is None:
        return ""
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")
