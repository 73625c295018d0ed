"""Mail (EML): headers, body, and attachments as objects, including attached mails."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from typing import Any

from workroom.core.errors import NotFound
from workroom.documents.content import ObjectBuilder
from workroom.documents.embedded import content_type_of, element_of, facts_of
from workroom.documents.errors import DamagedDocument, DocumentTooLarge
from workroom.documents.mail_text import header_lines, headers_of, html_text
from workroom.documents.types import ContentObject, Element, ExtractionScope, SourceFile, Structure

MAX_BYTES = 100 << 20
MAX_PARTS = 2_000
_MAX_DEPTH = 10
_LOCATION = re.compile(r"part:(\d+(?:\.\d+)*)")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


class MailExtractor:
    media_types = frozenset({"message/rfc822"})

    def scan(self, source: SourceFile) -> Structure:
        message = _open(source)
        parts = list(_parts(message))
        attachments = [part for part in parts if not part.is_body]
        headers = headers_of(message)
        notes = ["Parts of this mail are encrypted and cannot be read."] if _is_encrypted(message) else []
        return Structure(
            kind="mail",
            counts={"attachments": len(attachments), "textBlocks": len(parts) - len(attachments)},
            properties=headers
            | ({"attachments": ", ".join(part.name for part in attachments)[:2_000]} if attachments else {}),
            notes=notes,
        )

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        if not wanted.everything:
            return
        objects = ObjectBuilder(source)
        message = _open(source)
        subject = headers_of(message).get("subject")
        yield from objects.text(
            "\n".join(header_lines(message)), "headers", metadata={"role": "headers"}, label=subject
        )
        for part in _parts(message):
            if part.is_body:
                yield from objects.text(part.text(), f"part:{part.number}", label=subject)
            else:
                data = part.data()
                facts = {**facts_of(data, part.name, part.declared), "name": part.name}
                kind = content_type_of(facts["mediaType"])
                yield objects.media(kind, f"part:{part.number}", metadata=facts, label=part.name)

    def element(self, source: SourceFile, location: str) -> Element:
        match = _LOCATION.fullmatch(location)
        for part in _parts(_open(source)) if match else ():
            if match and part.number == match[1] and not part.is_body:
                return element_of(part.data(), part.name, part.declared)
        raise NotFound(f"{source.name} has no attachment at {location}.")


EXTRACTOR = MailExtractor()


def _open(source: SourceFile) -> Message:
    import email
    from email import policy

    size = source.path.stat().st_size
    if size > MAX_BYTES:
        raise DocumentTooLarge(f"{source.name} has {size >> 20} MB; mails of up to {MAX_BYTES >> 20} MB can be read.")
    data = source.path.read_bytes()
    if data.startswith(_UTF_16):
        data = data.decode("utf-16", "replace").encode()
    elif data[1:2] == b"\0" or data[:1] == b"\0":
        data = data.decode("utf-16-le" if data[1:2] == b"\0" else "utf-16-be", "replace").encode()
    try:
        message = email.message_from_bytes(data.lstrip(b"\r\n\t "), policy=policy.compat32)
    except (ValueError, RecursionError) as error:
        raise DamagedDocument(
            f"{source.name} cannot be read as a mail ({error}). Save it again from the mail program."
        ) from None
    if not message.keys() and not data.strip():
        raise DamagedDocument(f"{source.name} is empty. The upload may have been cut off: send it again.")
    return message


class _Part:
    """One leaf of a mail, numbered by its place: `2.1` is the first part in the second."""

    def __init__(self, message: Message, number: str, *, is_body: bool) -> None:
        self._message = message
        self.number = number
        self.is_body = is_body
        self.declared = message.get_content_type()

    @property
    def name(self) -> str:
        from workroom.documents.mail_text import file_name

        return file_name(self._message, self.number)

    def data(self) -> bytes:
        if self.declared == "message/rfc822":
            inner = self._message.get_payload()
            first = inner[0] if isinstance(inner, list) and inner else inner
            return first.as_bytes() if isinstance(first, Message) else str(first or "").encode("utf-8", "replace")
        return payload(self._message)

    def text(self) -> str:
        from workroom.documents.text_files import decode

        text = decode(payload(self._message), _charset(self._message))
        return html_text(text) if self.declared == "text/html" else text


def payload(message: Message) -> bytes:
    """Decoded as far as its encoding is intact."""
    try:
        data = message.get_payload(decode=True)
    except (ValueError, AssertionError, LookupError):
        data = None
    if isinstance(data, bytes):
        return data
    raw = message.get_payload()
    return raw.encode("utf-8", "surrogateescape") if isinstance(raw, str) else b""


def _parts(message: Message) -> Iterator[_Part]:
    """Bodies and attachments in order. Of alternatives only one body is kept, the plain one first."""
    waiting: list[tuple[Message, str, int]] = [(message, "", 0)]
    count = 0
    while waiting:
        current, number, depth = waiting.pop()
        kind = current.get_content_type()
        inner = current.get_payload()
        if kind.startswith("multipart/") and isinstance(inner, list) and depth < _MAX_DEPTH:
            chosen = _alternative(inner) if kind == "multipart/alternative" else None
            dot = f"{number}." if number else ""
            parts = [
                (child, f"{dot}{index}", depth + 1)
                for index, child in enumerate(inner, start=1)
                if isinstance(child, Message)
            ]
            waiting.extend(reversed([item for item in parts if chosen is None or item[0] in chosen]))
            continue
        count += 1
        if count > MAX_PARTS:
            return
        yield _Part(current, number or "1", is_body=_is_body(current, kind))


def _alternative(children: list[Any]) -> list[Any]:
    """The plain text unless it is empty, else HTML; and everything that is no text at all, such as an invitation."""
    plain = [child for child in children if child.get_content_type() == "text/plain" and payload(child).strip()]
    texts = ("text/plain", "text/html")
    others = [child for child in children if child.get_content_type() not in texts]
    if plain:
        return [plain[0], *(child for child in others if not child.get_content_type().startswith("multipart/"))]
    html = [child for child in children if child.get_content_type() == "text/html"]
    return [*html[:1], *others] or children


def _is_body(message: Message, kind: str) -> bool:
    if kind.startswith("multipart/") and isinstance(message.get_payload(), str):
        return True  # it promises parts, and has none: what there is, is the text
    if kind not in ("text/plain", "text/html") or message.get_filename():
        return False
    return message.get_content_disposition() != "attachment"


def _charset(message: Message) -> str | None:
    try:
        return message.get_content_charset()
    except (ValueError, LookupError, AttributeError):
        return None


def _is_encrypted(message: Message) -> bool:
    return message.get_content_type() in ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
