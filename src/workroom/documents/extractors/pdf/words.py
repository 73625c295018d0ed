"""The text of a page with its places and fonts.

PDFium finds characters, spaces and ends of lines. Asking it for the place of every character would take longer than all
the rest, so only the first and last ones of lines (structure) or words (extraction) are asked for.
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
from workroom.documents.extractors.pdf.geometry import Box, Corners, Frame, around, frame_of
from workroom.documents.extractors.pdf.opening import UnreadablePage

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


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    start: int  # where it begins in the text of the page
    box: Box  # of its first letter
    size: float  # of its letters, in points
    bold: bool
    upright: bool  # else it is written upwards, downwards or on its head


class PageText:
    def __init__(self, page: Any, reader: Any) -> None:
        self.frame: Frame = frame_of(page)
        self._reader = reader
        self._handle = reader.raw  # PDFium's own: unwrapped once, not with every call
        self._count: int = min(pdfium.FPDFText_CountChars(reader), MAX_CHARACTERS)
        self._text = self._read()
        self._rect = pdfium.FS_RECTF()
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

    def lines(self) -> Iterator[Line]:
        for found in _LINE.finditer(self._text):
            raw = found.group()
            text = raw.strip()
            if not (text.isascii() and text.isprintable()):
                text = clean(text.replace(_BROKEN_WORD, "-"))
            if not text:
                continue
            start = found.start() + len(raw) - len(raw.lstrip())
            last = found.start() + len(raw.rstrip()) - 1
            middle = (start + last) // 2
            size, bold, upright = self._style(middle if self._text[middle].strip() else start)
            bold = bold and self._is_bold(self._index(last)) and self._is_bold(self._index(start))
            yield Line(text, found.start(), self._place(start), size, bold, upright)

    def words(self, line: Line) -> list[Word]:
        """In reading order, which need not be from left to right."""
        found = _LINE.match(self._text, line.start)
        if found is None:
            return []
        words: list[Word] = []
        for part in _WORD.finditer(self._text, found.start(), found.end()):
            start, end = part.span()
            box = self._span(start, end)
            if end - start > 1 and box.width > _WIDEST_LETTER * line.size * (end - start):
                words += [self._word(*letters) for letters in self._apart(start, end, line.size)]
            else:
                words.append(Word(self._shown(start, end), box))
        return [word for word in words if word.text]

    def place_of(self, line: Line) -> Box:
        """The whole of it, in whichever direction it is written."""
        words = self.words(line)
        return around(word.box for word in words) if words else line.box

    def letters(self, start: int, end: int) -> Iterator[Box]:
        """Places of the letters in this part of the text, white space left out."""
        for position in range(start, end):
            if not self._text[position].isspace() and (box := self._place(position)).width > 0:
                yield box

    def _word(self, start: int, end: int) -> Word:
        return Word(self._shown(start, end), self._span(start, end))

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
        found = []
        corners = Corners()
        for index in range(min(pdfium.FPDFText_CountRects(self._reader, 0, self._count), _RECTANGLES)):
            pdfium.FPDFText_GetRect(self._reader, index, *corners.references)
            found.append(corners.values())
        return found

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

    def _unfolded(self, found: re.Match[str]) -> str:
        """Lam and alef drawn as one letter come in the wrong order: both have the place of that letter."""
        folded = self._place(found.start()) == self._place(found.start() + 1)
        return found.group()[::-1] if folded else found.group()

    def _index(self, position: int) -> int:
        if self._same_places:
            return position
        return max(0, int(pdfium.FPDFText_GetCharIndexFromTextIndex(self._handle, position)))

    def _place(self, position: int) -> Box:
        return self._span(position, position + 1)

    def _span(self, start: int, end: int) -> Box:
        """From the first to the last character. Asked for every word: no detours."""
        rect = self._rect
        if not pdfium.FPDFText_GetLooseCharBox(self._handle, self._index(start), rect):
            return Box(0.0, 0.0, 0.0, 0.0)
        left, bottom, right, top = rect.left, rect.bottom, rect.right, rect.top
        if end - start > 1 and pdfium.FPDFText_GetLooseCharBox(self._handle, self._index(end - 1), rect):
            left, right = min(left, rect.left), max(right, rect.right)
            bottom, top = min(bottom, rect.bottom), max(top, rect.top)
        if right < left:
            left, right = right, left
        if top < bottom:
            bottom, top = top, bottom
        return self.frame.box(left, bottom, right, top)

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
def text_of(page: Any) -> Iterator[PageText]:
    try:
        reader = page.get_textpage()
    except pypdfium2.PdfiumError:
        raise UnreadablePage("The text of this page is damaged and cannot be read.") from None
    try:
        yield PageText(page, reader)
    finally:
        reader.close()
