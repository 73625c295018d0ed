"""Makes a DOCX of a report, in a child process and within a minute."""

from __future__ import annotations

import logging

from workroom.core.errors import WorkroomError
from workroom.documents.report import Report
from workroom.documents.writer_process import SECONDS, WriterFailed, output_of

log = logging.getLogger(__name__)

CHILD = "workroom.documents.docx_writer.child"
MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


class DocxFailed(WorkroomError):
    """No Word document could be made of it. Export it in another format instead."""

    code = "docxFailed"
    status = 422


async def report_docx(report: Report, seconds: float = SECONDS) -> bytes:
    try:
        return await output_of(CHILD, report.model_dump_json().encode(), seconds=seconds)
    except TimeoutError:
        raise DocxFailed("Making the Word document takes too long. Export it in another format instead.") from None
    except WriterFailed as error:
        log.warning("a DOCX could not be made", extra={"cause": str(error)})
        raise DocxFailed("No Word document could be made of it. Export it in another format instead.") from None
