"""What people called or wrote, as part of a prompt."""

from __future__ import annotations

import json


def quoted(text: str, longest: int | None = None) -> str:
    """In quotation marks and on one line, whatever it was: it opens no section and ends no line."""
    plain = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    cut = plain if longest is None or len(plain) <= longest else plain[: longest - 1] + "…"
    return json.dumps(cut, ensure_ascii=False)
