"""XML and SVG: an outline of names, attributes and texts, in slices along the children of the root. Nothing is rendered,
nothing is fetched, and a file that declares entities is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from workroom.core.errors import NotFound
from workroom.core.untrusted_xml import local_name
from workroom.documents.content import ObjectBuilder
from workroom.documents.errors import DamagedDocument
from workroom.documents.passages import PASSAGE
from workroom.documents.safe_xml import forget, walk_xml
from workroom.documents.types import ContentObject, Element, ExtractionScope, SourceFile, Structure
from workroom.documents.whitespace import one_line, tidy

_INDENT = "  "
_DEEPEST = 60
_MAX_LINES = 2_000_000
_PART = 500  # characters of an attribute
_MARKUP = frozenset({"svg", "path", "g", "rect", "circle", "polygon", "defs", "style", "script", "image"})


class XmlExtractor:
    media_types = frozenset(
        {"application/xml", "text/xml", "image/svg+xml", "application/rss+xml", "application/atom+xml"}
    )

    def scan(self, source: SourceFile) -> Structure:
        names: Counter[str] = Counter()
        children: Counter[str] = Counter()
        root = ""
        depth = 0
        with _open(source) as stream:
            for event, element in walk_xml(stream, source.name):
                depth += 1 if event == "start" else -1
                if event == "end":
                    names[local_name(element)] += 1
                    if depth == 1:
                        children[local_name(element)] += 1
                        forget(element)
                elif depth == 1:
                    root = local_name(element)
        summary = ", ".join(f"{name} ({count})" for name, count in children.most_common(20))
        counts = {"elements": names.total(), "children": children.total()}
        return Structure(kind="xml", counts=counts, properties={"root": root, "children": summary})

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        if not wanted.everything:
            return
        objects = ObjectBuilder(source)
        is_drawing = source.media_type == "image/svg+xml"
        pending: list[str] = []
        size = number = 0
        for number, line in enumerate(islice(_outline(source, is_drawing), _MAX_LINES), start=1):
            if pending and size + len(line) > PASSAGE:
                yield from objects.text("\n".join(pending), f"lines:{number - len(pending)}-{number - 1}")
                pending, size = [], 0
            pending.append(line)
            size += len(line)
        yield from objects.text("\n".join(pending), f"lines:{number - len(pending) + 1}-{number}")

    def element(self, source: SourceFile, location: str) -> Element:
        raise NotFound("An XML file holds nothing but text.")


EXTRACTOR = XmlExtractor()


def _open(source: SourceFile) -> Any:
    if not source.path.stat().st_size:
        raise DamagedDocument(f"{source.name} is empty. The upload may have been cut off: send it again.")
    return source.path.open("rb")


def _outline(source: SourceFile, is_drawing: bool) -> Iterator[str]:
    """A line per element as soon as its own text is known, so that nothing but the path to it stays in memory. Of a drawing
    only its words."""
    opened: list[_Opened] = []
    before: Any = None  # the sibling that ended last: the text behind it is known with the next event
    with _open(source) as stream:
        for event, element in walk_xml(stream, source.name):
            margin = _INDENT * min(len(opened), _DEEPEST)
            if opened and not opened[-1].is_said and event == "start":
                yield from opened[-1].say(is_drawing)
            if before is not None:
                if behind := tidy(before.tail or ""):
                    yield margin + behind
                forget(before)
                before = None
            if event == "start":
                opened.append(_Opened(element, margin))
                continue
            yield from opened.pop().say(is_drawing)
            before = element


class _Opened:
    def __init__(self, element: Any, margin: str) -> None:
        self._element = element
        self._margin = margin
        self.is_said = False

    def say(self, is_drawing: bool) -> Iterator[str]:
        if not self.is_said:
            self.is_said = True
            line = _line(self._element, is_drawing)
            if ": " in line or not is_drawing:
                yield self._margin + line


def _line(element: Any, is_drawing: bool) -> str:
    name = local_name(element)
    if is_drawing and name in _MARKUP:
        return name
    attributes = " ".join(
        f"{name.rpartition('}')[2]}={one_line(value, _PART)}"
        for name, value in element.attrib.items()
        if not is_drawing
    )
    text = tidy(element.text or "")
    head = f"{name} ({attributes})" if attributes else name
    return f"{head}: {text}" if text else head
