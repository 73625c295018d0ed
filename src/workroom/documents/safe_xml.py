"""Parsing of untrusted XML: no entities, no DTD declarations, no network, no huge trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from workroom.core.untrusted_xml import SAFELY
from workroom.documents.errors import DamagedDocument


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def parse_xml(data: bytes, what: str, *, recover: bool = False) -> Any:
    """The root element. `what` names the file in error messages."""
    from lxml import etree

    parser = etree.XMLParser(recover=recover, **SAFELY)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise damaged_xml(what, error) from None
    if root is None:
        raise DamagedDocument(f"{what} holds no XML. Save it again where it was made.")
    refuse_declarations(root, what)
    return root


def walk_xml(stream: _Readable, what: str, *tags: str) -> Iterator[tuple[str, Any]]:
    """`start` and `end` of every element, or only the ends of those called `tags`, as the file is read. The caller clears
    what it is done with (`forget`)."""
    from lxml import etree

    events = etree.iterparse(
        stream,
        events=("end",) if tags else ("start", "end"),
        tag=tags or None,
        **SAFELY,
    )
    is_first = True
    try:
        for event, element in events:
            if is_first:
                refuse_declarations(element, what)
                is_first = False
            yield event, element
    except etree.XMLSyntaxError as error:
        raise damaged_xml(what, error) from None


def forget(element: Any) -> None:
    """Clear an element and its preceding siblings, so that a stream does not grow in memory."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def refuse_declarations(root: Any, what: str) -> None:
    """Refuse entity declarations, which can read other files or expand without end."""
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and next(iter(declared.iterentities()), None) is not None:
        raise DamagedDocument(
            f"{what} declares entities, which can be used to read other files. It is not opened: save it without a "
            "document type declaration."
        )


def damaged_xml(what: str, error: Exception) -> DamagedDocument:
    return DamagedDocument(f"{what} is not well-formed ({str(error)[:200]}). Save it again where it was made.")
