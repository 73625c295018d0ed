"""Streams the paragraphs, list items and tables of an ODT file; each is cleared before the next is read."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.extractors.odt.inline import OdtInline, OdtParagraphReader
from workroom.documents.extractors.odt.styles import OdtListLevel, OdtStyles, attribute
from workroom.documents.extractors.odt.tables import read_table
from workroom.documents.flow.blocks import BlockFilter, FlowBlock
from workroom.documents.flow.numerals import numeral
from workroom.documents.flow.pages import PageCounter
from workroom.documents.office.package import Package
from workroom.documents.office.xml_stream import stream_xml
from workroom.documents.safe_xml import forget

CONTENT = "content.xml"
_WRAPPERS = frozenset(
    {"text", "body", "document-content", "section", "index-body", "index-title", "numbered-paragraph"}
)
_INDEXES = frozenset(
    {"table-of-content", "illustration-index", "table-index", "object-index", "user-index", "alphabetical-index"}
    | {"bibliography"}
)
_BLOCKS = frozenset({"p", "h", "list", "table", "frame", "soft-page-break"})
_DEPTH = 12
_FORMATS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}


class OdtBody:
    """One pass over the body."""

    def __init__(self, package: Package, styles: OdtStyles) -> None:
        self._package = package
        self._styles = styles
        self.pages = PageCounter()
        self._reader = OdtParagraphReader(package, self.pages)
        self._number = 0
        self._continued: dict[tuple[str, int], int] = {}  # where lists that may go on have got to

    def blocks(self, wanted: BlockFilter) -> Generator[FlowBlock, None, None]:
        for element in self._elements():
            name = local_name(element)
            if name in ("p", "h"):
                yield self._paragraph(element)
            elif name == "list":
                yield from self._list(element, attribute(element, "style-name"), 1)
            elif name == "table":
                yield self._table(element)
            elif name == "frame":
                yield self._frame(element)
            else:
                self.pages.mark()

    def _paragraph(self, element: Any, label: str | None = None, indent: int = 0) -> FlowBlock:
        style = attribute(element, "style-name")
        if self._styles.breaks_page(style):
            self.pages.by_hand()
        self.pages.begin()
        inline = self._reader.read(element)
        block = self._block()
        block.text, block.label, block.indent = inline.plain_text, label, indent
        block.boxes = inline.boxes
        _take(block, inline)
        if local_name(element) == "h":
            level = attribute(element, "outline-level")
            block.level = max(1, min(int(level), 9)) if level.isdecimal() and len(level) < 4 else 1
        else:
            block.level = self._styles.level(style)
        block.is_caption, block.is_title = self._styles.is_caption(style), self._styles.is_title(style)
        block.size, block.bold = self._styles.font(style)
        return block

    def _list(self, element: Any, style: str, level: int) -> Iterator[FlowBlock]:
        shape = self._styles.list_level(style, level)
        count = shape.start - 1
        if attribute(element, "continue-numbering") == "true" or attribute(element, "continue-list"):
            count = self._continued.get((style, level), count)
        for item in element:
            if local_name(item) == "list-item":
                count += 1
            label: str | None = _label(shape, count) if local_name(item) == "list-item" else None
            for child in item:
                name = local_name(child)
                if name in ("p", "h"):
                    yield self._paragraph(child, label, level - 1)
                    label = None
                elif name == "list" and level < _DEPTH:
                    yield from self._list(child, attribute(child, "style-name") or style, level + 1)
                elif name == "table":
                    yield self._table(child)
        self._continued[style, level] = count

    def _table(self, element: Any) -> FlowBlock:
        self.pages.begin()
        table = read_table(element, self._reader)
        block = self._block()
        block.rows, block.cut = table.rows, table.cut
        for inline in table.inlines:
            _take(block, inline)
        return block

    def _frame(self, element: Any) -> FlowBlock:
        """A picture between paragraphs."""
        self.pages.begin()
        inline = self._reader.read_frame(element)
        block = self._block()
        block.boxes = inline.boxes
        _take(block, inline)
        return block

    def _block(self) -> FlowBlock:
        self._number += 1
        return FlowBlock(self._number, *self.pages.end())

    def _elements(self) -> Iterator[Any]:
        for element in stream_xml(self._package, CONTENT, *_BLOCKS, "style", "list-style"):
            if local_name(element) in ("style", "list-style"):
                self._styles.add(element)
            elif _is_block(element):
                yield element
                forget(element)


def _is_block(element: Any) -> bool:
    """A part of the text itself, not of a table, a list or a frame."""
    return all(local_name(above) in _WRAPPERS or local_name(above) in _INDEXES for above in element.iterancestors())


def _take(block: FlowBlock, inline: OdtInline) -> None:
    block.parts += inline.parts
    block.notes += inline.notes
    block.outside += inline.outside


def _label(shape: OdtListLevel, count: int) -> str | None:
    if shape.format is None:
        return "-"
    if not shape.format:
        return None
    return f"{shape.prefix}{numeral(count, _FORMATS.get(shape.format, 'decimal'))}{shape.suffix or '.'}".strip()
