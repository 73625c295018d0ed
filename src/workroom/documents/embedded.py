"""Files embedded in documents: media type and metadata, from their first bytes."""

from __future__ import annotations

import io
import posixpath
from typing import Any

from workroom.documents.pictures import picture_size
from workroom.documents.sniffing import magic, names
from workroom.documents.types import ContentType, Element

_UNKNOWN = "application/octet-stream"


def media_type_of(head: bytes, name: str, declared: str = "") -> str:
    """The media type by content, else by name, else as declared."""
    detected = magic.by_first_bytes(head)
    if detected in (magic.ZIP, magic.OLE):  # office files are those, too, and their name says which
        detected = names.claimed(name) or detected
    return detected or names.claimed(name) or declared or _UNKNOWN


def content_type_of(media_type: str) -> ContentType:
    family = media_type.partition("/")[0]
    known = {"image": ContentType.IMAGE, "video": ContentType.VIDEO, "audio": ContentType.AUDIO}
    return known.get(family, ContentType.OTHER)


def facts_of(data: bytes, name: str, declared: str = "") -> dict[str, Any]:
    """Metadata of data in memory: media type, bytes, and the dimensions of a picture."""
    media_type = media_type_of(data[:4096], name, declared)
    facts: dict[str, Any] = {"mediaType": media_type, "bytes": len(data)}
    if media_type.startswith("image/"):
        facts |= picture_size(io.BytesIO(data))
    return facts


def element_of(data: bytes, name: str, declared: str = "") -> Element:
    facts = facts_of(data, name, declared)
    return Element(data=data, media_type=facts.pop("mediaType"), name=posixpath.basename(name), metadata=facts)
