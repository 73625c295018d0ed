"""Reports as files to take along."""

from __future__ import annotations

from enum import StrEnum

from workroom.core.exported_file import ExportedFile
from workroom.documents.docx_writer.docx import MEDIA_TYPE, report_docx
from workroom.documents.pdf_writer.pdf import report_pdf
from workroom.documents.report import Report


class ReportFormat(StrEnum):
    DOCX = "docx"
    PDF = "pdf"


async def report_file(report: Report, format: ReportFormat, stem: str) -> ExportedFile:
    if format is ReportFormat.PDF:
        return ExportedFile(f"{stem}.pdf", "application/pdf", await report_pdf(report))
    return ExportedFile(f"{stem}.docx", MEDIA_TYPE, await report_docx(report))
