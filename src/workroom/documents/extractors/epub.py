"""EPUB: chapters in the order of the book, with its contents, tables and pictures."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from workroom.core.errors import NotFound
from workroom.core.untrusted_xml import local_name
from workroom.documents.content import ObjectBuilder
from workroom.documents.embedded import element_of, facts_of
from workroom.documents.errors import DamagedDocument, DocumentError
from workroom.documents.html_blocks import html_blocks, parse_html
from workroom.documents.office.package import Package
from workroom.documents.passages import TextBlock, passages, structure_of
from workroom.documents.text_files import decode
from workroom.documents.types import ContentObject, Element, ExtractionScope, SourceFile, Structure
from workroom.documents.whitespace import one_line

_MAX_CHAPTERS = 5_000
_LOCATION = re.compile(r"image:(\d{1,6})")
_PAGES = ("application/xhtml+xml", "text/html")


class EpubExtractor:
    media_types = frozenset({"application/epub+zip"})

    def scan(self, source: SourceFile) -> Structure:
        with Package(source) as package:
            book = _Book(package)
            structure = structure_of("epub", book.blocks(), properties=book.properties, notes=book.notes)
            return structure.model_copy(update={"counts": {**structure.counts, "chapters": len(book.chapters)}})

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        with Package(source) as package:
            book = _Book(package)
            yield from passages(
                ObjectBuilder(source), (book.described(block) for block in book.blocks()), wanted, "blocks"
            )

    def element(self, source: SourceFile, location: str) -> Element:
        match = _LOCATION.fullmatch(location)
        with Package(source) as package:
            for block in _Book(package).blocks() if match else ():
                if match and block.kind == "image" and block.facts["number"] == int(match[1]):
                    return element_of(package.read(block.facts["data"]), block.facts["data"])
        raise NotFound(f"{source.name} has no picture at {location}.")


EXTRACTOR = EpubExtractor()


class _Book:
    def __init__(self, package: Package) -> None:
        self._package = package
        self.notes: list[str] = []
        container = package.tree("META-INF/container.xml")
        named = None if container is None else next(container.iter("{*}rootfile"), None)
        self._folder, root = "", None
        if named is not None:
            path = named.get("full-path", "")
            self._folder, root = posixpath.dirname(path), package.tree(path)
        if root is None:
            raise DamagedDocument(
                f"{package.source.name} is no e-book, or its table of parts is missing. Send it again."
            )
        self.chapters = self._spine(root)[:_MAX_CHAPTERS]
        self.properties = _properties(root)

    def blocks(self) -> Iterator[TextBlock]:
        """Numbered through all chapters."""
        last = pictures = 0
        for chapter in self.chapters:
            try:
                root = parse_html(decode(self._package.read(chapter)), self._package.source.name)
            except DocumentError as error:
                self.notes.append(f"{chapter}: {error.message}")
                continue
            before, block = last, None
            for block in html_blocks(root, lambda address, chapter=chapter: self._inside(chapter, address)):  # type: ignore[misc]
                last = before + block.last
                if block.kind == "image":
                    pictures += 1
                    block = replace(block, facts={**block.facts, "number": pictures})
                yield replace(block, first=before + block.first, last=last)

    def described(self, block: TextBlock) -> TextBlock:
        if block.kind != "image":
            return block
        part = block.facts["data"]
        return replace(block, facts={"number": block.facts["number"], **facts_of(self._package.read(part), part)})

    def _inside(self, chapter: str, address: str) -> str | None:
        if not address or ":" in address:
            return None
        part = posixpath.normpath(posixpath.join(posixpath.dirname(chapter), unquote(address.partition("#")[0])))
        return part if part in self._package else None

    def _spine(self, root: Any) -> list[str]:
        """Chapters in reading order; without an order, in that of the list of parts."""
        items = {item.get("id"): item for item in root.iter("{*}item")}
        order = [items[ref.get("idref")] for ref in root.iter("{*}itemref") if ref.get("idref") in items]
        names_ = order or list(items.values())
        pages = [
            item for item in names_ if item.get("media-type") in _PAGES and "nav" not in (item.get("properties") or "")
        ]
        parts = [posixpath.normpath(posixpath.join(self._folder, unquote(item.get("href", "")))) for item in pages]
        return [part for part in parts if part in self._package]


def _properties(root: Any) -> dict[str, str]:
    names = {"title": "title", "creator": "author", "language": "language", "date": "created", "publisher": "publisher"}
    properties: dict[str, str] = {}
    metadata = root.find("{*}metadata")
    for element in [] if metadata is None else metadata:
        name = names.get(local_name(element))
        if name and element.text:
            properties.setdefault(name, one_line(element.text, 500))
    return properties
