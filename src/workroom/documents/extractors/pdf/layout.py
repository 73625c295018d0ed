"""Reading order of a page: column by column, from the top down.

PDF keeps text in the order in which it was drawn. That is the reading order of most documents, columns included, and is
kept unless it goes back up within a column; then white space decides: the page is cut along its gutters and gaps until
nothing is left to cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from workroom.documents.extractors.pdf.direction import is_right_to_left
from workroom.documents.extractors.pdf.geometry import Box, around
from workroom.documents.extractors.pdf.words import PdfLine, PdfPageText, PdfWord, WordRun

_WIDE_GAP = 1.0  # times the size of the letters: more than most spaces, even in justified text
_GUTTER = 8.0  # points between columns
_COLUMN_LINES = 4  # fewer lines side by side are not two columns
_DEPTH = 12


@dataclass(slots=True)
class TextSegment:
    """Words next to each other on one line."""

    text: str
    box: Box
    size: float
    bold: bool
    line: int  # the line it comes from, in the order of drawing
    run: WordRun
    page: PdfPageText
    linked: list[tuple[str, str]] = field(default_factory=list)  # its words and where they lead, if any does

    @property
    def words(self) -> list[PdfWord]:
        """Each with its place; while the page is open."""
        return self.page.words(self.run, self.size)


@dataclass(slots=True)
class PdfParagraph:
    pieces: list[TextSegment] = field(default_factory=list)

    @property
    def box(self) -> Box:
        return around(piece.box for piece in self.pieces)

    @property
    def text(self) -> str:
        rows: list[list[str]] = []
        for before, piece in zip([None, *self.pieces], self.pieces, strict=False):
            if before is not None and same_row(before.box, piece.box):
                rows[-1].append(piece.text)
            else:
                rows.append([piece.text])
        return "\n".join(" ".join(row) for row in rows)

    @property
    def size(self) -> float:
        return self.pieces[0].size

    @property
    def bold(self) -> bool:
        return all(piece.bold for piece in self.pieces)


def segments_of(text: PdfPageText) -> tuple[list[TextSegment], list[PdfLine]]:
    """Upright text in pieces, and the lines that are written in other directions."""
    pieces: list[TextSegment] = []
    turned: list[PdfLine] = []
    for number, line in enumerate(text.lines()):
        if not line.upright:
            turned.append(line)
            continue
        pieces += [
            TextSegment(text.text_of_run(run), run.box, line.size, line.bold, number, run, text)
            for run in text.runs(line, _WIDE_GAP * max(line.size, 4.0))
        ]
    return pieces, turned


def in_reading_order(pieces: Sequence[TextSegment]) -> list[TextSegment]:
    if not _goes_back(pieces) and not _changes_sides(pieces):
        return list(pieces)
    drawn = {id(piece): position for position, piece in enumerate(pieces)}
    ordered: list[TextSegment] = []
    for part in _cut(sorted(pieces, key=_from_the_top), _DEPTH):
        as_drawn = sorted(part, key=lambda piece: drawn[id(piece)])
        ordered += part if _goes_back(as_drawn, never=True) else as_drawn
    return ordered


def paragraphs(pieces: Sequence[TextSegment]) -> list[PdfParagraph]:
    result: list[PdfParagraph] = []
    for piece in pieces:
        if result and _belongs(result[-1].pieces[-1], piece):
            result[-1].pieces.append(piece)
        else:
            result.append(PdfParagraph([piece]))
    return result


def _gap(first: Box, second: Box) -> float:
    """The white space between two places on a line, whichever comes first."""
    return max(second.left - first.right, first.left - second.right)


def same_row(first: Box, second: Box) -> bool:
    common = min(first.bottom, second.bottom) - max(first.top, second.top)
    return common > 0.5 * min(first.height, second.height)


def _belongs(above: TextSegment, below: TextSegment) -> bool:
    if same_row(above.box, below.box):
        return above.line == below.line or -above.size <= below.box.left - above.box.right < 2 * above.size
    height = max(above.box.height, below.box.height, 1.0)
    near = -0.3 * height < below.box.top - above.box.bottom < 0.75 * height
    side_by_side = below.box.left > above.box.right or above.box.left > below.box.right
    alike = abs(above.size - below.size) < 0.12 * max(above.size, below.size) and above.bold == below.bold
    return near and not side_by_side and alike


def _goes_back(pieces: Sequence[TextSegment], *, never: bool = False) -> bool:
    """Whether the order of drawing jumps up to something that stands above and in line with what was already read; once
    or twice on a page is a header or a note in the margin."""
    jumps = 0
    for before, piece in pairwise(pieces):
        rises = piece.box.bottom < before.box.top - 0.3 * before.size
        common = min(before.box.right, piece.box.right) - max(before.box.left, piece.box.left)
        if rises and common > 0.3 * min(before.box.width, piece.box.width):
            jumps += 1
    return jumps > (0 if never else max(2, 0.04 * len(pieces)))


def _changes_sides(pieces: Sequence[TextSegment]) -> bool:
    """Whether columns may have been drawn row by row: many lines go on at the far side of a wide gap."""
    across = sum(
        same_row(before.box, piece.box) and _gap(before.box, piece.box) > _GUTTER for before, piece in pairwise(pieces)
    )
    return across >= _COLUMN_LINES and across > 0.2 * len(pieces)


def _from_the_top(piece: TextSegment) -> tuple[float, float]:
    return piece.box.top, piece.box.left


def _cut(pieces: list[TextSegment], depth: int) -> list[list[TextSegment]]:
    """Parts that cannot be cut further, in reading order."""
    if depth == 0 or len(pieces) < 3:
        return [pieces]
    parts = _columns(pieces) or _bands(pieces)
    if len(parts) < 2:
        return [pieces]
    return [inner for part in parts for inner in _cut(part, depth - 1)]


def _columns(pieces: list[TextSegment]) -> list[list[TextSegment]] | None:
    """Left and right of the widest gutter, if both sides are columns of text and not of a table."""
    by_left = sorted(pieces, key=lambda piece: piece.box.left)
    best, cut_at, reach = _GUTTER, None, by_left[0].box.right
    for piece in by_left[1:]:
        if piece.box.left - reach > best:
            best, cut_at = piece.box.left - reach, (piece.box.left + reach) / 2
        reach = max(reach, piece.box.right)
    if cut_at is None:
        return None
    left = [piece for piece in pieces if piece.box.right <= cut_at]
    right = [piece for piece in pieces if piece.box.left >= cut_at]
    if not _is_column(left) or not _is_column(right):
        return None
    from_right = is_right_to_left(" ".join(piece.text for piece in pieces))
    return [right, left] if from_right else [left, right]


def _is_column(pieces: Sequence[TextSegment]) -> bool:
    return len(pieces) >= _COLUMN_LINES and sum(len(piece.text.split()) for piece in pieces) >= 3 * len(pieces)


def _bands(pieces: list[TextSegment]) -> list[list[TextSegment]]:
    """Cut at the widest empty stripe across the page."""
    best, cut_at, reach = 0.0, 0, pieces[0].box.bottom
    for index, piece in enumerate(pieces[1:], start=1):
        if piece.box.top - reach > best:
            best, cut_at = piece.box.top - reach, index
        reach = max(reach, piece.box.bottom)
    return [pieces[:cut_at], pieces[cut_at:]] if cut_at else [pieces]
