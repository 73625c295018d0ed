"""Blocks of a page in reading order: texts, tables and pictures, with captions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workroom.documents.captions import is_caption
from workroom.documents.extractors.pdf.geometry import Box, around
from workroom.documents.extractors.pdf.graphics import Picture
from workroom.documents.extractors.pdf.layout import PdfParagraph, TextSegment, paragraphs
from workroom.documents.extractors.pdf.links import with_links
from workroom.documents.extractors.pdf.tables import PdfTable

_CAPTION_WITHIN = 60.0  # points above or below
_TOGETHER = 2_000  # characters of neighbouring paragraphs in one object
_LARGER = 1.14


@dataclass
class PageBlock:
    box: Box
    content: str | PdfTable | Picture
    label: str | None = None
    heading: bool = False

    @property
    def kind(self) -> str:
        return {str: "block", PdfTable: "table", Picture: "image"}[type(self.content)]


def blocks(pieces: Sequence[TextSegment], tables: Sequence[PdfTable], pictures: Sequence[Picture]) -> list[PageBlock]:
    body = _body_size(pieces)
    ordered: list[PageBlock] = []
    captions: list[PageBlock] = []
    for item in _items(pieces, tables):
        if isinstance(item, PdfTable):
            ordered.append(PageBlock(item.box, item))
            continue
        heading = _is_heading(item, body)  # it is compared with titles: as it is written, without addresses
        block = PageBlock(item.box, item.text if heading else with_links(item), heading=heading)
        if is_caption(item.text):
            captions.append(block)
        ordered.append(block)
    for picture in pictures:
        _insert(ordered, PageBlock(picture.box, picture))
    for block in ordered:
        if not isinstance(block.content, str):
            block.label = _caption(block.box, captions)
    return list(_together(ordered, captions))


def _items(pieces: Sequence[TextSegment], tables: Sequence[PdfTable]) -> Iterator[PdfParagraph | PdfTable]:
    """A table stands where its first piece is read."""
    table_of = {piece: table for table in tables for piece in table.pieces}
    free: list[TextSegment] = []
    shown: set[int] = set()
    for piece in pieces:
        table = table_of.get(id(piece))
        if table is None:
            free.append(piece)
        elif id(table) not in shown:
            shown.add(id(table))
            yield from paragraphs(free)
            free = []
            yield table
    yield from paragraphs(free)


def _insert(ordered: list[PageBlock], block: PageBlock) -> None:
    """Before the first thing that is read below it in its column, else at the end."""
    for index, other in enumerate(ordered):
        beside = min(block.box.right, other.box.right) - max(block.box.left, other.box.left)
        if beside > 0 and other.box.top >= block.box.top - 1:
            ordered.insert(index, block)
            return
    ordered.append(block)


def _caption(box: Box, captions: Sequence[PageBlock]) -> str | None:
    best, label = _CAPTION_WITHIN, None
    for caption in captions:
        if min(box.right, caption.box.right) <= max(box.left, caption.box.left):
            continue
        distance = max(caption.box.top - box.bottom, box.top - caption.box.bottom, 0.0)
        if distance < best and isinstance(caption.content, str):
            best, label = distance, " ".join(caption.content.split())
    return label


def _together(ordered: Sequence[PageBlock], captions: Sequence[PageBlock]) -> Iterator[PageBlock]:
    """Neighbouring paragraphs in one object, as long as nothing else comes between them."""
    apart = {id(caption) for caption in captions}
    current: PageBlock | None = None
    for block in ordered:
        if current is not None and _joins(current, block, apart):
            current = PageBlock(around((current.box, block.box)), f"{current.content}\n\n{block.content}")
            continue
        if current is not None:
            yield current
        current = block
    if current is not None:
        yield current


def _joins(first: PageBlock, second: PageBlock, apart: set[int]) -> bool:
    if not isinstance(first.content, str) or not isinstance(second.content, str):
        return False
    if first.heading or second.heading or id(first) in apart or id(second) in apart:
        return False
    below = second.box.top >= first.box.bottom - 2
    in_column = min(first.box.right, second.box.right) > max(first.box.left, second.box.left)
    return below and in_column and len(first.content) + len(second.content) <= _TOGETHER


def _body_size(pieces: Sequence[TextSegment]) -> float:
    sizes: Counter[float] = Counter()
    for piece in pieces:
        sizes[round(piece.size * 2) / 2] += len(piece.text) - piece.text.count(" ")
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _is_heading(paragraph: PdfParagraph, body: float) -> bool:
    if len(paragraph.pieces) > 3:
        return False
    return paragraph.size >= body * _LARGER or (paragraph.bold and paragraph.size >= body * 0.95)
