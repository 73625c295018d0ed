"""Images for vision models: a page or a picture of a document as a JPEG, no larger than the resolution models use."""

from __future__ import annotations

import io
from typing import Any, cast

from workroom.documents.errors import DamagedDocument, DocumentTooLarge, UnsupportedDocument
from workroom.documents.pictures import open_picture
from workroom.documents.ports import Extractor, Paged
from workroom.documents.types import Element, SourceFile

LONGEST_SIDE = 1_568  # pixels; models make smaller what is larger
_QUALITY = 88
_NOT_SEEN = "Only pages of PDF and TIFF files and pictures can be looked at; of other documents the text is read."


def model_image(
    extractor: Extractor, source: SourceFile, page_index: int | None = None, location: str | None = None
) -> Element:
    """The picture at a location, or a page; without either, the document itself, which must be a picture."""
    if location is not None:
        return _small(extractor.element(source, location))
    if page_index is None and not source.media_type.startswith("image/"):
        raise UnsupportedDocument(_NOT_SEEN)
    if not hasattr(extractor, "page_image"):
        raise UnsupportedDocument(_NOT_SEEN)
    return _small(cast(Paged, extractor).page_image(source, page_index or 0, LONGEST_SIDE))


def _small(element: Element) -> Element:
    if not element.media_type.startswith("image/") or element.media_type == "image/svg+xml":
        raise UnsupportedDocument(_NOT_SEEN)
    what = element.name or "This picture"
    with open_picture(io.BytesIO(element.data), what) as picture:
        try:
            data = _jpeg(picture)
        except MemoryError:
            raise DocumentTooLarge(f"{what} has too many pixels to be looked at here. Save it smaller.") from None
        except (OSError, ValueError, SyntaxError, EOFError):
            raise DamagedDocument(f"{what} is damaged. Send it again.") from None
    return Element(data, "image/jpeg", element.name)


def _jpeg(picture: Any) -> bytes:
    """A JPEG with a white background where the picture is transparent."""
    from PIL import Image

    picture.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
    picture.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    drawn = picture.convert("RGBA")
    paper = Image.new("RGB", drawn.size, "white")
    paper.paste(drawn, mask=drawn.getchannel("A"))
    made = io.BytesIO()
    paper.save(made, "JPEG", quality=_QUALITY)
    return made.getvalue()
