"""A report as a value: a title page and sections of Markdown. Writers make a PDF or a DOCX of it."""

from __future__ import annotations

from collections.abc import Sequence

from workroom.core.wire import Wire


class ReportSection(Wire):
    """`note` stands below the title in small letters. A section whose text brings its own title has none."""

    title: str
    note: str
    markdown: str


class Report(Wire):
    """`lines` stand below the title on the title page; `language` is that of its texts."""

    title: str
    lines: Sequence[str]
    language: str
    sections: Sequence[ReportSection]
