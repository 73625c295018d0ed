"""Detects headings by font size, weight and numbering, where a document does not mark them.

Lines are passed one after the other, and only candidates are kept. The font of the body text is known only at the end, and so are
page headers, which repeat on every page and are no headings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median_low

_NUMBER = re.compile(
    r"(?P<decimal>\d{1,3}(?:\.\d{1,3}){0,5})\.?[\s\u2003]+\S"
    r"|(?P<word>(?:chapter|kapitel|chapitre|capítulo|part|teil|partie|parte|appendix|anhang|annexe|anexo)\s+[\dIVXA-Z]+\b)"
    r"|第\s*[\d一二三四五六七八九十百]+\s*[章节部]",
    re.IGNORECASE,
)
_LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}")
_ENDS_A_SENTENCE = re.compile(r"[.,;，。；、]$")
_LETTERS = re.compile(r"[^\W\d_]")
_DIGITS = re.compile(r"\d+")
_TOO_LONG = 160
_BOLD_TOO_LONG = 90
_LARGER = 1.14
_LINES_OF_ONE_HEADING = 3
_LEVELS = 6
_MARGIN = 0.12  # of the height of a page, where headers and footers stand
_KNOWN_AFTER = 20_000  # characters, after which what looks like the body text will be the body text
_LOOK_AGAIN = 50  # lines, after which the size of the body text is looked at again
MAX_HEADINGS = 5_000


@dataclass(frozen=True, slots=True)
class HeadingCandidate:
    text: str
    size: float
    bold: bool
    page: int
    top: float  # 0 at the top of the page, 1 at the bottom
    height: float  # likewise as a share of the page
    number: int  # of the line, over all pages


@dataclass(frozen=True, slots=True)
class DetectedHeading:
    title: str
    level: int
    page: int
    top: float


class HeadingFinder:
    def __init__(self) -> None:
        self._sizes: Counter[float] = Counter()
        self._kept: list[HeadingCandidate] = []
        self._lines = 0
        self._characters = 0
        self._body_size = 0.0
        self._row = (-1, 0.0, 0.0)  # page, top and height of the line before
        self._beside: set[int] = set()  # lines that share a row with another: cells of a table, lists of names

    def see(self, text: str, size: float, bold: bool, page: int, top: float, height: float) -> None:
        """Record a line. Called for every line, so it must be cheap for those that are no candidates."""
        self._lines += 1
        size = round(size * 2) / 2
        self._sizes[size] += len(text)
        self._characters += len(text)
        if self._lines % _LOOK_AGAIN == 0:
            self._body_size = self._body()
        beside = self._row[0] == page and abs(self._row[1] - top) < min(self._row[2], height) / 2
        self._row = (page, top, height)
        large = size >= self._body_size * _LARGER
        if beside:
            self._beside.update((self._lines - 1, self._lines))
        if (bold or large or self._characters < _KNOWN_AFTER) and _may_be_heading(text):
            self._kept.append(HeadingCandidate(text, size, bold, page, top, height, self._lines))

    def headings(self, pages: int) -> list[DetectedHeading]:
        body = self._body()
        prominent = [line for line in self._kept if _is_prominent(line, body, alone=line.number not in self._beside)]
        whole = [line for line in _joined(prominent) if line is not None]
        whole = _without_repeated(whole, pages)[:MAX_HEADINGS]
        levels = _levels(whole)
        return [
            DetectedHeading(line.text, level, line.page, line.top) for line, level in zip(whole, levels, strict=True)
        ]

    def _body(self) -> float:
        return self._sizes.most_common(1)[0][0] if self._sizes else 0.0


def _may_be_heading(text: str) -> bool:
    return len(text) <= _TOO_LONG and text[0] not in ",.;:)]" and len(_LETTERS.findall(text)) > 1


def _is_prominent(line: HeadingCandidate, body: float, alone: bool) -> bool:
    if line.size >= body * _LARGER:
        return True
    return alone and line.bold and line.size >= body * 0.95 and len(line.text) <= _BOLD_TOO_LONG


def _joined(lines: Sequence[HeadingCandidate]) -> Iterator[HeadingCandidate | None]:
    """Headings that run over some lines become one; longer runs are paragraphs in large or bold letters, and no heading."""
    run: list[HeadingCandidate] = []
    for line in lines:
        if run and not _continues(run[-1], line):
            yield _joined_line(run)
            run = []
        run.append(line)
    if run:
        yield _joined_line(run)


def _continues(above: HeadingCandidate, below: HeadingCandidate) -> bool:
    follows = below.number == above.number + 1 and below.page == above.page
    alike = below.size == above.size and below.bold == above.bold
    near = 0 <= below.top - above.top < 2.2 * max(above.height, below.height)
    return follows and alike and near and _NUMBER.match(below.text) is None


def _joined_line(run: Sequence[HeadingCandidate]) -> HeadingCandidate | None:
    if len(run) > _LINES_OF_ONE_HEADING:
        return None
    text = " ".join(line.text for line in run)
    if len(text) > 2 * _TOO_LONG or _LEADERS.search(text):
        return None
    if _ENDS_A_SENTENCE.search(text) and not _NUMBER.match(text):
        return None
    return replace(run[0], text=text)


def _without_repeated(lines: Sequence[HeadingCandidate], pages: int) -> list[HeadingCandidate]:
    def pattern(line: HeadingCandidate) -> str:
        return _DIGITS.sub("0", line.text).casefold()

    alike = Counter(key for key, _ in {(pattern(line), line.page) for line in lines})
    same = Counter(key for key, _ in {(line.text, line.page) for line in lines})

    def repeats(line: HeadingCandidate) -> bool:
        at_edge = line.top < _MARGIN or line.top > 1 - _MARGIN
        return (at_edge and alike[pattern(line)] >= 3) or same[line.text] > max(2, 0.4 * pages)

    return [line for line in lines if not repeats(line)]


def _levels(lines: Sequence[HeadingCandidate]) -> list[int]:
    """Numbers say the level themselves; looks get the level that numbered headings of these looks have, else their rank."""
    depths: dict[tuple[float, bool], list[int]] = {}
    for line in lines:
        depth = _depth(line.text)
        depths.setdefault((line.size, line.bold), []).extend([depth] if depth else [])
    by_looks: dict[tuple[float, bool], int] = {}
    level = 0
    for style in sorted(depths, reverse=True):
        level = median_low(depths[style]) if depths[style] else min(level + 1, _LEVELS)
        by_looks[style] = level
    return [_depth(line.text) or by_looks[line.size, line.bold] for line in lines]


def _depth(text: str) -> int:
    match = _NUMBER.match(text)
    if match is None:
        return 0
    decimal = match.group("decimal")
    return 1 if decimal is None else min(decimal.count(".") + 1, _LEVELS)
