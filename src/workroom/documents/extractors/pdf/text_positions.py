"""Positions of text: lines and links of a page with their boxes, and the boxes of search hits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from workroom.documents.errors import DamagedDocument
from workroom.documents.extractors.pdf.annotations import Annotations, annotations_on
from workroom.documents.extractors.pdf.geometry import Box, PageFrame, around
from workroom.documents.extractors.pdf.layout import segments_of
from workroom.documents.extractors.pdf.links import safe_links, without_links
from workroom.documents.extractors.pdf.pdf_file import UnreadablePage, open_pdf
from workroom.documents.extractors.pdf.words import text_of
from workroom.documents.text_search import matches_in, pattern_of
from workroom.documents.types import Hit, PageLink, PageText, PlaceOnPage, SourceFile, TextLine

MAX_LINES = 5_000
MAX_LINKS = 1_000
MAX_BOXES = 50  # of one hit
_GAP = 1.5  # sizes of a letter: what is farther apart stands in another column


def page_text(source: SourceFile, page_index: int) -> PageText:
    with open_pdf(source) as pdf:
        try:
            with pdf.page(page_index) as page, text_of(page) as text:
                pieces, turned = segments_of(text)
                placed = [(piece.text, piece.box) for piece in pieces[:MAX_LINES]]
                placed += [(line.text, text.place_of(line)) for line in turned[: MAX_LINES - len(placed)]]
                lines = [TextLine(text=words, **_corners(box)) for words, box in placed]
                links = _links(annotations_on(pdf, page, text.frame), text.frame)
                width, height = round(text.frame.width, 2), round(text.frame.height, 2)
                return PageText(width=width, height=height, lines=lines, links=links)
        except UnreadablePage as error:
            raise DamagedDocument(str(error)) from None


def _links(notes: Annotations, frame: PageFrame) -> list[PageLink]:
    """Those that can be seen, as far as they lie on the page."""
    links = [PageLink(address=address, **_corners(_cut(box, frame))) for box, address in safe_links(notes.links)]
    links += [PageLink(page_index=page, **_corners(_cut(box, frame))) for box, page in notes.jumps]
    return [link for link in links if link.width > 0 and link.height > 0][:MAX_LINKS]


def _cut(box: Box, frame: PageFrame) -> Box:
    left, right = max(box.left, 0.0), min(box.right, frame.width)
    top, bottom = max(box.top, 0.0), min(box.bottom, frame.height)
    return Box(left, top, right, bottom)


def find(source: SourceFile, text: str, page_index: int | None = None) -> Iterator[Hit]:
    """Page by page: PDFium's text, our pattern, since PDFium's own search stops at words cut by the end of a line."""
    pattern = pattern_of(without_links(text))
    with open_pdf(source) as pdf:
        for index in range(pdf.pages) if page_index is None else [page_index] if page_index < pdf.pages else []:
            try:
                with pdf.page(index) as page, text_of(page) as read:
                    for passage in matches_in(read.text, pattern):
                        boxes = lines_of(read.letters(passage.start, passage.end))[:MAX_BOXES]
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


def lines_of(letters: Iterable[Box]) -> list[Box]:
    """One place for each line that the letters stand on, in whichever direction it runs."""
    lines: list[Box] = []
    for box in letters:
        if lines and _continues(lines[-1], box):
            lines[-1] = around((lines[-1], box))
        else:
            lines.append(box)
    return lines


def _continues(line: Box, box: Box) -> bool:
    across = min(line.bottom, box.bottom) - max(line.top, box.top)
    down = min(line.right, box.right) - max(line.left, box.left)
    size = max(box.height, box.width)
    if across > box.height / 2:
        return down > -_GAP * size
    return down > box.width / 2 and across > -_GAP * size and line.width < 2 * size


def _corners(box: Box) -> dict[str, float]:
    return {
        "x": round(box.left, 2),
        "y": round(box.top, 2),
        "width": round(box.width, 2),
        "height": round(box.height, 2),
    }
