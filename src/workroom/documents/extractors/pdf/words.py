"""The text of a page with positions and fonts.

PDFium finds characters, spaces and ends of lines. Asking it for the place of every character would take longer than all
the rest, so only the first and last ones of lines (structure) or words (extraction) are asked for. Of most words only their
distance to the next one matters: they become runs in one loop, and single words are made for tables alone.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from workroom.documents.content import clean
from workroom.documents.extractors.pdf.geometry import Box, Corners, PageFrame, frame_of
from workroom.documents.extractors.pdf.pdf_file import UnreadablePage

# PDFium puts U+FFFE for a hyphen at the end of a line and goes on with the next one.
_BROKEN_WORD = "\ufffe"
_LINE = re.compile(rf"[^\r\n{_BROKEN_WORD}]*[^\r\n{_BROKEN_WORD}\s][^\r\n{_BROKEN_WORD}]*{_BROKEN_WORD}?")
_LIGATURE = re.compile("[\u0622\u0623\u0625\u0627]\u0644")
_WORD = re.compile(r"\S+")
_BOLD = re.compile(r"bold|black|heavy|demi|fett|gras\b|medi$|(?:cm|sf|ec)bx", re.IGNORECASE)
_FORCE_BOLD = 1 << 18
_RECTANGLES = 5_000
_WIDEST_LETTER = 1.3  # times its size
MAX_CHARACTERS = 400_000  # on one page; a page of a book has 3,000

# Called for every word, so with raw pointers and without releasing the GIL, for which no thread waits in a process that parses
# one document. That takes half as long.
_char_box = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)(
    ctypes.cast(pdfium.FPDFText_GetLooseCharBox, ctypes.c_void_p).value or 0
)


# From, to, and the place in PDF's own coordinates: left, bottom, right, top.
_Placed = tuple[int, int, float, float, float, float]


@dataclass(frozen=True, slots=True)
class PdfWord:
    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class WordRun:
    """Words that stand together on a line, from `start` to `end` in the text of the page."""

    start: int
    end: int
    box: Box


@dataclass(frozen=True, slots=True)
class PdfLine:
    text: str
    start: int  # where it begins in the text of the page
    box: Box  # of its first letter
    size: float  # of its letters, in points
    bold: bool
    upright: bool  # else it is written upwards, downwards or on its head


class PdfPageText:
    def __init__(self, page: Any, reader: Any) -> None:
        self.frame: PageFrame = frame_of(page)
        self._reader = reader
        self._handle = reader.raw  # PDFium's own: unwrapped once, not with every call
        self._count: int = min(pdfium.FPDFText_CountChars(reader), MAX_CHARACTERS)
        self._text = self._read()
        self._rect = pdfium.FS_RECTF()
        self._corners = memoryview(self._rect).cast("B").cast("f")  # left, top, right, bottom
        self._addresses = ctypes.cast(self._handle, ctypes.c_void_p), ctypes.c_void_p(ctypes.addressof(self._rect))
        self._same_places = len(self._text) == self._count
        self._matrix = pdfium.FS_MATRIX()
        self._name = ctypes.create_string_buffer(128)
        self._flags = ctypes.c_int()
        if _LIGATURE.search(self._text):
            self._text = _LIGATURE.sub(self._unfolded, self._text)

    @property
    def length(self) -> int:
        return len(self._text)

    @property
    def text(self) -> str:
        """As PDFium reads it, with its marks for words that are cut at the end of a line."""
        return self._text

    def lines(self) -> Iterator[PdfLine]:
        for match in _LINE.finditer(self._text):
            raw = match.group()
            text = raw.strip()
            if not (text.isascii() and text.isprintable()):
                text = clean(text.replace(_BROKEN_WORD, "-"))
            if not text:
                continue
            start = match.start() + len(raw) - len(raw.lstrip())
            last = match.start() + len(raw.rstrip()) - 1
            middle = (start + last) // 2
            size, bold, upright = self._style(middle if self._text[middle].strip() else start)
            bold = bold and self._is_bold(self._index(last)) and self._is_bold(self._index(start))
            yield PdfLine(text, match.start(), self._place(start), size, bold, upright)

    def runs(self, line: PdfLine, gap: float) -> list[WordRun]:
        """In reading order, which need not be from left to right. More white space than `gap` lies between two of them."""
        match = _LINE.match(self._text, line.start)
        if match is None:
            return []
        runs: list[WordRun] = []
        low, high = math.inf, -math.inf  # where the word before begins and ends, along the line
        left = bottom = right = top = 0.0
        first = last = -1
        sideways = self.frame.quarters % 2 == 1
        for start, end, west, south, east, north in self._placed(*match.span(), line.size):
            near, far = (south, north) if sideways else (west, east)
            if near - high <= gap and low - far <= gap and first >= 0:
                left = west if west < left else left  # `min` would take longer than all the rest of this loop
                right = east if east > right else right
                bottom = south if south < bottom else bottom
                top = north if north > top else top
            else:
                if first >= 0:
                    runs.append(WordRun(first, last, self.frame.box(left, bottom, right, top)))
                first, left, bottom, right, top = start, west, south, east, north
            last, low, high = end, near, far
        if first >= 0:
            runs.append(WordRun(first, last, self.frame.box(left, bottom, right, top)))
        return runs

    def words(self, run: WordRun, size: float) -> list[PdfWord]:
        return [
            PdfWord(self._shown(start, end), self.frame.box(*corners))
            for start, end, *corners in self._placed(run.start, run.end, size)
        ]

    def text_of_run(self, run: WordRun) -> str:
        """Its words with single spaces between them."""
        text = self._text[run.start : run.end]
        if text.isascii() and text.isprintable():
            return text if "  " not in text else " ".join(text.split())
        words = (self._shown(*word.span()) for word in _WORD.finditer(self._text, run.start, run.end))
        return " ".join(word for word in words if word)

    def place_of(self, line: PdfLine) -> Box:
        """The whole of it, in whichever direction it is written."""
        runs = self.runs(line, math.inf)
        return runs[0].box if runs else line.box

    def letters(self, start: int, end: int) -> Iterator[Box]:
        """Places of the letters in this part of the text, white space left out."""
        for position in range(start, end):
            if not self._text[position].isspace() and (box := self._place(position)).width > 0:
                yield box

    def _placed(self, start: int, end: int, size: float) -> list[_Placed]:
        """The words between two positions."""
        text = self._text[start:end]
        plain = text.isascii() and text.isprintable()
        placed: list[_Placed] = []
        for word in _WORD.finditer(self._text, start, end):
            begin, stop = word.span()
            if not plain and not self._shown(begin, stop):
                continue
            corners = self._corners_of(begin, stop)
            widest = _WIDEST_LETTER * size * (stop - begin)
            if corners[2] - corners[0] > widest or corners[3] - corners[1] > widest:
                placed += [(*letters, *self._corners_of(*letters)) for letters in self._apart(begin, stop, size)]
            else:
                placed.append((begin, stop, *corners))
        return placed

    def _shown(self, start: int, end: int) -> str:
        text = self._text[start:end]
        return text if text.isascii() and text.isprintable() else clean(text.replace(_BROKEN_WORD, "-"))

    def _apart(self, start: int, end: int, size: float) -> Iterator[tuple[int, int]]:
        """Single letters far apart come as one word: cells of a table with a cross in each."""
        begin = start
        for at in range(start + 1, end):
            before, here = self._place(at - 1), self._place(at)
            if max(here.left - before.right, before.left - here.right) > size:
                yield begin, at
                begin = at
        yield begin, end

    def rectangles(self) -> list[tuple[float, float, float, float]]:
        """The places of texts as they were written, piece by piece, in PDF's own coordinates."""
        boxes = []
        corners = Corners()
        for index in range(min(pdfium.FPDFText_CountRects(self._reader, 0, self._count), _RECTANGLES)):
            pdfium.FPDFText_GetRect(self._reader, index, *corners.references)
            boxes.append(corners.values())
        return boxes

    def _read(self) -> str:
        buffer = ctypes.create_string_buffer((self._count + 1) * 2)
        units = pdfium.FPDFText_GetText(
            self._reader, 0, self._count, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
        )
        # Half characters stay apart here, so that positions in the text remain PDFium's; `clean` joins them.
        raw = buffer.raw[: max(0, units - 1) * 2]
        text = raw.decode("utf-16-le", "surrogatepass")
        if len(text) * 2 != len(raw):
            text = "".join(map(chr, memoryview(raw).cast("H")))
        return text

    def _unfolded(self, match: re.Match[str]) -> str:
        """Lam and alef drawn as one letter come in the wrong order: both have the place of that letter."""
        folded = self._place(match.start()) == self._place(match.start() + 1)
        return match.group()[::-1] if folded else match.group()

    def _index(self, position: int) -> int:
        if self._same_places:
            return position
        return max(0, int(pdfium.FPDFText_GetCharIndexFromTextIndex(self._handle, position)))

    def _place(self, position: int) -> Box:
        return self._span(position, position + 1)

    def _span(self, start: int, end: int) -> Box:
        return self.frame.box(*self._corners_of(start, end))

    def _corners_of(self, start: int, end: int) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of everything from the first to the last character, as PDFium counts them."""
        page, corners = self._addresses
        first, last = (start, end - 1) if self._same_places else (self._index(start), self._index(end - 1))
        if not _char_box(page, first, corners):
            return 0.0, 0.0, 0.0, 0.0
        left, top, right, bottom = self._corners
        if last != first and _char_box(page, last, corners):
            west, north, east, south = self._corners
            left = west if west < left else left
            right = east if east > right else right
            bottom = south if south < bottom else bottom
            top = north if north > top else top
        return left, bottom, right, top

    def _style(self, position: int) -> tuple[float, bool, bool]:
        index = self._index(position)
        matrix = self._matrix
        scale, upright = 1.0, True
        if pdfium.FPDFText_GetMatrix(self._handle, index, matrix):
            scale = math.hypot(matrix.c, matrix.d) or 1.0
            turned = round(math.atan2(matrix.b, matrix.a) / (math.pi / 2))
            upright = (turned - self.frame.quarters) % 4 == 0
        size = pdfium.FPDFText_GetFontSize(self._handle, index) * scale
        return size, self._is_bold(index), upright

    def _is_bold(self, index: int) -> bool:
        length = pdfium.FPDFText_GetFontInfo(self._handle, index, self._name, len(self._name), self._flags)
        if length == 0:
            return False
        return bool(self._flags.value & _FORCE_BOLD) or _names_bold(self._name.value)


@lru_cache(maxsize=1_000)
def _names_bold(font: bytes) -> bool:
    return _BOLD.search(font.decode("utf-8", "replace")) is not None


@contextmanager
def text_of(page: Any) -> Iterator[PdfPageText]:
    try:
        reader = page.get_textpage()
    except pypdfium2.PdfiumError:
        raise UnreadablePage("The text of this page is damaged and cannot be read.") from None
    try:
        yield PdfPageText(page, reader)
    finally:
        reader.close()
