"""Files attached to a PDF: listed as objects, extracted on demand."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator
from typing import Any

import pypdfium2

from workroom.core.errors import NotFound
from workroom.documents.content import ObjectBuilder, clean
from workroom.documents.errors import DamagedDocument
from workroom.documents.extractors.pdf.pdf_file import Pdf
from workroom.documents.types import ContentObject, ContentType, Element

_MOST = 1_000


def attachments(pdf: Pdf, objects: ObjectBuilder) -> Iterator[ContentObject]:
    for index in range(min(pdf.document.count_attachments(), _MOST)):
        name = _name(pdf.document.get_attachment(index), index)
        yield objects.media(
            ContentType.OTHER,
            f"attachment:{index + 1}",
            label=name,
            metadata={"attachment": True, "mediaType": _media_type(name), "fileName": name},
        )


def attached(pdf: Pdf, number: int) -> Element:
    if not 1 <= number <= pdf.document.count_attachments():
        raise NotFound("There is no such attachment in this document.")
    attachment = pdf.document.get_attachment(number - 1)
    name = _name(attachment, number - 1)
    try:
        data = bytes(attachment.get_data())
    except pypdfium2.PdfiumError:
        raise DamagedDocument(f"The attachment {name} is damaged and cannot be read.") from None
    return Element(data=data, media_type=_media_type(name), name=name, metadata={"bytes": len(data)})


def _name(attachment: Any, index: int) -> str:
    return clean(attachment.get_name()).strip() or f"attachment {index + 1}"


def _media_type(name: str) -> str:
    return mimetypes.guess_type(name)[0] or "application/octet-stream"
