"""How the text of a file is stored: its encoding, its byte order mark and its line ends. Pure.

People and programs edit a text with `\\n` between its lines; what they did not change keeps its bytes.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from workroom.core.line_diff import line_changes
from workroom.documents.sniffing.encoding import encoding_of

UTF8 = "utf-8"
_SAMPLE = 1 << 16
_LINE_END = re.compile(r"\r\n|\r|\n")
_MARKS = (
    (codecs.BOM_UTF8, UTF8),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: it begins like that
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class LineEnds(StrEnum):
    LF = "lf"
    CRLF = "crlf"
    CR = "cr"
    MIXED = "mixed"


_NAMES = {"\n": LineEnds.LF, "\r\n": LineEnds.CRLF, "\r": LineEnds.CR}


class NoText(ValueError):
    """Bytes that are no text, or text that would not come back from bytes as it is."""


@dataclass(frozen=True)
class TextForm:
    """A text as it lies in a file. `raw` has the line ends of the file, `mark` is its byte order mark, if there is one."""

    raw: str = ""
    encoding: str = UTF8
    mark: bytes = b""

    @classmethod
    def read(cls, data: bytes) -> TextForm:
        """Raises NoText for what is no text, and for what would change by being stored again."""
        mark, marked = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", None))
        content = data[len(mark) :]
        raw, encoding = _decoded(content, marked) if marked else _detected(content)
        if "\0" in raw or raw.startswith("\ufeff") or _encoded(raw, encoding) != content:
            raise NoText
        return cls(raw, encoding, mark)

    @property
    def text(self) -> str:
        """With `\\n` between its lines."""
        return plain(self.raw)

    @property
    def line_ends(self) -> LineEnds:
        kinds = set(_LINE_END.findall(self.raw))
        return _NAMES[kinds.pop()] if len(kinds) == 1 else LineEnds.MIXED if kinds else LineEnds.LF

    def with_text(self, text: str) -> tuple[bytes, TextForm]:
        """The bytes of another text in this form, and the form they are in: UTF-8 where this encoding lacks a character or would
        be read as another one. Raises NoText for what no text file can hold."""
        lines = plain(text).split("\n")
        raw = self._with_line_ends(lines)
        if plain(raw) != plain(text):  # a CR and an LF that came together are one end
            raw = "\n".join(lines)
        for encoding, mark in ((self.encoding, self.mark), (UTF8, b"")):
            try:
                data = mark + _encoded(raw, encoding)
                form = TextForm.read(data)
            except NoText:
                continue
            if form.raw == raw:
                return data, form
        raise NoText

    def _with_line_ends(self, lines: Sequence[str]) -> str:
        """Lines that stay keep the end they have, also where a file has several kinds; others get the usual one."""
        known = _LINE_END.findall(self.raw)
        usual = Counter(known).most_common(1)[0][0] if known else "\n"
        if len(set(known)) <= 1:
            return usual.join(lines)
        before = _LINE_END.split(self.raw)
        ends = [usual] * (len(lines) - 1)
        at = new_at = 0
        for change in [*line_changes(before, lines), None]:
            stop = len(before) if change is None else change.start
            kept = known[at : min(stop, len(known))]
            ends[new_at : new_at + len(kept)] = kept
            if change is not None:
                at, new_at = change.stop, change.new_stop
        return "".join(line + end for line, end in zip(lines, [*ends[: len(lines) - 1], ""], strict=True))


def plain(text: str) -> str:
    """With `\\n` between the lines, and without the byte order mark that copied text may begin with."""
    return _LINE_END.sub("\n", text).lstrip("\ufeff")


def _detected(content: bytes) -> tuple[str, str]:
    encoding = encoding_of(content[:_SAMPLE], complete=len(content) <= _SAMPLE)
    if encoding is None:
        raise NoText
    try:
        return content.decode(encoding), encoding
    except UnicodeDecodeError as error:  # what tells the encoding may stand far below
        around = content[max(0, error.start - _SAMPLE // 2) : error.start + _SAMPLE // 2]
        encoding = encoding_of(around, complete=False)
        if encoding is None:
            raise NoText from None
        return _decoded(content, encoding)


def _decoded(content: bytes, encoding: str) -> tuple[str, str]:
    try:
        return content.decode(encoding), encoding
    except UnicodeDecodeError:
        raise NoText from None


def _encoded(raw: str, encoding: str) -> bytes:
    try:
        return raw.encode(encoding)
    except UnicodeEncodeError:
        raise NoText from None
