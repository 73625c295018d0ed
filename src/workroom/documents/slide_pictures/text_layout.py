"""Lines of text in a box: broken where they become too long, set from the left, the middle or the right, from the top,
the middle or the bottom; made smaller where the box asks for that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from workroom.documents.slide_pictures.canvas import attributes, number, words
from workroom.documents.slide_pictures.colours import BLACK, Colour
from workroom.documents.slide_pictures.places import ShapePlace
from workroom.documents.slide_pictures.widths import width_of

_LINE = 1.2  # height of a line in sizes of its letters
_ASCENT = 0.95
_MOST_LINES = 2_000  # of one box
_SMALLEST = 0.25
_NARROWEST = 8.0  # points: in less, not even a letter has room
_STEP = 0.9
_LONG = 0.5  # of the room there is: texts with such lines are set to exactly the widths that were guessed
_WORD = re.compile(
    r"\n|[ \t]+|[\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]|[^\s\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]+|\s"
)
_SAFE_FONT = re.compile(r"[^\w \-]")


@dataclass(frozen=True)
class SlideRun:
    text: str
    size: float = 18.0  # points
    bold: bool = False
    italic: bool = False
    underlined: bool = False
    struck: bool = False
    raised: float = 0.0  # in sizes: superscript above 0, subscript below
    colour: Colour = BLACK
    font: str = ""

    @property
    def shown(self) -> float:
        return self.size * (0.66 if self.raised else 1.0)

    def width(self, text: str) -> float:
        return width_of(text, self.shown, self.font, self.bold)


@dataclass(frozen=True)
class SlideParagraph:
    runs: Sequence[SlideRun]
    align: str = "l"  # l, ctr, r, just
    left: float = 0.0  # where its lines begin
    indent: float = 0.0  # how much further the first one begins; negative for list items
    bullet: SlideRun | None = None
    before: float = 0.0  # points above and below
    after: float = 0.0
    spacing: float = 1.0  # lines; negative: exactly so many points
    size: float = 18.0  # of an empty one


@dataclass(frozen=True)
class TextFrame:
    """How text stands in its box; the insets are already taken off."""

    anchor: str = "t"  # t, ctr, b
    wraps: bool = True
    shrinks: bool = False
    scale: float = 1.0
    lines_scale: float = 1.0


@dataclass
class _Line:
    paragraph: SlideParagraph
    start: float  # from the left of the box
    pieces: list[SlideRun] = field(default_factory=list)
    bullet: SlideRun | None = None
    above: float = 0.0  # what separates paragraphs
    below: float = 0.0

    @property
    def width(self) -> float:
        return sum(piece.width(piece.text) for piece in self.pieces)

    @property
    def height(self) -> float:
        if self.paragraph.spacing < 0:
            return -self.paragraph.spacing
        return self.size * _LINE * self.paragraph.spacing

    @property
    def size(self) -> float:
        return max((piece.size for piece in self.pieces), default=self.paragraph.size)


def text_height(paragraphs: Sequence[SlideParagraph], width: float) -> float:
    return _height(_lines(paragraphs, width))


def lettering(paragraphs: Sequence[SlideParagraph], place: ShapePlace, frame: TextFrame) -> Iterator[str]:
    """`text` elements, one for each line."""
    wraps = frame.wraps and place.width > _NARROWEST
    width = place.width if wraps else 100_000.0
    scale = frame.scale
    lines = _lines(_scaled(paragraphs, scale, frame.lines_scale), width)
    while frame.shrinks and scale > _SMALLEST and _height(lines) > place.height * 1.02:
        scale *= _STEP
        lines = _lines(_scaled(paragraphs, scale, frame.lines_scale), width)
    spare = place.height - _height(lines)
    y = place.y + {"ctr": spare / 2, "b": spare}.get(frame.anchor, 0.0)
    exact = wraps and any(line.width > _LONG * (place.width - line.start) for line in lines)
    for line in lines:
        y += line.above
        yield from _set(line, place, y + line.height - line.size * (_LINE - _ASCENT), exact)
        y += line.height + line.below


def _height(lines: Sequence[_Line]) -> float:
    return sum(line.above + line.height + line.below for line in lines)


def _scaled(paragraphs: Sequence[SlideParagraph], scale: float, lines_scale: float) -> list[SlideParagraph]:
    return [
        replace(
            each,
            runs=[replace(run, size=run.size * scale) for run in each.runs],
            bullet=replace(each.bullet, size=each.bullet.size * scale) if each.bullet else None,
            before=each.before * scale,
            after=each.after * scale,
            size=each.size * scale,
            spacing=each.spacing * (lines_scale if each.spacing > 0 else scale),
        )
        for each in paragraphs
    ]


def _lines(paragraphs: Sequence[SlideParagraph], width: float) -> list[_Line]:
    found: list[_Line] = []
    for place, paragraph in enumerate(paragraphs):
        lines = _broken(paragraph, width)
        lines[0].above = paragraph.before if place else 0.0
        lines[-1].below = paragraph.after
        found += lines
        if len(found) > _MOST_LINES:
            break
    return found[:_MOST_LINES]


def _broken(paragraph: SlideParagraph, width: float) -> list[_Line]:
    hanging = paragraph.bullet is not None
    line = _Line(paragraph, paragraph.left + (0.0 if hanging else paragraph.indent), bullet=paragraph.bullet)
    lines, used = [line], line.start
    for run, word in _words(paragraph.runs, max(1.0, width - paragraph.left)):
        wide = run.width(word)
        is_space = word.isspace() and word != "\n"
        if word == "\n" or (used + wide > width and not is_space and line.pieces):
            line = _Line(paragraph, paragraph.left)
            lines.append(line)
            used = line.start
        if word != "\n":
            _put(line, run, word.replace("\t", "    "))
            used += wide
        if len(lines) > _MOST_LINES:
            break
    for each in lines:
        _trim(each)
    return lines


def _words(runs: Sequence[SlideRun], widest: float) -> Iterator[tuple[SlideRun, str]]:
    """Words that are longer than a line come in parts."""
    for run in runs:
        for word in _WORD.findall(run.text):
            wide = run.width(word)
            parts = int(wide / widest) + 1 if wide > widest and not word.isspace() else 1
            step = max(1, len(word) // parts)
            for start in range(0, len(word), step):
                yield run, word[start : start + step]


def _put(line: _Line, run: SlideRun, word: str) -> None:
    last = line.pieces[-1] if line.pieces else None
    if last is not None and replace(last, text="") == replace(run, text=""):
        line.pieces[-1] = replace(last, text=last.text + word)
    else:
        line.pieces.append(replace(run, text=word))


def _trim(line: _Line) -> None:
    """Spaces at the end of a line are not seen, and would move text that is set from the right."""
    while line.pieces and not (kept := line.pieces[-1].text.rstrip()):
        line.pieces.pop()
    if line.pieces:
        line.pieces[-1] = replace(line.pieces[-1], text=kept)


def _set(line: _Line, place: ShapePlace, y: float, exact: bool) -> Iterator[str]:
    if line.bullet is not None and line.pieces:
        x = place.x + line.paragraph.left + line.paragraph.indent
        yield f"<text{attributes(x=x, y=y)}{_look(line.bullet)}>{words(line.bullet.text)}</text>"
    if not line.pieces:
        return
    anchor, x = "start", place.x + line.start
    if line.paragraph.align == "ctr":
        anchor, x = "middle", place.x + (line.start + place.width) / 2
    elif line.paragraph.align == "r":
        anchor, x = "end", place.x + place.width
    about = attributes(
        x=x,
        y=y,
        text_anchor=anchor if anchor != "start" else None,
        textLength=line.width if exact else None,
        lengthAdjust="spacingAndGlyphs" if exact else None,
    )
    inside = "".join(f"<tspan{_look(piece)}>{words(piece.text)}</tspan>" for piece in line.pieces)
    yield f"<text{about}>{inside}</text>"


def _look(run: SlideRun) -> str:
    decoration = " ".join(word for word, on in (("underline", run.underlined), ("line-through", run.struck)) if on)
    font = _SAFE_FONT.sub("", run.font).strip()[:60]
    family = f"'{font}', " if font else ""
    fallback = (
        "Georgia, serif" if any(name in font.casefold() for name in ("times", "georgia", "garamond", "cambria")) else ""
    )
    return attributes(
        font_family=f"{family}{fallback or 'Carlito, Arial, Helvetica, sans-serif'}",
        font_size=run.shown,
        font_weight="bold" if run.bold else None,
        font_style="italic" if run.italic else None,
        text_decoration=decoration or None,
        baseline_shift=f"{number(run.raised * 100)}%" if run.raised else None,
        fill=run.colour.hex,
        fill_opacity=run.colour.opacity,
    )
