"""Pictures as PNG: those inside a page, and pages themselves."""

from __future__ import annotations

import ctypes
import io
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from workroom.documents.errors import DamagedDocument
from workroom.documents.extractors.pdf.geometry import Box, PageFrame
from workroom.documents.extractors.pdf.graphics import Picture
from workroom.documents.extractors.pdf.pdf_file import Pdf
from workroom.documents.types import Element

MAX_WIDTH = 4_000
_MAX_PIXELS = 40_000_000
_LARGE = 1_600  # pixels: the width of a picture that is cut out of its page


def pixels(picture: Picture) -> tuple[int, int]:
    """As stored in the file, which may be far more than is seen, and a lie."""
    width, height = ctypes.c_uint(), ctypes.c_uint()
    if not pdfium.FPDFImageObj_GetImagePixelSize(picture.handle, width, height):
        return 0, 0
    return width.value, height.value


def page_png(page: Any, width: int) -> Element:
    shown_width, shown_height = page.get_size()
    scale = max(1, min(width, MAX_WIDTH)) / max(shown_width, 1.0)
    scale = min(scale, (_MAX_PIXELS / max(shown_width * shown_height, 1.0)) ** 0.5)
    return _png(_rendered(page, scale))


def picture_png(pdf: Pdf, page: Any, picture: Picture, frame: PageFrame) -> Element:
    wide, high = pixels(picture)
    if 0 < wide * high <= _MAX_PIXELS:
        try:
            image = pypdfium2.PdfImage(picture.handle, page=page, pdf=pdf.document)
            drawn = image.get_bitmap(render=True, scale_to_original=True).to_pil()
        except (pypdfium2.PdfiumError, ValueError, MemoryError):
            drawn = None
        if drawn is not None and drawn.width * drawn.height > 0:
            return _png(drawn.rotate(-90 * frame.quarters, expand=True) if frame.quarters else drawn)
    return _cut_out(page, picture.box, frame)


def _cut_out(page: Any, box: Box, frame: PageFrame) -> Element:
    """What cannot be taken from the file is taken from the page as it is shown."""
    left, top = max(0.0, box.left), max(0.0, box.top)
    right, bottom = min(frame.width, box.right), min(frame.height, box.bottom)
    if right - left < 1 or bottom - top < 1:
        raise DamagedDocument("This picture lies outside its page and cannot be shown.")
    scale = min(_LARGE / (right - left), 4.0, (_MAX_PIXELS / (frame.width * frame.height)) ** 0.5)
    whole = _rendered(page, scale)
    return _png(whole.crop((int(left * scale), int(top * scale), int(right * scale) + 1, int(bottom * scale) + 1)))


def _rendered(page: Any, scale: float) -> Any:
    try:
        return page.render(scale=scale).to_pil()
    except (pypdfium2.PdfiumError, ValueError, MemoryError):
        raise DamagedDocument("This page cannot be drawn: it is damaged.") from None


def _png(image: Any) -> Element:
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    data = buffer.getvalue()
    return Element(data, "image/png", metadata={"width": image.width, "height": image.height, "bytes": len(data)})
