"""Words of a mail: headers decoded whatever their senders did, names of attachments, HTML bodies as text."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import Message

from workroom.documents.html_blocks import html_blocks, parse_html
from workroom.documents.passages import joined
from workroom.documents.whitespace import one_line

SHOWN = {"from": "From", "to": "To", "cc": "Cc", "bcc": "Bcc", "date": "Date", "subject": "Subject"}
_LIMIT = 4_000


def headers_of(message: Message) -> dict[str, str]:
    """The ones people know, by their lower-case names; several of a kind are joined."""
    headers: dict[str, str] = {}
    for name in SHOWN:
        values = [decoded(str(value)) for value in message.get_all(name, [])]
        if text := one_line(", ".join(value for value in values if value), _LIMIT):
            headers[name] = text
    return headers


def header_lines(message: Message) -> Iterator[str]:
    for name, text in headers_of(message).items():
        yield f"{SHOWN[name]}: {text}"


def decoded(value: str) -> str:
    """Encoded words (`=?UTF-8?B?…?=`) as text; bytes without an encoding by what they look like."""
    from email.errors import HeaderParseError
    from email.header import decode_header

    from workroom.documents.text_files import decode

    try:
        parts = decode_header(value)
    except (HeaderParseError, ValueError, AssertionError):
        return value
    texts: list[str] = []
    for part, charset in parts:
        raw = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        known = None if charset in (None, "unknown-8bit") else charset
        texts.append(decode(raw, known))
    return "".join(texts)


def file_name(message: Message, number: str) -> str:
    """As its sender calls it; made up of its kind where it has none."""
    from mimetypes import guess_extension

    try:
        declared = message.get_filename()
    except (ValueError, LookupError, TypeError):
        declared = None
    if declared and (name := one_line(decoded(str(declared)), 255)):
        return name
    kind = message.get_content_type()
    ending = ".eml" if kind == "message/rfc822" else guess_extension(kind) or ".bin"
    return f"part-{number}{ending}"


def html_text(text: str) -> str:
    return joined(html_blocks(parse_html(text, "The text of this mail")))
