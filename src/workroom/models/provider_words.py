"""What a provider said about a failure, made fit to be shown: one line, not long, and without anything that looks like a key.

Some providers repeat the key they refuse, whole or masked in the middle.
"""

from __future__ import annotations

import re

from workroom.core.redaction import HIDDEN, redact
from workroom.models.providers.arguments import clean

QUOTE_LENGTH = 300
LOOKED_AT = 2_000  # characters of what was said, whatever its length
_ENDS = 4  # so many characters of a key's beginning or end give a masked one away
_KEY_LIKE = re.compile(r"\b(?:sk|pk|key|AIza)[-_A-Za-z0-9*.…]{8,}|(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{32,}|\S*\*{2,}\S*")
_QUERY = re.compile(r"(https?://[^\s?]+)\?\S+")


def provider_words(body: object, secret: str) -> str:
    """The message in the body of an answer, or the body itself if it is text; empty when it says nothing."""
    if isinstance(body, dict):
        body = body.get("error", body)
    said = body.get("message") if isinstance(body, dict) else body
    return without_keys(_beginning(said), secret)[:QUOTE_LENGTH] if isinstance(said, str) else ""


def _beginning(text: str) -> str:
    """In whole words: half a key does not look like one."""
    words = text[:LOOKED_AT].split()
    return " ".join(words if len(text) <= LOOKED_AT else words[:-1])


def without_keys(text: str, secret: str) -> str:
    if secret:
        text = text.replace(secret, HIDDEN)
    text = _QUERY.sub(rf"\1?{HIDDEN}", redact(clean(" ".join(text.split()))))
    text = _KEY_LIKE.sub(HIDDEN, text)
    if len(secret) < 4 * _ENDS:
        return text
    masked = re.compile(rf"{re.escape(secret[:_ENDS])}[*.…•x]+\S*|[*.…•x]+{re.escape(secret[-_ENDS:])}\b")
    return masked.sub(HIDDEN, text)
