"""Markdown of a report: its title, what stands below it, and the texts as they are."""

from __future__ import annotations

from pathlib import Path

from workroom.core.markdown_headings import heading_line, moved_headings
from workroom.documents.errors import UnsupportedDocument
from workroom.documents.writers.report import Report

MEMORY_MB = 512


def written(document: bytes, scratch: Path) -> bytes:
    return markdown_of(Report.model_validate_json(document)).encode("utf-8", "ignore")


def markdown_of(report: Report) -> str:
    if report.template:
        raise UnsupportedDocument("Markdown takes no template. Leave it out, or make a Word document.")
    parts = [heading_line(1, report.title) if report.title else "", "  \n".join(report.lines)]
    for section in report.sections:
        level = 1 if report.title else 0
        parts += [heading_line(level + 1, section.title) if section.title else "", section.note]
        parts.append(moved_headings(section.markdown, level + 1) if level else section.markdown)
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"
