"""Builds content objects for extractors: numbered in reading order, with clean texts of limited length.

An `ObjectBuilder` belongs to one pass over one document. It knows the document's path and the next number; extractors add
content and location.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from workroom.documents.types import ContentObject, ContentType, ContextRef, SourceFile

MAX_TEXT = 20_000  # characters of one object; longer texts come in several
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ufffe\uffff]")
_ENDINGS = re.compile(r"\r\n?|\x0c|\u2028|\u2029|\x85")


def clean(text: str) -> str:
    """Text without control characters (except tab and newline) and surrogates, which databases and JSON refuse."""
    text = _CONTROL.sub("", _ENDINGS.sub("\n", text))
    try:
        text.encode()
    except UnicodeEncodeError:  # lone surrogates; pairs of them become the one character they mean
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    return text


def pieces(text: str, limit: int = MAX_TEXT) -> Iterator[str]:
    """`text` in parts of at most `limit` characters, cut at a paragraph, a line or a space where there is one."""
    start = 0
    while len(text) - start > limit:
        end = _cut(text, start, start + limit)
        yield text[start:end]
        start = end
    if start < len(text):
        yield text[start:]


class ObjectBuilder:
    def __init__(self, source: SourceFile) -> None:
        self._path = source.container_path
        self._next = 0

    def text(
        self, text: str, location: str, *, metadata: dict[str, Any] | None = None, **ref: Any
    ) -> Iterator[ContentObject]:
        """A text object, or several with the same location when the text is long; none when it is empty."""
        for piece in pieces(clean(text).strip("\n")):
            yield self.media(
                ContentType.TEXT, location, text=piece, metadata={"characters": len(piece)} | (metadata or {}), **ref
            )

    def media(
        self,
        content_type: ContentType,
        location: str,
        *,
        text: str = "",
        metadata: dict[str, Any] | None = None,
        **ref: Any,
    ) -> ContentObject:
        """An object of any type. `ref` are fields of a reference: label, page_index, section_id, sheet_name, slide_index."""
        if label := ref.get("label"):
            ref["label"] = clean(label)[:500]
        content_object = ContentObject(
            sequence=self._next,
            content_type=content_type,
            text=text,
            ref=ContextRef(container_path=self._path, location=location, **ref),
            metadata=metadata or {},
        )
        self._next += 1
        return content_object


def _cut(text: str, start: int, end: int) -> int:
    earliest = start + (end - start) // 2
    for mark in ("\n\n", "\n", " "):
        at = text.rfind(mark, earliest, end)
        if at >= 0:
            return at + len(mark)
    return end
