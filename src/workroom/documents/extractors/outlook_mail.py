"""Outlook messages (MSG): the same as a mail. What is attached, mails included, is an object; its inside is its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from workroom.core.errors import NotFound
from workroom.documents.compressed_rtf import unpacked_rtf
from workroom.documents.content import ObjectBuilder
from workroom.documents.embedded import content_type_of, element_of, facts_of
from workroom.documents.mail_text import SHOWN, html_text
from workroom.documents.outlook_message import OutlookMessage, opened_message
from workroom.documents.passages import joined
from workroom.documents.rtf_reader import RtfReader
from workroom.documents.types import ContentObject, Element, ExtractionScope, SourceFile, Structure

_LOCATION = re.compile(r"part:(\d{1,6})")


class OutlookMailExtractor:
    media_types = frozenset({"application/vnd.ms-outlook"})

    def scan(self, source: SourceFile) -> Structure:
        with opened_message(source.path, source.name) as (_, message):
            names = [attached.name for attached in message.attachments()]
            notes = (
                ["This mail is encrypted: its text and attachments cannot be read."] if _is_encrypted(message) else []
            )
            return Structure(
                kind="mail",
                counts={"attachments": len(names), "textBlocks": 1},
                properties=message.headers() | ({"attachments": ", ".join(names)[:2_000]} if names else {}),
                notes=notes,
            )

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        if not wanted.everything:
            return
        with opened_message(source.path, source.name) as (_, message):
            yield from _objects(ObjectBuilder(source), message)

    def element(self, source: SourceFile, location: str) -> Element:
        match = _LOCATION.fullmatch(location)
        with opened_message(source.path, source.name) as (_, message):
            for number, attached in enumerate(message.attachments(), start=1):
                if match and number == int(match[1]):
                    return element_of(attached.read(), attached.name, attached.media_type)
        raise NotFound(f"{source.name} has no attachment at {location}.")


EXTRACTOR = OutlookMailExtractor()


def _objects(objects: ObjectBuilder, message: OutlookMessage) -> Iterator[ContentObject]:
    headers = message.headers()
    subject = headers.get("subject")
    lines = "\n".join(f"{SHOWN[name]}: {text}" for name, text in headers.items())
    yield from objects.text(lines, "headers", metadata={"role": "headers"}, label=subject)
    yield from objects.text(_body(message), "body", label=subject)
    for number, attached in enumerate(message.attachments(), start=1):
        facts: dict[str, Any] = {"mediaType": attached.media_type}
        if attached.message is None:
            facts = facts_of(attached.read(), attached.name, attached.media_type)
        facts["name"] = attached.name
        kind = content_type_of(facts["mediaType"])
        yield objects.media(kind, f"part:{number}", metadata=facts, label=attached.name)


def _body(message: OutlookMessage) -> str:
    if plain := message.plain().strip():
        return plain
    if html := message.html():
        return html_text(html)
    rich = unpacked_rtf(message.rtf())
    return joined(RtfReader(rich.decode("latin-1")).blocks()) if rich else ""


def _is_encrypted(message: OutlookMessage) -> bool:
    return "smime" in message.message_class.casefold() and "multipartsigned" not in message.message_class.casefold()
