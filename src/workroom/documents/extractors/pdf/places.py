"""Where words stand: the lines of a page with their places, and the places of a text that is looked for."""

from __future__ import annotations

from collections.abc import Iterator

from workroom.documents.errors import DamagedDocument
from workroom.documents.extractors.pdf.geometry import Box
from workroom.documents.extractors.pdf.layout import pieces_of
from workroom.documents.extractors.pdf.opening import UnreadablePage, open_pdf
from workroom.documents.extractors.pdf.words import text_of
from workroom.documents.finding import passages, pattern_of
from workroom.documents.types import Hit, PageText, PlaceOnPage, Source, TextLine

MAX_LINES = 5_000
MAX_BOXES = 50  # of one hit


def page_text(source: Source, page_index: int) -> PageText:
    with open_pdf(source) as pdf:
        try:
            with pdf.page(page_index) as page, text_of(page) as text:
                pieces, turned = pieces_of(text)
                found = [(piece.text, piece.box) for piece in pieces[:MAX_LINES]]
                found += [(line.text, text.place_of(line)) for line in turned[: MAX_LINES - len(found)]]
                lines = [TextLine(text=words, **_corners(box)) for words, box in found]
                return PageText(width=round(text.frame.width, 2), height=round(text.frame.height, 2), lines=lines)
        except UnreadablePage as error:
            raise DamagedDocument(str(error)) from None


def find(source: Source, text: str) -> Iterator[Hit]:
    """Page by page: PDFium's text, our pattern, since PDFium's own search stops at words cut by the end of a line."""
    pattern = pattern_of(text)
    with open_pdf(source) as pdf:
        for index in range(pdf.pages):
            try:
                with pdf.page(index) as page, text_of(page) as read:
                    for passage in passages(read.text, pattern):
                        boxes = read.places_between(passage.start, passage.end)[:MAX_BOXES]
                        yield Hit(
                            part=f"page:{index + 1}",
                            location=f"page:{index + 1}",
                            before=passage.before,
                            match=passage.match,
                            after=passage.after,
                            boxes=[PlaceOnPage(**_corners(box)) for box in boxes],
                        )
            except UnreadablePage:
                continue  # the structure says which pages cannot be read


def _corners(box: Box) -> dict[str, float]:
    return {
        "x": round(box.left, 2),
        "y": round(box.top, 2),
        "width": round(box.width, 2),
        "height": round(box.height, 2),
    }
