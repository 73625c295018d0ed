"""Makes slides of a report: with the look of a template, or of our own."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from workroom.documents.writers.markdown_blocks import printable
from workroom.documents.writers.pptx.base import base_presentation
from workroom.documents.writers.pptx.drawn_slides import SlideDrawing
from workroom.documents.writers.pptx.flow import SlideFlow
from workroom.documents.writers.pptx.look import Look
from workroom.documents.writers.pptx.outline import SlideOutline, Topic
from workroom.documents.writers.pptx.pieces import NewSlide, SlideContent
from workroom.documents.writers.pptx.runs import Footnotes, TextRun, words
from workroom.documents.writers.pptx.template import opened
from workroom.documents.writers.report import Report
from workroom.documents.writers.words import LOCALES

MEMORY_MB = 2_048  # typst draws charts: its fonts are mapped
MADE_AT = datetime(1980, 1, 1, tzinfo=UTC).replace(tzinfo=None)
LONGEST_TITLE = 250


def written(document: bytes, scratch: Path) -> bytes:
    return pptx_of(Report.model_validate_json(document))


def pptx_of(report: Report) -> bytes:
    presentation = opened(report.template) if report.template else base_presentation()
    look, footnotes = Look(presentation), Footnotes()
    outline = SlideOutline(report, look, footnotes)
    flow = SlideFlow(look, footnotes)
    title = printable(report.title)
    if report.has_title_page and (title or report.lines):
        lines = tuple(TextRun(printable(line)) for line in report.lines)
        flow.add_slide(SlideContent("title", (TextRun(title),) if title else (), lines=lines))
    _fill(flow, outline, outline.topics(), title if report.has_title_page else "", title)
    drawing = SlideDrawing(presentation, look, footnotes, report.language)
    for slide in flow.slides:
        drawing.draw(slide)
    _put_properties(presentation, title, report.language)
    made = io.BytesIO()
    presentation.save(made)
    return made.getvalue()


def _fill(flow: SlideFlow, outline: SlideOutline, topics: Sequence[Topic], shown: str, title: str) -> None:
    """`shown`: the title that has a slide already; the first heading need not say it again."""
    above = (TextRun(title),) if title else ()
    for at, topic in enumerate(topics):
        is_said = at == 0 and topic.level == 1 and words(topic.title).strip() == shown
        if topic.is_section and not is_said:
            flow.add_slide(SlideContent("section", topic.title, lines=topic.lines))
        flow.begin(topic.title if topic.title or topic.level else above)
        first = 0
        for place in topic.contents_at:
            if place > first:
                flow.add(topic.pieces[first:place])
            flow.begin(outline.contents_title)
            flow.add(outline.agenda(topics))
            flow.begin(topic.title)
            first = place + 1
        rest = topic.pieces[first:]
        if (rest and not all(isinstance(one, NewSlide) for one in rest)) or not (topic.is_section or topic.contents_at):
            flow.add(rest)


def _put_properties(presentation: Any, title: str, language: str) -> None:
    properties = presentation.core_properties
    properties.title, properties.language = title[:LONGEST_TITLE], LOCALES.get(language, "en-GB")
    properties.author = properties.last_modified_by = properties.comments = properties.keywords = properties.subject = (
        ""
    )
    properties.created = properties.modified = MADE_AT
    properties.revision = 1
