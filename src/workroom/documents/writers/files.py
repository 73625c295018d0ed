"""Reports as files to take along."""

from __future__ import annotations

from enum import StrEnum

from workroom.core.exported_file import ExportedFile
from workroom.documents.writers.process import SECONDS, made
from workroom.documents.writers.report import MEDIA_TYPES, DocumentFormat, Report


class ReportFormat(StrEnum):
    """Those that companies and projects are exported in."""

    DOCX = "docx"
    PDF = "pdf"


async def document_of(report: Report, format: DocumentFormat, seconds: float = SECONDS) -> bytes:
    """Raises DocumentNotMade, and DocumentError for what is wrong with the report or its template."""
    return await made(format.value, report, seconds)


async def report_file(report: Report, format: ReportFormat, stem: str) -> ExportedFile:
    kind = DocumentFormat(format.value)
    return ExportedFile(f"{stem}.{format}", MEDIA_TYPES[kind], await document_of(report, kind))
