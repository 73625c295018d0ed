"""What stands above a mail: who wrote it, when, and about what."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime

from workroom.models.embedded.language import Language

_LINE = re.compile(r"(From|To|Cc|Bcc|Date|Subject): (.+)")
_TRAIL = re.compile(r"(?m)^(?:-- ?|>.*)$")  # a signature, or an earlier mail
TOLD = {"From": "mail.from", "Date": "mail.date", "Subject": "mail.subject"}
LONGEST = 200


def split(text: str) -> tuple[Mapping[str, str], str]:
    """Its headers and the rest; no headers if it is no mail, or a later piece of one."""
    headers: dict[str, str] = {}
    rest = text.lstrip()
    while found := _LINE.match(rest):
        headers[found[1]] = found[2].strip()
        rest = rest[found.end() :].removeprefix("\n")
    return (headers, rest) if "From" in headers and len(headers) > 1 else ({}, text)


def head(headers: Mapping[str, str], language: Language, known: str = "") -> str:
    """In one line; what the reader knows by another way, such as the subject, is not said again."""
    told = {name: headers[name] for name in TOLD if name in headers and headers[name] not in known}
    return " · ".join(
        f"{language.say(TOLD[name])}: {_moment(value) if name == 'Date' else value[:LONGEST]}"
        for name, value in told.items()
    )


def without_trail(body: str) -> str:
    found = _TRAIL.search(body)
    return body[: found.start()].rstrip() if found and body[: found.start()].strip() else body


def _moment(date: str) -> str:
    """As mails write it, or as ISO does, and by whose clock; what is neither stays as it is."""
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            moment = read(date)
            return f"{moment:%Y-%m-%d %H:%M}" + (f" ({moment.tzinfo})" if moment.tzinfo else "")
        except (ValueError, TypeError, OverflowError):
            continue
    return date[:LONGEST]
