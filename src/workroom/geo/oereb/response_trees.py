"""Parses responses of a cadastre, XML or JSON, into the same plain trees.

The XML is untrusted: no entities, no network, bounded depth (lxml refuses more than 256 levels), as for documents.
"""

from __future__ import annotations

from typing import Any

from workroom.core.untrusted_xml import SAFELY, local_name
from workroom.geo.json_response import MOST_NODES, Tree, UnreadableResponse, parse_json

EGRIDS = "GetEGRIDResponse"
PIECE = 64 * 1024


def parse_tree(body: bytes) -> Tree:
    """The tree of a response body. Its first character tells XML from JSON: services name the wrong type at times."""
    start = body.lstrip()[:1]
    if start == b"<" or body[:3] == b"\xef\xbb\xbf":
        return _of_xml(body)
    return parse_json(body)


def _of_xml(body: bytes) -> Tree:
    root = _root(body)
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None:
        raise UnreadableResponse  # a document type serves only to read other files or to expand without end
    name = local_name(root)
    return {name: _grouped(root) if name == EGRIDS else _branch(root)}


def _root(body: bytes) -> Any:
    """Parsed piece by piece, to stop at too many elements; attributes, which are not used, are counted before."""
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
    children: dict[str, Tree] = {}
    for child in element:
        name, value = local_name(child), _branch(child)
        if name not in children:
            children[name] = value
        elif isinstance(children[name], list):
            children[name].append(value)
        else:
            children[name] = [children[name], value]
    return children


def _grouped(root: Any) -> list[dict[str, Tree]]:
    """Parcels stand one after the other without an element around each: `egrid` begins the next."""
    parcels: list[dict[str, Tree]] = []
    for child in root:
        if local_name(child) == "egrid":
            parcels.append({})
        if parcels:
            parcels[-1][local_name(child)] = _branch(child)
    return parcels
