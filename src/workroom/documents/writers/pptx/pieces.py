"""What stands on slides. Lengths are points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from workroom.documents.writers.pictures import PlacedPicture
from workroom.documents.writers.pptx.runs import Runs, TextRun, cut, notes_in
from workroom.documents.writers.pptx.text_measures import height_of, starts_of

INDENT = 27.0  # for each level of a list
SMALLEST = 14.0  # no text is written smaller to make it fit
NOTE_SIZE = 11.0
CODE_SIZE = 14.0
CODE_MARGIN = 10.0
DEEPEST = 8


@dataclass(frozen=True)
class SlideBox:
    left: float
    top: float
    width: float
    height: float

    @property
    def bottom(self) -> float:
        return self.top + self.height


@dataclass(frozen=True)
class ListMark:
    """Of an item: a bullet without `number`. `list_id` says which items belong together."""

    list_id: int
    number: int | None


@dataclass(frozen=True)
class Paragraph:
    """`level` in lists from 0; `indent` in levels, of the text. `kind`: text, heading, quote, caption or note."""

    runs: Runs
    size: float
    indent: int = 0
    mark: ListMark | None = None
    is_rtl: bool = False
    kind: str = "text"

    @property
    def before(self) -> float:
        """Room above it, where something stands there."""
        return self.size * (0.85 if self.kind == "heading" else 0.3 if self.mark else 0.5)

    def starts(self, width: float) -> list[int]:
        return starts_of(self.runs, max(width - self.indent * INDENT, 3 * self.size), self.size)

    def height(self, width: float) -> float:
        return self.before + height_of(len(self.starts(width)), self.size)

    def notes(self) -> list[int]:
        return notes_in(self.runs)

    def cut(self, place: int) -> tuple[Paragraph, Paragraph]:
        """The second one continues the first, without a mark of its own."""
        first, rest = cut(self.runs, place)
        return (
            Paragraph(first, self.size, self.indent, self.mark, self.is_rtl, self.kind),
            Paragraph(rest, self.size, self.indent, None, self.is_rtl, self.kind),
        )


@dataclass(frozen=True)
class Code:
    text: str


@dataclass(frozen=True)
class Table:
    """The first row is the head."""

    caption: Runs
    align: Sequence[str]
    rows: Sequence[Sequence[Runs]]


@dataclass(frozen=True)
class Figure:
    picture: PlacedPicture
    words: str
    caption: Runs


@dataclass(frozen=True)
class SpeakerNotes:
    text: str


@dataclass(frozen=True)
class NewSlide:
    """What follows stands on another slide."""


Piece = Paragraph | Code | Table | Figure | SpeakerNotes | NewSlide


@dataclass
class SlideTextFrame:
    box: SlideBox
    paragraphs: list[Paragraph]


@dataclass
class CodeFrame:
    box: SlideBox
    text: str


@dataclass
class TableFrame:
    box: SlideBox
    table: Table
    widths: Sequence[float]
    heights: Sequence[float]
    number: int


@dataclass
class PictureFrame:
    box: SlideBox
    picture: PlacedPicture
    words: str


Frame = SlideTextFrame | CodeFrame | TableFrame | PictureFrame


@dataclass
class SlideContent:
    """`kind`: title, section or content. `lines` stand below the title of a title or section slide."""

    kind: str
    title: Runs
    title_size: float = 0.0
    lines: Sequence[TextRun] = ()
    frames: list[Frame] = field(default_factory=list)
    footnotes: list[int] = field(default_factory=list)
    speaker_notes: list[str] = field(default_factory=list)
