"""Content objects of the wanted pages, one page after the other; no other page is loaded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from workroom.documents.content import ObjectBuilder
from workroom.documents.errors import DamagedDocument
from workroom.documents.extractors.pdf.annotations import Annotations, annotations_on
from workroom.documents.extractors.pdf.attachments import attachments
from workroom.documents.extractors.pdf.graphics import Picture, graphics_on
from workroom.documents.extractors.pdf.images import pixels
from workroom.documents.extractors.pdf.layout import in_reading_order, segments_of
from workroom.documents.extractors.pdf.links import list_links, mark_links, safe_links
from workroom.documents.extractors.pdf.page_blocks import PageBlock, blocks
from workroom.documents.extractors.pdf.pdf_file import Pdf, UnreadablePage, open_pdf
from workroom.documents.extractors.pdf.sections import SectionFilter, section_filter
from workroom.documents.extractors.pdf.tables import PdfTable, tables_on
from workroom.documents.extractors.pdf.words import PdfLine, PdfPageText, text_of
from workroom.documents.table_slices import table_objects
from workroom.documents.types import ContentObject, ContentType, ExtractionScope, SourceFile

SMALL = 12.0  # points; smaller pictures are bullets and ornaments
MOST_PICTURES = 60  # on one page; more are the tiles of one picture


def extract(source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
    with open_pdf(source) as pdf:
        objects = ObjectBuilder(source)
        cutter = section_filter(source, pdf, wanted)
        readable = 0
        for index in cutter.pages:
            try:
                with pdf.page(index) as page, text_of(page) as text:
                    yield from _Page(pdf, page, text, index, objects).read(cutter)
                readable += 1
            except UnreadablePage as error:
                yield objects.media(
                    ContentType.OTHER, f"page:{index + 1}", page_index=index, metadata={"unreadable": str(error)}
                )
        if cutter.pages and not readable:
            raise DamagedDocument(f"{source.name} is damaged: none of the wanted pages can be read.")
        if wanted.everything:
            yield from attachments(pdf, objects)


class _Page:
    """One page while it is open."""

    def __init__(self, pdf: Pdf, page: Any, text: PdfPageText, index: int, objects: ObjectBuilder) -> None:
        self._page = page
        self._frame = text.frame
        self._index = index
        self._objects = objects
        self._pieces, self._turned = segments_of(text)
        self._drawn = graphics_on(page, text.frame)
        self._notes = annotations_on(pdf, page, text.frame)
        self._links = safe_links(self._notes.links)

    def read(self, cutter: SectionFilter) -> Iterator[ContentObject]:
        left: list[tuple[str, str]] = []
        pictures = [picture for picture in self._drawn.pictures if min(picture.box.width, picture.box.height) >= SMALL]
        if self._is_one_picture():
            left = mark_links((), self._links, ())
            yield self._as_picture()
        else:
            if len(pictures) > MOST_PICTURES:
                pictures = []
                yield self._as_picture()
            tables = tables_on(self._pieces, self._drawn)
            left = mark_links(self._pieces, self._links, frozenset().union(*(table.pieces for table in tables)))
            counts: Counter[str] = Counter()
            for block in blocks(in_reading_order(self._pieces), tables, pictures):
                counts[block.kind] += 1
                if cutter.passes(self._index, block):
                    yield from self._block(block, counts[block.kind], cutter.section_id)
        if cutter.whole(self._index):
            yield from _aside(self._turned, self._notes, left, self._index, self._objects)

    def _block(self, block: PageBlock, number: int, section_id: str | None) -> Iterator[ContentObject]:
        region = f"page:{self._index + 1}/region:{self._frame.region(block.box)}"
        ref: dict[str, Any] = {"page_index": self._index, "section_id": section_id, "label": block.label}
        if isinstance(block.content, Picture):
            wide, high = pixels(block.content)
            location = f"{region}/image:{block.content.number}"
            facts = {"width": wide, "height": high, "mediaType": "image/png"}
            yield self._objects.media(ContentType.IMAGE, location, metadata=facts, **ref)
        elif isinstance(block.content, PdfTable):
            yield from table_objects(self._objects, f"{region}/table:{number}", block.content.rows, **ref)
        else:
            metadata: dict[str, Any] = {"heading": True} if block.heading else {}
            if links := [address for box, address in self._links if block.box.holds(*box.middle, margin=2)]:
                metadata["links"] = list(dict.fromkeys(links))
            yield from self._objects.text(block.content, f"{region}/block:{number}", metadata=metadata, **ref)

    def _is_one_picture(self) -> bool:
        """A scan, whole or in tiles, or a drawing without words."""
        pictures = self._drawn.pictures
        if self._pieces or self._turned:
            return False
        if not pictures:
            return self._drawn.shapes > 0
        covered = max(picture.box.width * picture.box.height for picture in pictures)
        return covered > 0.5 * self._frame.width * self._frame.height or len(pictures) > MOST_PICTURES

    def _as_picture(self) -> ContentObject:
        """The page itself: where nothing can be read without OCR, it is the picture to give to it."""
        facts: dict[str, Any] = {"width": round(self._frame.width), "height": round(self._frame.height)}
        if not self._pieces and not self._turned:
            facts["scanned" if self._drawn.pictures else "drawn"] = True
        return self._objects.media(
            ContentType.IMAGE,
            f"page:{self._index + 1}",
            page_index=self._index,
            metadata=facts | {"mediaType": "image/png"},
        )


def _aside(
    turned: Sequence[PdfLine], notes: Annotations, links: Sequence[tuple[str, str]], index: int, objects: ObjectBuilder
) -> Iterator[ContentObject]:
    """What has no place in the flow of the text: writing in other directions, filled forms, remarks, links of tables and
    pictures."""
    page = f"page:{index + 1}"
    if turned:
        written = "\n".join(line.text for line in turned)
        yield from objects.text(written, f"{page}/turned", page_index=index, metadata={"turned": True})
    if notes.fields:
        filled = "\n".join(f"{name}: {value}" if name else value for name, value in notes.fields)
        yield from objects.text(filled, f"{page}/fields", page_index=index, metadata={"form": True})
    if links:
        yield from objects.text(list_links(links), f"{page}/links", page_index=index, metadata={"role": "links"})
    for number, (author, remark) in enumerate(notes.remarks, start=1):
        metadata = {"comment": True} | ({"author": author} if author else {})
        yield from objects.text(remark, f"{page}/remark:{number}", page_index=index, metadata=metadata)
