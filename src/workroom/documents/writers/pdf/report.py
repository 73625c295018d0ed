"""PDF of reports."""

from __future__ import annotations

from pathlib import Path

from workroom.documents.errors import UnsupportedDocument
from workroom.documents.writers.pdf.typst_document import TYPST_MB, typeset
from workroom.documents.writers.report import Report

MEMORY_MB = TYPST_MB


def written(document: bytes, scratch: Path) -> bytes:
    report = Report.model_validate_json(document)
    if report.template:
        raise UnsupportedDocument("A PDF takes no template. Make a Word document with it, and save that as PDF.")
    return typeset("report", report.model_dump(mode="json", exclude={"pictures", "template"}), report.pictures, scratch)
