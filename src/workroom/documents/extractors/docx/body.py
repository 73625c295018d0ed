"""Streams the paragraphs and tables of a DOCX file; each is cleared before the next is read."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.extractors.docx.document import DocxDocument
from workroom.documents.extractors.docx.inline import DocxInline
from workroom.documents.extractors.docx.pages import record_pages
from workroom.documents.extractors.docx.styles import attribute, half_points, is_on, number
from workroom.documents.extractors.docx.tables import box_lines, read_table
from workroom.documents.flow.blocks import BlockFilter, EmbeddedPart, FlowBlock, FlowNote
from workroom.documents.flow.pages import PageCounter
from workroom.documents.office.xml_stream import stream_xml
from workroom.documents.safe_xml import forget

_WRAPPERS = frozenset({"sdt", "sdtContent", "customXml", "ins", "moveTo", "body", "document"})
_BLOCKS = frozenset({"p", "tbl", "altChunk"})


class DocxBody:
    """One pass over the body."""

    def __init__(self, document: DocxDocument) -> None:
        self._document = document
        self._numbering = document.numbering()
        self.pages = PageCounter(document.styles.font("")[0])

    def blocks(self, wanted: BlockFilter) -> Generator[FlowBlock, None, None]:
        for number_, element in enumerate(_elements(self._document), start=1):
            name = local_name(element)
            block = FlowBlock(number_, *record_pages(element, self.pages))
            if name == "p":
                self._paragraph(block, element, wanted(number_))
            elif name == "tbl" and wanted(number_):
                self._table(block, element)
            elif name == "altChunk" and wanted(number_):
                relation = self._document.package.relations(self._document.part).get(attribute(element, "id"))
                if relation is not None and not relation.external:
                    block.parts.append(EmbeddedPart("object", relation.target))
            yield block

    def _paragraph(self, block: FlowBlock, element: Any, wanted: bool) -> None:
        document = self._document
        properties = element.find("{*}pPr")
        style = _style_of(properties)
        block.level = _outline(properties) or document.styles.level(style)
        list_id, level = self._list(properties, style)
        if list_id and list_id != "0":
            block.label = self._numbering.label(list_id, level)
            block.indent = 0 if block.level else level
        if not wanted and not block.level:
            return
        inline = document.reader.read(element)
        block.text = inline.plain_text
        if not wanted:
            return
        self._take(block, inline)
        block.boxes = ["\n".join(box_lines(box, document.reader)) for box in inline.boxes]
        block.is_caption = document.styles.is_caption(style) if style else False
        block.is_title = document.styles.is_title(style) if style else False
        block.size, block.bold = self._font(element, style)

    def _list(self, properties: Any, style: str) -> tuple[str | None, int]:
        list_id, level = self._document.styles.numbering(style)
        own = None if properties is None else properties.find("{*}numPr")
        if own is not None:
            reference = own.find("{*}numId")
            list_id = list_id if reference is None else attribute(reference, "val")
            own_level = number(own.find("{*}ilvl"))
            level = level if own_level is None else own_level
        return list_id, max(0, min(level or 0, 8))

    def _font(self, element: Any, style: str) -> tuple[float, bool]:
        """Font size of the first run, and whether all runs are bold."""
        size, bold = self._document.styles.font(style)
        runs = [run for run in element.iterfind("{*}r") if run.find("{*}t") is not None]
        properties = [run.find("{*}rPr") for run in runs]
        sizes = [half_points(run.find("{*}sz")) for run in properties if run is not None]
        weights = [
            bold if run is None or is_on(run.find("{*}b")) is None else bool(is_on(run.find("{*}b")))
            for run in properties
        ]
        return next((size for size in sizes if size), size), all(weights) if weights else bold

    def _table(self, block: FlowBlock, element: Any) -> None:
        table = read_table(element, self._document.reader)
        block.rows, block.cut = table.rows, table.cut
        for inline in table.inlines:
            self._take(block, inline)

    def _take(self, block: FlowBlock, inline: DocxInline) -> None:
        block.parts += inline.parts
        block.outside += inline.outside
        document = self._document
        block.notes += [FlowNote("footnote", id_, document.footnotes.get(id_, "")) for id_ in inline.footnotes]
        block.notes += [FlowNote("endnote", f"e{id_}", document.endnotes.get(id_, "")) for id_ in inline.endnotes]
        for id_ in inline.comments:
            author, text = document.comments.get(id_, ("", ""))
            block.notes.append(FlowNote("comment", id_, text, author))


def _elements(document: DocxDocument) -> Iterator[Any]:
    """Block elements as soon as they are complete; cleared when the next is requested."""
    for element in stream_xml(document.package, document.part, *_BLOCKS):
        if _is_block(element):
            yield element
            forget(element)


def _is_block(element: Any) -> bool:
    """A part of the text itself, not of a table, a text box or a drawing."""
    return all(local_name(above) in _WRAPPERS for above in element.iterancestors())


def _style_of(properties: Any) -> str:
    style = None if properties is None else properties.find("{*}pStyle")
    return "" if style is None else attribute(style, "val")


def _outline(properties: Any) -> int | None:
    level = None if properties is None else number(properties.find("{*}outlineLvl"))
    return level + 1 if level is not None and 0 <= level < 9 else None
