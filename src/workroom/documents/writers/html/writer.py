"""Makes a page of a report, with its styles and pictures in it: no script, and nothing that is fetched."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from workroom.documents.errors import UnsupportedDocument
from workroom.documents.writers.html.body import HtmlBody
from workroom.documents.writers.html.elements import Markup, element, text
from workroom.documents.writers.markdown_blocks import printable
from workroom.documents.writers.report import Report
from workroom.documents.writers.words import LOCALES, WORDS

MEMORY_MB = 2_048  # typst draws charts: its fonts are mapped
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


def written(document: bytes, scratch: Path) -> bytes:
    return html_of(Report.model_validate_json(document))


def html_of(report: Report) -> bytes:
    if report.template:
        raise UnsupportedDocument(
            "A web page takes no template. Leave it out, or make a Word document or slides with it."
        )
    body = HtmlBody(report)
    content = body.markup()
    title = printable(report.title).strip() or WORDS[report.language].contents
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", text(title)),
        element("style", _styles()),
    )
    page = element(
        "html",
        head,
        element("body", content),
        lang=LOCALES.get(report.language, "en-GB"),
        dir="rtl" if body.is_right_to_left else "ltr",
    )
    return f"<!doctype html>\n{page}\n".encode()


def _styles() -> Markup:
    return Markup((resources.files(__package__) / "page.css").read_text(encoding="utf-8"))
