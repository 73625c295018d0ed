"""A page that was read, as a file of the workspace. Pure.

A file is known again by its description, which is the address of the page: it may be renamed and moved, and gets a new version
when the page is read again.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import unquote

from workroom.core.paths import DECEPTIVE, NO_TEXT
from workroom.websites.types import ReadPage

FOLDER = "Websites"
LONGEST_STEM = 100
_SLASHES = re.compile(r"\s*[/\\]+\s*")


def folder_path(host: str) -> str:
    """From the top."""
    return f"/{FOLDER}/{host.replace(':', ' ')}"


def file_name(page: ReadPage) -> str:
    """After the page's title, else the end of its address."""
    path = unquote(page.url.partition("?")[0].partition("://")[2]).rstrip("/")
    for text in (page.title, path.rpartition("/")[2], "page"):
        plain = "".join(char for char in text if char not in DECEPTIVE and unicodedata.category(char) not in NO_TEXT)
        if stem := " ".join(_SLASHES.sub(" – ", plain).split())[:LONGEST_STEM].strip(". –"):
            return f"{stem}.md"
    raise AssertionError("the last of them has letters")


def markdown(page: ReadPage) -> str:
    """With its title, address and date at the top."""
    title = f"# {page.title}\n\n" if page.title and not page.text.startswith(f"# {page.title}") else ""
    cut = "\n\n[…]" if page.cut else ""
    return f"{title}> <{page.url}> · {page.read_at:%Y-%m-%d %H:%M} UTC\n\n{page.text}{cut}\n"
