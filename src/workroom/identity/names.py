"""What people call things: trimmed, printable, of a length that fits a line; and slugs for addresses."""

from __future__ import annotations

import re
import unicodedata

from workroom.core.errors import InvalidInput

LOGIN = re.compile(r"[^\s\x00-\x1f<>\"']{2,120}")
SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?")


_MANY_MARKS = re.compile(rb"[^\0]{31}")  # more than 30 is in no language: the stream-safe text format of Unicode
_MADE_OF_MARKS = "\u0f73\u0f75\u0f81"  # and no marks themselves


def clean_name(text: str, field: str, longest: int = 120) -> str:
    cleaned = " ".join(_composed(text, field).split())
    if not cleaned or len(cleaned) > longest or any(unicodedata.category(char)[0] == "C" for char in cleaned):
        raise InvalidInput(f"A name has 1 to {longest} printable characters.", field=field)
    return cleaned


def clean_text(text: str, field: str, longest: int = 1_000) -> str:
    cleaned = _composed(text, field).strip()
    if len(cleaned) > longest or "\x00" in cleaned:
        raise InvalidInput(f"This text has at most {longest} characters.", field=field)
    return cleaned


def clean_login(text: str) -> str:
    login = unicodedata.normalize("NFKC", text).strip().casefold()
    if not LOGIN.fullmatch(login) or any(unicodedata.category(char)[0] == "C" for char in login):
        raise InvalidInput(
            "A login is an e-mail address or a name of 2 to 120 characters without spaces.", field="login"
        )
    return login


def clean_slug(text: str) -> str:
    if not SLUG.fullmatch(text):
        raise InvalidInput("An address name has 1 to 48 characters: a-z, 0-9 and hyphens between them.", field="slug")
    return text


def slug_of(name: str) -> str:
    """A readable slug for any name; names in other scripts become `workspace`."""
    plain = name.casefold().replace("ä", "ae").replace("ö", "oe").replace("ü", "ue").replace("ß", "ss")
    plain = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-")
    return slug or "workspace"


def _composed(text: str, field: str) -> str:
    """In Unicode's form C. Putting marks in order takes the square of their number: thousands on one letter would hold up
    everybody for minutes."""
    apart = text
    for char in _MADE_OF_MARKS:
        apart = apart.replace(char, "\u0301")
    if not text.isascii() and _MANY_MARKS.search(bytes(map(unicodedata.combining, apart))):
        raise InvalidInput("A letter in it has more than thirty accents.", field=field)
    return unicodedata.normalize("NFC", text)
