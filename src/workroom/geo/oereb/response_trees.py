"""Answers of a cadastre as plain trees: its XML and its JSON say the same, and are read the same way afterwards.

XML from strangers: no entities, no network, no endless trees (lxml refuses more than 256 levels), as for documents.
"""

from __future__ import annotations

from typing import Any

from workroom.core.strange_xml import SAFELY, local_name
from workroom.geo.json_response import MOST_NODES, Tree, UnreadableResponse, parse_json

EGRIDS = "GetEGRIDResponse"
PIECE = 64 * 1024


def parse_tree(body: bytes) -> Tree:
    """By what it begins with: services are not always exact about the type they name."""
    start = body.lstrip()[:1]
    if start == b"<" or body[:3] == b"\xef\xbb\xbf":
        return _of_xml(body)
    return parse_json(body)


def _of_xml(body: bytes) -> Tree:
    root = _root(body)
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None:
        raise UnreadableResponse  # nobody needs a document type here but to read other files or to grow without end
    name = local_name(root)
    return {name: _grouped(root) if name == EGRIDS else _branch(root)}


def _root(body: bytes) -> Any:
    """Piece by piece, so that it ends where there are too many elements; attributes, which nobody reads, are counted before."""
    from lxml import etree

    if body.count(b"=") > MOST_NODES:
        raise UnreadableResponse
    parser = etree.XMLPullParser(events=("start",), **SAFELY)
    seen = 0
    try:
        for start in range(0, len(body), PIECE):
            parser.feed(body[start : start + PIECE])
            seen += sum(1 for _ in parser.read_events())
            if seen > MOST_NODES:
                raise UnreadableResponse
        return parser.close()
    except (etree.XMLSyntaxError, ValueError):
        raise UnreadableResponse from None


def _branch(element: Any) -> Tree:
    """Children by name, in a list where there are several; the text where there are none."""
    if not len(element):
        return (element.text or "").strip()
    found: dict[str, Tree] = {}
    for child in element:
        name, value = local_name(child), _branch(child)
        if name not in found:
            found[name] = value
        elif isinstance(found[name], list):
            found[name].append(value)
        else:
            found[name] = [found[name], value]
    return found


def _grouped(root: Any) -> list[dict[str, Tree]]:
    """Parcels stand one after the other without an element around each: `egrid` begins the next."""
    found: list[dict[str, Tree]] = []
    for child in root:
        if local_name(child) == "egrid":
            found.append({})
        if found:
            found[-1][local_name(child)] = _branch(child)
    return found
