"""Puts pieces onto slides, one below the other; what does not fit goes onto a following slide with the same title and '(2)'."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workroom.documents.errors import DocumentTooLarge
from workroom.documents.writers.pptx.look import Look
from workroom.documents.writers.pptx.pieces import (
    CODE_MARGIN,
    CODE_SIZE,
    NOTE_SIZE,
    Code,
    CodeFrame,
    Figure,
    NewSlide,
    Paragraph,
    PictureFrame,
    Piece,
    SlideBox,
    SlideContent,
    SlideTextFrame,
    SpeakerNotes,
    Table,
    TableFrame,
)
from workroom.documents.writers.pptx.runs import Footnotes, Runs
from workroom.documents.writers.pptx.tables import Rows, parts_of
from workroom.documents.writers.pptx.text_measures import (
    LEADING,
    MONOSPACE,
    height_of,
    line_starts,
    lines_before_cut,
    lines_of,
)

MOST_SLIDES = 500
GAP = 14.0  # between frames
MOST_FOR_NOTES = 0.35  # of a slide; longer footnotes become text
COLUMN = 0.48  # of the width, where a picture stands beside text
LEAST_PICTURE = 150.0


class SlideFlow:
    def __init__(self, look: Look, footnotes: Footnotes) -> None:
        self.slides: list[SlideContent] = []
        self._look, self._footnotes = look, footnotes
        self._body = look.body
        self._title: Runs = ()
        self._shown = 0  # slides with this title
        self._slide: SlideContent | None = None
        self._y = self._body.top
        self._tables = 0

    def begin(self, title: Runs) -> None:
        """What follows stands on slides with this title."""
        self._title, self._shown, self._slide = title, 0, None

    def add_slide(self, slide: SlideContent) -> None:
        """One that says all itself, such as a title slide."""
        self._append(replace(slide, title_size=self._look.title_size(slide.kind, slide.title)))
        self._slide = None

    def add(self, pieces: Sequence[Piece]) -> None:
        """All that stands below one heading."""
        left = list(reversed(pieces))
        while left:
            piece = left.pop()
            if isinstance(piece, Figure) and not self._has_frames() and (count := self._texts_beside(piece, left)):
                left[-count:] = [piece, *left[-count:]]
                piece = left.pop()
            self._add(piece)
        if self._shown == 0 and self._title:
            self._open()

    def _add(self, piece: Piece) -> None:
        match piece:
            case Paragraph():
                self._add_paragraph(piece)
            case Code():
                self._add_code(piece)
            case Table():
                self._add_table(piece)
            case Figure():
                self._add_figure(piece)
            case NewSlide():
                if self._has_frames():
                    self._slide = None
            case SpeakerNotes():
                self._open().speaker_notes.append(piece.text)

    def _open(self) -> SlideContent:
        """The slide that is being filled."""
        if self._slide is not None:
            return self._slide
        self._shown += 1
        again = f" ({self._shown})" if self._shown > 1 and self._title else ""
        title, rest = self._look.fitting_title(self._title, again)
        slide = SlideContent("content", title, self._look.title_size("content", title))
        self._append(slide)
        self._slide, self._y = slide, self._body.top
        if rest and self._shown == 1:
            self._add_paragraph(Paragraph(rest, self._look.size, kind="heading"))
            return self._open()
        return slide

    def _append(self, slide: SlideContent) -> None:
        if len(self.slides) == MOST_SLIDES:
            raise DocumentTooLarge(
                f"The text makes more than {MOST_SLIDES} slides. Make a document (.docx) or a workbook (.xlsx)"
                " of it, or shorten it."
            )
        self.slides.append(slide)

    def _has_frames(self) -> bool:
        return self._slide is not None and bool(self._slide.frames)

    def _new_slide(self) -> None:
        self._slide = None
        self._open()

    def _left(self) -> float:
        return self._body.bottom - self._notes_height(self._open().footnotes) - self._y

    def _notes_height(self, numbers: Sequence[int]) -> float:
        lines = sum(lines_of(self._footnotes.note(number), self._body.width, NOTE_SIZE) for number in numbers)
        return height_of(lines, NOTE_SIZE) + 8 if lines else 0.0

    def _add_paragraph(self, paragraph: Paragraph) -> None:
        self._open()
        late = self._note(paragraph.notes())
        pending: Paragraph | None = paragraph
        while pending is not None:
            pending = self._placed(pending)
        for number in late:
            self._add_paragraph(Paragraph(self._footnotes.note(number), self._look.smaller, kind="note"))

    def _note(self, numbers: Sequence[int]) -> Sequence[int]:
        """Puts footnotes at the foot of this slide, or of the next; returns those that need too much room there."""
        height = self._notes_height(numbers)
        if height > self._body.height * MOST_FOR_NOTES:
            return numbers
        if not numbers:
            return ()
        slide = self._open()
        above = self._notes_height([*slide.footnotes, *numbers])
        if self._has_frames() and self._y + above + 3 * self._look.size * LEADING > self._body.bottom:
            self._new_slide()
        self._open().footnotes += numbers
        return ()

    def _placed(self, paragraph: Paragraph) -> Paragraph | None:
        """Puts it onto the slide, or its beginning, and returns the rest."""
        needed = paragraph.height(self._body.width)
        keep = 2.5 * self._look.size * LEADING if paragraph.kind in ("heading", "caption") else 0.0
        left = self._left()
        if needed + keep <= left or (needed <= left and not self._has_frames()):
            self._put(paragraph, needed)
            return None
        starts = paragraph.starts(self._body.width)
        fitting = int((left - paragraph.before) // height_of(1, paragraph.size))
        if self._has_frames() and (fitting < 3 or len(starts) - fitting < 2 or len(starts) <= 5 or keep):
            self._new_slide()
            return paragraph
        fitting = max(fitting, 1)
        if fitting >= len(starts):
            self._put(paragraph, needed)
            return None
        first, rest = paragraph.cut(starts[lines_before_cut(paragraph.runs, starts, fitting)])
        self._put(first, first.height(self._body.width))
        self._new_slide()
        return rest if rest.runs else None

    def _put(self, paragraph: Paragraph, height: float) -> None:
        slide = self._open()
        last = slide.frames[-1] if slide.frames else None
        if isinstance(last, SlideTextFrame):
            last.paragraphs.append(paragraph)
            last.box = replace(last.box, height=last.box.height + height)
        else:
            top = self._y + (GAP if slide.frames else 0.0)
            self._y = top
            slide.frames.append(SlideTextFrame(SlideBox(self._body.left, top, self._body.width, height), [paragraph]))
        self._y += height

    def _add_code(self, code: Code) -> None:
        width = self._body.width - 2 * CODE_MARGIN
        starts = line_starts(code.text, width, CODE_SIZE, MONOSPACE)
        lines = [code.text[begin:end] for begin, end in zip(starts, [*starts[1:], None], strict=True)]
        while lines:
            self._open()
            gap = GAP if self._has_frames() else 0.0
            room = self._left() - gap - 2 * CODE_MARGIN
            fitting = int(room // height_of(1, CODE_SIZE))
            if self._has_frames() and fitting < min(len(lines), 4):
                self._new_slide()
                continue
            fitting = max(fitting, 1)
            text = "".join(lines[:fitting]).rstrip("\n")
            height = height_of(min(fitting, len(lines)), CODE_SIZE) + 2 * CODE_MARGIN
            self._frame(CodeFrame(SlideBox(self._body.left, self._y + gap, self._body.width, height), text))
            del lines[:fitting]

    def _frame(self, frame: CodeFrame | TableFrame | PictureFrame) -> None:
        self._open().frames.append(frame)
        self._y = frame.box.bottom

    def _add_table(self, table: Table) -> None:
        self._tables += 1
        for part in parts_of(table, self._body.width):
            rows = Rows(part, self._body.width, self._look.table_size, self._body.height)
            caption = Paragraph(part.caption, self._look.smaller, kind="caption") if part.caption else None
            above = caption.height(self._body.width) if caption else 0.0
            self._open()
            room = self._left() - 2 * GAP - above
            is_squeezed = rows.height > room and self._left() < 0.4 * self._body.height
            if self._has_frames() and (rows.least > room or is_squeezed):
                self._new_slide()
            if caption:
                self._add_paragraph(caption)
            self._add_rows(rows, self._tables)

    def _add_rows(self, rows: Rows, number: int) -> None:
        late: list[int] = []
        while True:
            slide = self._open()
            gap = GAP / 2 if self._has_frames() else 0.0
            room = self._left() - gap
            count = rows.fitting(room)
            notes = rows.notes(count)
            noted = self._notes_height([*slide.footnotes, *notes]) - self._notes_height(slide.footnotes)
            is_noted = bool(notes) and noted <= self._body.height * MOST_FOR_NOTES
            count = rows.fitting(room - noted) if is_noted else count
            if count == 0 and rows.left and self._has_frames():
                self._new_slide()
                continue
            count, is_noted = (count, is_noted) if count else (min(1, rows.left), False)
            notes = rows.notes(count)
            slide.footnotes += notes if is_noted else []
            late += [] if is_noted else notes
            self._frame(rows.taken(count, SlideBox(self._body.left, self._y + gap, self._body.width, 0), number))
            if not rows.left:
                break
            self._new_slide()
        for note in late:
            self._add_paragraph(Paragraph(self._footnotes.note(note), self._look.smaller, kind="note"))

    def _add_figure(self, figure: Figure) -> None:
        """Below the text, or beside it, where it is larger; otherwise on a slide of its own."""
        self._open()
        caption = self._caption(figure)
        gap = GAP if self._has_frames() else 0.0
        said = _height(caption, self._body.width)
        below = figure.picture.within(self._body.width, max(self._left() - gap - said, 1.0))
        beside = self._size_beside(figure)
        if beside is not None and beside[0] > below[0]:
            self._put_beside(figure, beside)
            return
        wanted = figure.picture.within(self._body.width, self._body.height - said)
        if self._has_frames() and below[1] < min(wanted[1], LEAST_PICTURE):
            self._new_slide()
            self._add_figure(figure)
            return
        left = self._body.left
        self._frame(PictureFrame(SlideBox(left, self._y + gap, *below), figure.picture, figure.words))
        if caption:
            self._open().frames.append(_below(SlideBox(left, self._y, self._body.width, said), caption))
            self._y += said

    def _caption(self, figure: Figure) -> list[Paragraph]:
        return [Paragraph(figure.caption, self._look.smaller, kind="caption")] if figure.caption else []

    def _size_beside(self, figure: Figure) -> tuple[float, float] | None:
        """None: there is no text on the slide that it could stand beside."""
        frames = self._open().frames
        if len(frames) != 1 or not isinstance(frames[0], SlideTextFrame):
            return None
        column = self._body.width * COLUMN
        room = self._body.height - self._notes_height(self._open().footnotes)
        if _height(frames[0].paragraphs, column) > room:
            return None
        return figure.picture.within(column, room - _height(self._caption(figure), column))

    def _put_beside(self, figure: Figure, size: tuple[float, float]) -> None:
        slide = self._open()
        column = self._body.width * COLUMN
        text = slide.frames[0]
        assert isinstance(text, SlideTextFrame)
        text.box = SlideBox(self._body.left, self._body.top, column, _height(text.paragraphs, column))
        left = self._body.left + self._body.width - column
        box = SlideBox(left, self._body.top, *size)
        slide.frames.append(PictureFrame(box, figure.picture, figure.words))
        if caption := self._caption(figure):
            slide.frames.append(_below(SlideBox(left, box.bottom, column, _height(caption, column)), caption))
        self._slide = None  # it is full

    def _texts_beside(self, figure: Figure, following: Sequence[Piece]) -> int:
        """How many of the paragraphs after a picture, which come last first, can stand beside it."""
        if figure.picture.within(self._body.width, self._body.height)[1] < self._body.height / 2:
            return 0
        column = self._body.width * COLUMN
        texts: list[Paragraph] = []
        for piece in reversed(following):
            if not isinstance(piece, Paragraph):
                break
            texts.append(piece)
        fits = texts and _height(texts, column) < self._body.height * 0.9 and not any(one.notes() for one in texts)
        return len(texts) if fits else 0


def _below(box: SlideBox, caption: list[Paragraph]) -> SlideTextFrame:
    """The first paragraph of a frame has no room above it of its own."""
    above = caption[0].before
    return SlideTextFrame(SlideBox(box.left, box.top + above, box.width, box.height - above), caption)


def _height(paragraphs: Sequence[Paragraph], width: float) -> float:
    return sum(paragraph.height(width) for paragraph in paragraphs)
