"""Hides secrets in text that is logged or shown: by the name of their field, and by what they look like anywhere."""

from __future__ import annotations

import re

HIDDEN = "[hidden]"
SECRET_FIELD = re.compile(r"password|secret|token|authorization|cookie|api_?key|dsn|database_?url", re.IGNORECASE)
SECRET_TEXT = (
    (re.compile(r"\b(wrk_)[A-Za-z0-9_-]{6,}"), r"\1" + HIDDEN),
    (re.compile(r"(?i)\b(bearer\s+)[^\s\"',]+"), r"\1" + HIDDEN),
    # With bounds: whatever a text is made of, it is looked through in linear time.
    (re.compile(r"\b(\w{1,40}://[^\s:/@]{1,300}:)[^\s@]{1,500}@"), r"\1" + HIDDEN + "@"),
    (re.compile(r"(/enter#)[A-Za-z0-9_-]+"), r"\1" + HIDDEN),
    (re.compile(r"(?i)(workroom_\d+=|__host-workroom=)[^;\s\"']+"), r"\1" + HIDDEN),
)


def redact(text: str) -> str:
    """The text with everything that looks like a secret replaced by `HIDDEN`."""
    for pattern, replacement in SECRET_TEXT:
        text = pattern.sub(replacement, text)
    return text
