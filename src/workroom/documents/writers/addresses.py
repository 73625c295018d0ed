"""Addresses that a document may link to: websites and mail. They are opened by the reader's click, never by opening the file."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

LONGEST_ADDRESS = 2_000
HOST = re.compile(r"[A-Za-z0-9.-]+(?::\d{1,5})?")
URL_CHARACTERS = "%:/?#[]@!$&'()*+,;=~-._"


def web_address(address: str) -> str | None:
    """None when it is no address that every program would open the file with."""
    quoted = quote(address, safe=URL_CHARACTERS)
    try:
        parts = urlsplit(quoted)
    except ValueError:
        return None
    is_website = parts.scheme in ("http", "https") and HOST.fullmatch(parts.netloc)
    is_mail = parts.scheme == "mailto" and bool(parts.path)
    return quoted if len(quoted) <= LONGEST_ADDRESS and (is_website or is_mail) else None
