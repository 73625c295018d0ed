"""Outlook messages (MSG): the same as a mail. Mails inside mails are read as text, files as attachments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from workroom.core.errors import NotFound
from workroom.documents.compressed_rtf import unpacked_rtf
from workroom.documents.content import Objects
from workroom.documents.embedded import content_type_of, element_of, facts_of
from workroom.documents.errors import DamagedDocument
from workroom.documents.mail_text import SHOWN, html_text
from workroom.documents.outlook_message import OutlookMessage
from workroom.documents.passages import joined
from workroom.documents.rtf_reader import RtfReader
from workroom.documents.types import ContentObject, Element, Source, Structure, Wanted

_MAX_DEPTH = 5
_LOCATION = re.compile(r"part:(\d+(?:\.\d+)*)")


class OutlookMailExtractor:
    media_types = frozenset({"application/vnd.ms-outlook"})

    def scan(self, source: Source) -> Structure:
        with _open(source) as message:
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

    def extract(self, source: Source, wanted: Wanted) -> Iterator[ContentObject]:
        if not wanted.everything:
            return
        with _open(source) as message:
            yield from _objects(Objects(source), message, "", 0)

    def element(self, source: Source, location: str) -> Element:
        asked = _LOCATION.fullmatch(location)
        if asked:
            with _open(source) as message:
                found = _find(message, [int(number) for number in asked[1].split(".")])
                if found is not None:
                    return found
        raise NotFound(f"{source.name} has no attachment at {location}.")


EXTRACTOR = OutlookMailExtractor()


@contextmanager
def _open(source: Source) -> Iterator[OutlookMessage]:
    import olefile

    try:
        compound = olefile.OleFileIO(str(source.path))
    except Exception as error:  # it reads hostile bytes in plain Python and fails in many ways
        raise DamagedDocument(
            f"{source.name} is damaged or no Outlook message ({str(error)[:100]}). Save it again from Outlook."
        ) from None
    try:
        if not compound.exists("__properties_version1.0"):
            raise DamagedDocument(f"{source.name} is no Outlook message. Send it under its own name.")
        yield OutlookMessage(compound)
    finally:
        compound.close()


def _objects(objects: Objects, message: OutlookMessage, inside: str, depth: int) -> Iterator[ContentObject]:
    """`inside` is the number of the part this message is, empty for the outermost."""
    told = message.headers()
    subject = told.get("subject")
    before = f"part:{inside}/" if inside else ""
    lines = "\n".join(f"{SHOWN[name]}: {text}" for name, text in told.items())
    yield from objects.text(lines, f"{before}headers", metadata={"role": "headers"}, label=subject)
    yield from objects.text(_body(message), f"{before}body", label=subject)
    for number, attached in enumerate(message.attachments(), start=1):
        place = f"{inside}.{number}" if inside else str(number)
        if attached.message is not None:
            if depth < _MAX_DEPTH:
                yield from _objects(objects, attached.message, place, depth + 1)
            continue
        facts = {**facts_of(attached.data, attached.name, attached.media_type), "name": attached.name}
        kind = content_type_of(facts["mediaType"])
        yield objects.thing(kind, f"part:{place}", metadata=facts, label=attached.name)


def _body(message: OutlookMessage) -> str:
    if plain := message.plain().strip():
        return plain
    if html := message.html():
        return html_text(html)
    rich = unpacked_rtf(message.rtf())
    return joined(RtfReader(rich.decode("latin-1")).blocks()) if rich else ""


def _find(message: OutlookMessage, place: list[int]) -> Element | None:
    for number, attached in enumerate(message.attachments(), start=1):
        if number == place[0]:
            if len(place) > 1:
                return _find(attached.message, place[1:]) if attached.message is not None else None
            if attached.message is None:
                return element_of(attached.data, attached.name, attached.media_type)
    return None


def _is_encrypted(message: OutlookMessage) -> bool:
    return "smime" in message.message_class.casefold() and "multipartsigned" not in message.message_class.casefold()
