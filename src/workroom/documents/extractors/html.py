"""HTML: headings, text, lists, tables; pictures inside the page as objects, those elsewhere as references, never fetched."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote_to_bytes

from workroom.core.errors import NotFound
from workroom.documents.content import ObjectBuilder
from workroom.documents.embedded import element_of, facts_of
from workroom.documents.errors import DocumentTooLarge
from workroom.documents.html_blocks import MAX_BYTES, html_blocks, parse_html, title_of
from workroom.documents.passages import TextBlock, passages, structure_of
from workroom.documents.text_files import decode
from workroom.documents.types import ContentObject, Element, ExtractionScope, SourceFile, Structure
from workroom.documents.whitespace import one_line

_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]{2,40})""", re.IGNORECASE)
_LOCATION = re.compile(r"image:(\d{1,5})")


class HtmlExtractor:
    media_types = frozenset({"text/html", "application/xhtml+xml"})

    def scan(self, source: SourceFile) -> Structure:
        root = _root(source)
        properties = {"title": title_of(root), **_meta(root)}
        known = {name: value for name, value in properties.items() if value}
        return structure_of("html", html_blocks(root), properties=known)

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        blocks = (_described(block) for block in html_blocks(_root(source)))
        yield from passages(ObjectBuilder(source), blocks, wanted, "blocks")

    def element(self, source: SourceFile, location: str) -> Element:
        match = _LOCATION.fullmatch(location)
        for block in html_blocks(_root(source)) if match else ():
            if match and block.kind == "image" and block.facts["number"] == int(match[1]):
                data, declared = data_address(block.facts["data"])
                return element_of(data, "", declared)
        raise NotFound(f"{source.name} has no picture at {location}.")


EXTRACTOR = HtmlExtractor()


def data_address(address: str) -> tuple[bytes, str]:
    """What a `data:` address holds, and what it says it is."""
    head, _, body = address.partition(",")
    declared = head.removeprefix("data:").split(";")[0]
    if head.endswith(";base64"):
        try:
            return base64.b64decode(re.sub(r"\s", "", body) + "=="), declared
        except ValueError:  # not even the letters of base64
            return b"", declared
    return unquote_to_bytes(body), declared


def _root(source: SourceFile) -> Any:
    size = source.path.stat().st_size
    if size > MAX_BYTES:
        raise DocumentTooLarge(
            f"{source.name} has {size >> 20} MB; up to {MAX_BYTES >> 20} MB of HTML can be read. Split it."
        )
    data = source.path.read_bytes()
    declared = _CHARSET.search(data[:4096])
    return parse_html(decode(data, declared[1].decode() if declared else None), source.name)


def _described(block: TextBlock) -> TextBlock:
    if block.kind != "image":
        return block
    data, declared = data_address(block.facts["data"])
    facts = {"number": block.facts["number"], **facts_of(data, "", declared)}
    return TextBlock("image", block.text, block.first, block.last, facts=facts)


def _meta(root: Any) -> dict[str, str]:
    names = {"author": "author", "description": "description", "keywords": "keywords", "date": "modified"}
    items = [] if root is None else root.iter("meta")
    values = ((names.get((item.get("name") or "").lower()), item.get("content") or "") for item in items)
    properties = {name: one_line(value, 500) for name, value in values if name}
    language = None if root is None else root.get("lang")
    return {**properties, "language": one_line(language, 20)} if language else properties
