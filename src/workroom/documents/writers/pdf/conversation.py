"""PDF of conversations: who said what, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workroom.core.wire import Wire
from workroom.documents.writers.pdf.typst_document import TYPST_MB, typeset
from workroom.documents.writers.process import made

MEMORY_MB = TYPST_MB


class PdfEntry(Wire):
    """Who said what, when. `lines` are shown as they are, one by one; `asked`: set off from the answers."""

    speaker: str
    at: str
    markdown: str
    lines: Sequence[str] = ()
    sources: Sequence[str] = ()
    asked: bool = False


class PdfDocument(Wire):
    """`sources` is the heading above the sources of an entry."""

    title: str
    subtitle: str
    language: str
    sources: str
    entries: Sequence[PdfEntry]


async def pdf_of(document: PdfDocument) -> bytes:
    return await made("conversation", document)


def written(document: bytes, scratch: Path) -> bytes:
    return typeset("conversation", PdfDocument.model_validate_json(document).model_dump(mode="json"), {}, scratch)
