"""Slides as the file has them: placeholders of a layout filled, and shapes beside them."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from io import BytesIO
from typing import Any

from workroom.documents.writers.markdown_blocks import is_right_to_left
from workroom.documents.writers.pptx.drawn_tables import drawn_table
from workroom.documents.writers.pptx.drawn_text import TextDrawing
from workroom.documents.writers.pptx.look import EMU, TEXTS, TITLES, Look, kind_of, placeholder
from workroom.documents.writers.pptx.pieces import (
    CODE_MARGIN,
    CODE_SIZE,
    NOTE_SIZE,
    CodeFrame,
    PictureFrame,
    SlideBox,
    SlideContent,
    SlideTextFrame,
    TableFrame,
)
from workroom.documents.writers.pptx.runs import Footnotes, TextRun, words
from workroom.documents.writers.pptx.text_measures import height_of, lines_of
from workroom.documents.writers.pptx.xml import A, P, a, p


class SlideDrawing:
    def __init__(self, presentation: Any, look: Look, footnotes: Footnotes, language: str) -> None:
        self._presentation, self._look, self._footnotes, self._language = presentation, look, footnotes, language

    def draw(self, slide: SlideContent) -> None:
        drawn = self._presentation.slides.add_slide(self._look.layouts[slide.kind])
        text = TextDrawing(drawn.part, self._look, self._language)
        title, body = placeholder(drawn, TITLES), placeholder(drawn, TEXTS)
        self._title(drawn, title, slide, text)
        if slide.kind != "content":
            self._lines(body, slide, text)
        frames = list(slide.frames)
        first = next((frame for frame in frames if isinstance(frame, SlideTextFrame)), None)
        if slide.kind == "content" and body is not None and first is not None:
            _place(body, first.box)
            _fill(body, text.body(first.paragraphs, is_placeholder=True))
            frames.remove(first)
            body = None
        for frame in frames:
            self._frame(drawn, frame, text)
        if slide.footnotes:
            self._notes(drawn, slide.footnotes, text)
        for shape in list(drawn.placeholders):
            if not shape.has_text_frame or not shape.text_frame.text:
                shape._element.getparent().remove(shape._element)  # no program asks to fill it in
        if slide.kind != "title":
            self._number(drawn)
        if slide.speaker_notes:
            drawn.notes_slide.notes_text_frame.text = "\n\n".join(slide.speaker_notes)

    def _title(self, drawn: Any, title: Any, slide: SlideContent, text: TextDrawing) -> None:
        if title is not None:
            _set_paragraphs(
                title, [text.line(slide.title, size=slide.title_size, is_rtl=is_right_to_left(words(slide.title)))]
            )
        elif slide.title:
            box = SlideBox(self._look.body.left, 20, self._look.body.width, 70)
            self._text_box(drawn, box, [text.line(slide.title, size=28)], "Title")

    def _lines(self, body: Any, slide: SlideContent, text: TextDrawing) -> None:
        if body is not None and slide.lines:
            _set_paragraphs(body, [text.line([run]) for run in slide.lines])

    def _frame(self, drawn: Any, frame: Any, text: TextDrawing) -> None:
        match frame:
            case SlideTextFrame():
                self._text_box(drawn, frame.box, text.body(frame.paragraphs), "Text")
            case CodeFrame():
                self._code(drawn, frame)
            case TableFrame():
                drawn_table(drawn, frame, text, self._look.table_size)
            case PictureFrame():
                shape = drawn.shapes.add_picture(BytesIO(frame.picture.data), *_emu(frame.box))
                about = shape._element.find(f".//{{{P}}}cNvPr")
                about.set("descr", frame.words)

    def _text_box(self, drawn: Any, box: SlideBox, paragraphs: Sequence[Any], name: str) -> Any:
        shape = drawn.shapes.add_textbox(*_emu(box))
        shape.name = f"{name} {shape.shape_id}"
        _fill(shape, paragraphs)
        return shape

    def _code(self, drawn: Any, frame: CodeFrame) -> None:
        text = TextDrawing(drawn.part, self._look, self._language)
        lines = [
            text.line([TextRun(line, code=True)] if line else [], size=CODE_SIZE) for line in frame.text.split("\n")
        ]
        shape = self._text_box(drawn, frame.box, lines, "Code")
        inset = str(round(CODE_MARGIN * EMU))
        for side in ("lIns", "tIns", "rIns", "bIns"):
            shape._element.find(f".//{{{A}}}bodyPr").set(side, inset)
        properties = shape._element.find(f"{{{P}}}spPr")
        no_fill = properties.find(f"{{{A}}}noFill")
        properties.replace(no_fill, a("solidFill", a("schemeClr", a("lumMod", val=96_000), val="bg1")))

    def _notes(self, drawn: Any, numbers: Sequence[int], text: TextDrawing) -> None:
        notes = [self._footnotes.note(number) for number in numbers]
        body = self._look.body
        height = height_of(sum(lines_of(note, body.width, NOTE_SIZE) for note in notes), NOTE_SIZE)
        self._text_box(
            drawn, SlideBox(body.left, body.bottom - height, body.width, height), text.footnotes(notes), "Footnotes"
        )

    def _number(self, drawn: Any) -> None:
        found = next((shape for shape in drawn.slide_layout.placeholders if kind_of(shape) == "sldNum"), None)
        if found is None:
            return
        element = deepcopy(found._element)
        about = element.find(f".//{{{P}}}cNvPr")
        about.set("id", str(max(int(one.get("id", 0)) for one in drawn._element.iter(f"{{{P}}}cNvPr")) + 1))
        old = element.find(f"{{{P}}}spPr")
        element.replace(old, p("spPr"))
        body = element.find(f"{{{P}}}txBody")
        words_ = a("t")
        words_.text = str(len(self._presentation.slides))
        field = a("fld", a("rPr", lang="en-GB"), words_, id="{C1FF6DA9-008F-8B48-92A6-B652298478BF}", type="slidenum")
        body[:] = [a("bodyPr"), a("lstStyle"), a("p", field)]
        drawn.shapes._spTree.append(element)


def _fill(shape: Any, paragraphs: Sequence[Any]) -> None:
    """The text exactly where its box is."""
    _set_paragraphs(shape, paragraphs)
    body = shape._element.find(f".//{{{A}}}bodyPr")
    body.attrib.clear()
    body[:] = [a("noAutofit")]
    for name, value in {"wrap": "square", "lIns": "0", "tIns": "0", "rIns": "0", "bIns": "0", "anchor": "t"}.items():
        body.set(name, value)


def _set_paragraphs(shape: Any, paragraphs: Sequence[Any]) -> None:
    body = shape._element.find(f"{{{P}}}txBody")
    for old in body.findall(f"{{{A}}}p"):
        body.remove(old)
    body.extend(paragraphs or [a("p")])


def _place(shape: Any, box: SlideBox) -> None:
    shape.left, shape.top, shape.width, shape.height = _emu(box)


def _emu(box: SlideBox) -> tuple[int, int, int, int]:
    left, top, width, height = (round(side * EMU) for side in (box.left, box.top, box.width, box.height))
    return left, top, max(width, 1), max(height, 1)
