"""Slides of a presentation: which parts they are, in order, and what layout and master say about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.errors import DamagedDocument, DocumentError
from workroom.documents.office.package import Package
from workroom.documents.office.paragraphs import own_mark, paragraphs
from workroom.documents.office.shapes import Positions, Shape, flat, placeholder_places, shapes_of
from workroom.documents.whitespace import one_line

MAX_SLIDES = 5_000
_RELATION_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT_ID = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"
_NO_LIST = frozenset({"title", "ctrTitle", "subTitle", "dt", "ftr", "sldNum"})
_FURNITURE = frozenset({"dt", "ftr", "sldNum", "hdr"})


def relation_id(element: Any, name: str = "id") -> str:
    """The reference an element carries, in either dialect of the format."""
    for attribute in (_RELATION_ID, _STRICT_ID):
        if value := element.get(attribute.removesuffix("id") + name):
            return str(value)
    return ""


class Deck:
    def __init__(self, package: Package) -> None:
        self.package = package
        self._layouts: dict[str, _Layout] = {}
        main = next(iter(package.related("", "officeDocument")), "ppt/presentation.xml")
        root = package.tree(main)
        if root is None or local_name(root) != "presentation":
            raise DamagedDocument(
                f"{package.source.name} is no presentation, though it looks like one from outside. Save it again as PPTX."
            )
        self.presentation = root
        relations = package.relations(main)
        ids = [relation_id(item) for item in root.iterfind("{*}sldIdLst/{*}sldId")]
        parts = [relations[id_].target for id_ in ids if id_ in relations and relations[id_].target in package]
        self.missing = len(ids) - len(parts)
        self.parts = parts[:MAX_SLIDES]
        self.beyond = max(0, len(parts) - MAX_SLIDES)

    def slide(self, index: int) -> Slide:
        part = self.parts[index]
        layout = next(iter(self.package.related(part, "slideLayout")), "")
        if layout not in self._layouts:
            self._layouts[layout] = _Layout(self.package, layout)
        return Slide(index, part, self.package, self._layouts[layout])


@dataclass
class Slide:
    index: int
    part: str
    package: Package
    layout: _Layout

    @cached_property
    def root(self) -> Any:
        return self.package.tree(self.part)

    @property
    def hidden(self) -> bool:
        return self.root.get("show") in ("0", "false")

    @cached_property
    def shapes(self) -> list[Shape]:
        tree = self.root.find("{*}cSld/{*}spTree")
        return [] if tree is None else shapes_of(tree, self.layout.places)

    @property
    def title(self) -> str:
        for shape in flat(self.shapes):
            if shape.is_title:
                return one_line(" ".join(self.text(shape)), 300)
        return ""

    def text(self, shape: Shape) -> list[str]:
        body = shape.element.find("{*}txBody")
        if body is None or (shape.placeholder or ("", ""))[0] in _FURNITURE:
            return []
        return list(paragraphs(body, lambda level: self.layout.mark(shape, body, level)))

    def notes(self) -> list[str]:
        """What the speaker wanted to remember."""
        notes: list[str] = []
        for part in self.package.related(self.part, "notesSlide"):
            tree = self.package.tree(part)
            holder = None if tree is None else tree.find("{*}cSld/{*}spTree")
            for shape in [] if holder is None else flat(shapes_of(holder, {})):
                if (shape.placeholder or ("", ""))[0] == "body" and (
                    body := shape.element.find("{*}txBody")
                ) is not None:
                    notes.extend(paragraphs(body))
        return notes


class _Layout:
    """What slides inherit: where placeholders stand, and which of their paragraphs are list items."""

    def __init__(self, package: Package, part: str) -> None:
        self._package = package
        self._trees = [tree for tree in _chain(package, part) if tree is not None]
        self.places: Positions = {}
        for tree in reversed(self._trees):
            if (holder := tree.find("{*}cSld/{*}spTree")) is not None:
                self.places |= placeholder_places(holder)

    def mark(self, shape: Shape, body: Any, level: int) -> str | None:
        own = own_mark(body.find(f"{{*}}lstStyle/{{*}}lvl{level + 1}pPr"))
        placeholder = shape.placeholder
        if own or placeholder is None or placeholder[0] in _NO_LIST:
            return own
        for tree in self._trees:
            for style in _styles(tree, placeholder, level):
                if mark := own_mark(style):
                    return mark
        return None


def _chain(package: Package, layout: str) -> Iterator[Any]:
    """The layout, then its master; a broken one is as good as none."""
    parts = [layout, *package.related(layout, "slideMaster")] if layout else []
    for part in parts[:2]:
        try:
            yield package.tree(part)
        except DocumentError:
            yield None


def _styles(tree: Any, placeholder: tuple[str, str], level: int) -> Iterator[Any]:
    kind, index = placeholder
    for shape in tree.iterfind("{*}cSld/{*}spTree/{*}sp"):
        element = shape.find("{*}nvSpPr/{*}nvPr/{*}ph")
        same = element is not None and (element.get("idx") == index if index else element.get("type", "body") == kind)
        if same:
            yield shape.find(f"{{*}}txBody/{{*}}lstStyle/{{*}}lvl{level + 1}pPr")
    yield tree.find(f"{{*}}txStyles/{{*}}bodyStyle/{{*}}lvl{level + 1}pPr")
