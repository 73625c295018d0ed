"""Makes PDF of conversations and reports, each in a child process and within a minute."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from workroom.core.errors import WorkroomError
from workroom.core.wire import Wire
from workroom.documents.report import Report
from workroom.documents.writer_process import SECONDS, WriterFailed, output_of

log = logging.getLogger(__name__)

CHILD = "workroom.documents.pdf_writer.child"


class PdfFailed(WorkroomError):
    """No PDF could be made of it. Export it in another format instead."""

    code = "pdfFailed"
    status = 422


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


async def pdf_of(document: PdfDocument, seconds: float = SECONDS) -> bytes:
    return await _made("conversation", document, seconds)


async def report_pdf(report: Report, seconds: float = SECONDS) -> bytes:
    return await _made("report", report, seconds)


async def _made(template: str, document: Wire, seconds: float) -> bytes:
    try:
        made = await output_of(CHILD, document.model_dump_json().encode(), template, seconds=seconds)
    except TimeoutError:
        raise PdfFailed("Making the PDF takes too long. Export it in another format instead.") from None
    except WriterFailed as error:
        log.warning("a PDF could not be made", extra={"cause": str(error)})
        raise PdfFailed("No PDF could be made of it. Export it in another format instead.") from None
    assert made.startswith(b"%PDF")
    return made
