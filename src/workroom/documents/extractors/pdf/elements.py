"""Single elements on demand: a picture, an attachment, a rendered page, the tables of a page."""

from __future__ import annotations

import re

from workroom.core.errors import NotFound
from workroom.documents.errors import DamagedDocument
from workroom.documents.extractors.pdf.attachments import attached
from workroom.documents.extractors.pdf.geometry import frame_of
from workroom.documents.extractors.pdf.graphics import graphics_on
from workroom.documents.extractors.pdf.images import page_png, picture_png
from workroom.documents.extractors.pdf.layout import segments_of
from workroom.documents.extractors.pdf.pdf_file import Pdf, UnreadablePage, open_pdf
from workroom.documents.extractors.pdf.tables import tables_on
from workroom.documents.extractors.pdf.words import text_of
from workroom.documents.tables import markdown_table
from workroom.documents.types import Element, SourceFile

WHOLE_PAGE = 1_600  # pixels wide: enough for OCR
_PICTURE = re.compile(r"page:(\d{1,9})(?:/region:\w+/image:(\d{1,9}))?")
_ATTACHMENT = re.compile(r"attachment:(\d{1,9})")


def element(source: SourceFile, location: str) -> Element:
    with open_pdf(source) as pdf:
        if match := _ATTACHMENT.fullmatch(location):
            return attached(pdf, int(match.group(1)))
        if match := _PICTURE.fullmatch(location):
            page, number = match.groups()
            return _picture(pdf, int(page) - 1, int(number)) if number else _whole(pdf, int(page) - 1, WHOLE_PAGE)
    raise NotFound(f"There is no picture or attachment at “{location}” in {source.name}.")


def page_image(source: SourceFile, page_index: int, width: int) -> Element:
    with open_pdf(source) as pdf:
        pdf.document.init_forms()  # so that what was filled in is seen
        return _whole(pdf, page_index, width)


def page_tables(source: SourceFile, page_index: int) -> list[str]:
    with open_pdf(source) as pdf:
        try:
            with pdf.page(page_index) as page, text_of(page) as text:
                pieces, _ = segments_of(text)
                return [markdown_table(table.rows) for table in tables_on(pieces, graphics_on(page, text.frame))]
        except UnreadablePage as error:
            raise DamagedDocument(str(error)) from None


def _whole(pdf: Pdf, page_index: int, width: int) -> Element:
    try:
        with pdf.page(page_index) as page:
            return page_png(page, width)
    except UnreadablePage as error:
        raise DamagedDocument(str(error)) from None


def _picture(pdf: Pdf, page_index: int, number: int) -> Element:
    try:
        with pdf.page(page_index) as page:
            frame = frame_of(page)
            for picture in graphics_on(page, frame, lines=False).pictures:
                if picture.number == number:
                    return picture_png(pdf, page, picture, frame)
    except UnreadablePage as error:
        raise DamagedDocument(str(error)) from None
    raise NotFound(f"There is no picture {number} on page {page_index + 1}.")
