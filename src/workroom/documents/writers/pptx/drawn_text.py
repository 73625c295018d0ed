"""Paragraphs and runs as DrawingML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from workroom.documents.writers.pptx.look import EMU, Look
from workroom.documents.writers.pptx.pieces import INDENT, NOTE_SIZE, Paragraph
from workroom.documents.writers.pptx.runs import TextRun
from workroom.documents.writers.pptx.text_measures import MONOSPACE
from workroom.documents.writers.pptx.xml import R, a
from workroom.documents.writers.words import LOCALES

BULLETS = ("•", "–", "▪")
NUMBERS = range(1, 32_768)  # that a program counts itself
ALIGNED: Mapping[str, str] = {"left": "l", "center": "ctr", "right": "r"}
HYPERLINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink"


class TextDrawing:
    """Writes for one part of the file, whose relations links are."""

    def __init__(self, part: Any, look: Look, language: str) -> None:
        self._part, self._look = part, look
        self._locale = LOCALES.get(language, "en-GB")

    def body(self, paragraphs: Sequence[Paragraph], *, is_placeholder: bool = False) -> list[Any]:
        """Numbered items count on, also where others stand between them."""
        drawn = []
        for at, paragraph in enumerate(paragraphs):
            start = _start(paragraphs, at)
            drawn.append(self._paragraph(paragraph, start, is_first=at == 0, is_placeholder=is_placeholder))
        return drawn

    def line(self, runs: Sequence[TextRun], *, size: float = 0.0, align: str = "", is_rtl: bool = False) -> Any:
        look = a("pPr", algn=ALIGNED.get(align) or ("r" if is_rtl else None), rtl="1" if is_rtl else None)
        return a("p", look, *self.runs(runs, size))

    def runs(self, runs: Sequence[TextRun], size: float = 0.0, colour: Any = None) -> list[Any]:
        drawn = []
        for run in runs:
            for at, text in enumerate(run.text.split("\n")):
                if at:
                    drawn.append(a("br", self._look_of(TextRun(""), size, None)))
                if text:
                    words = a("t")
                    words.text = text.replace("\t", "    ")
                    drawn.append(a("r", self._look_of(run, size, colour), words))
        return drawn

    def footnotes(self, notes: Sequence[Sequence[TextRun]]) -> list[Any]:
        drawn = []
        for number, *note in notes:
            mark = TextRun(number.text.strip(), note=1)
            drawn.append(a("p", *self.runs([mark, TextRun(" "), *note], NOTE_SIZE, muted())))
        return drawn

    def _paragraph(self, paragraph: Paragraph, start: int, *, is_first: bool, is_placeholder: bool) -> Any:
        mark, runs = paragraph.mark, list(paragraph.runs)
        sign = []
        if mark is None:
            sign = [a("buNone")]
        elif mark.number is not None and mark.number in NUMBERS and start in NUMBERS:
            sign = [a("buFont", typeface="+mj-lt"), a("buAutoNum", type="arabicPeriod", startAt=start)]
        elif mark.number is not None:
            sign, runs = [a("buNone")], [TextRun(f"{mark.number}. "), *runs]
        elif not (is_placeholder and self._look.has_bullets):
            sign = [a("buFont", typeface="Arial"), a("buChar", char=BULLETS[(paragraph.indent - 1) % len(BULLETS)])]
        before = a("spcBef", a("spcPts", val=0 if is_first else round(paragraph.before * 100)))
        indent = round(INDENT * EMU)
        look = a(
            "pPr",
            before,
            *sign,
            marL=indent * paragraph.indent,
            indent=-indent if mark else 0,
            lvl=min(max(paragraph.indent - 1, 0), 8) or None if mark else None,
            algn="r" if paragraph.is_rtl else None,
            rtl="1" if paragraph.is_rtl else None,
        )
        colour = muted() if paragraph.kind in ("caption", "note", "quote") else None
        return a("p", look, *self.runs(runs, paragraph.size, colour))

    def _look_of(self, run: TextRun, size: float, colour: Any) -> Any:
        link = a("hlinkClick") if run.href else None
        if link is not None:
            link.set(f"{{{R}}}id", self._part.relate_to(run.href, HYPERLINK, is_external=True))
        fonts = [a(kind, typeface=MONOSPACE) for kind in ("latin", "cs")] if run.code else []
        return a(
            "rPr",
            _copy(colour),
            *fonts,
            link,
            lang=self._locale,
            sz=round(size * 100) or None,
            b="1" if run.bold else None,
            i="1" if run.italic else None,
            strike="sngStrike" if run.struck else None,
            baseline="30000" if run.note else None,
            dirty="0",
        )


def muted() -> Any:
    """The colour of what is less important than the text."""
    return a("solidFill", a("schemeClr", a("lumMod", val=65_000), a("lumOff", val=35_000), val="tx1"))


def _copy(element: Any) -> Any:
    return None if element is None else deepcopy(element)


def _start(paragraphs: Sequence[Paragraph], at: int) -> int:
    """The number that the run of items begins with, which this one belongs to."""
    mark = paragraphs[at].mark
    if mark is None or mark.number is None:
        return 0
    start = mark.number
    for earlier in reversed(paragraphs[:at]):
        if earlier.mark is not None and earlier.mark.list_id == mark.list_id:
            start = earlier.mark.number or start
        elif earlier.indent <= paragraphs[at].indent:
            break
    return start
