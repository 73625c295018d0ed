"""What a writer makes a document of: a title page and sections of Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from pydantic import ConfigDict

from workroom.core.wire import Wire


class DocumentFormat(StrEnum):
    DOCX = "docx"
    PDF = "pdf"
    PPTX = "pptx"
    XLSX = "xlsx"
    CSV = "csv"
    HTML = "html"
    MARKDOWN = "md"


MEDIA_TYPES: Mapping[DocumentFormat, str] = {
    DocumentFormat.DOCX: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    DocumentFormat.PDF: "application/pdf",
    DocumentFormat.PPTX: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    DocumentFormat.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    DocumentFormat.CSV: "text/csv",
    DocumentFormat.HTML: "text/html",
    DocumentFormat.MARKDOWN: "text/markdown",
}


class ReportSection(Wire):
    """Begins on a new page. `note` stands below the title in small letters. A section whose text brings its own title has
    none."""

    title: str
    note: str
    markdown: str


class Report(Wire):
    """`lines` stand below the title; `language` is that of the texts. `pictures`: the files that the texts name, by the address
    they name them by; one that is not there is said in words. `template`: a file of the same format whose look is taken."""

    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")

    title: str
    lines: Sequence[str]
    language: str
    sections: Sequence[ReportSection]
    has_title_page: bool = True
    pictures: Mapping[str, bytes] = {}
    template: bytes | None = None
