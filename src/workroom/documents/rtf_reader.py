"""Rich Text (RTF): its words, tables and pictures, one token after the other; formatting and programs' notes are skipped.

Outlook hides HTML in RTF: what stands between `\\htmlrtf` and `\\htmlrtf0` repeats it, and is skipped, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from workroom.documents.passages import TextBlock

_TOKEN = re.compile(
    r"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})?[ ]?"
    r"|\\'(?P<hex>[0-9a-fA-F]{2})"
    r"|\\(?P<symbol>[^a-zA-Z])"
    r"|(?P<brace>[{}])"
    r"|(?P<end>[\r\n]+)"
    r"|(?P<text>[^\\{}\r\n]+)",
    re.DOTALL,
)
_SKIPPED = frozenset(
    {"fonttbl", "colortbl", "stylesheet", "info", "listtable", "listoverridetable", "rsidtbl", "generator", "themedata"}
    | {"colorschememapping", "latentstyles", "datastore", "xmlnstbl", "header", "headerl", "headerr", "headerf"}
    | {"footer", "footerl", "footerr", "footerf", "objdata", "fldinst", "pntext", "pntxta", "pntxtb", "template"}
    | {"filetbl", "revtbl", "bkmkstart", "bkmkend", "nonshppict", "mmathPr", "pgptbl", "wgrffmtfilter", "listtext"}
)
_BREAKS = {"par": "\n\n", "line": "\n", "sect": "\n\n", "page": "\n\n", "tab": "\t"}
_SIGNS = {
    "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•",
    "emspace": " ", "enspace": " ",
}  # fmt: skip
_PICTURES = {"pngblip": "image/png", "jpegblip": "image/jpeg", "emfblip": "image/emf", "wmetafile": "image/wmf"}
_CODE_PAGES = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850", "ansi": "cp1252"}
_MAX_DEPTH = 500
_MAX_PICTURE = 64 << 20  # hexadecimal digits
_NOT_HEX = re.compile("[^0-9a-fA-F]")


@dataclass(frozen=True)
class _State:
    skip: bool = False
    unicode_skip: int = 1
    picture: bool = False
    heading: int = 0


class RtfReader:
    def __init__(self, text: str) -> None:
        self._source = text
        self._state = _State()
        self._stack: list[_State] = []
        self._encoding = "cp1252"
        self._bytes = bytearray()
        self._text: list[str] = []
        self._to_skip = 0  # characters that repeat a Unicode one for old readers
        self._in_html = False
        self._cells: list[str] = []
        self._rows: list[list[str]] = []
        self._in_table = False
        self._number = 0
        self._hex: list[str] = []
        self._hex_length = 0
        self._media_type = "application/octet-stream"
        self.pictures: list[tuple[str, bytes]] = []

    def blocks(self) -> Iterator[TextBlock]:
        for token in _TOKEN.finditer(self._source):
            kind = token.lastgroup
            if kind == "hex" and not self._state.skip:
                self._byte(int(token["hex"], 16))
                continue
            self._decode_bytes()
            if kind == "brace":
                yield from self._brace(token["brace"])
            elif kind in ("word", "number"):
                yield from self._word(token["word"], token["number"])
            elif kind == "symbol":
                self._symbol(token["symbol"])
            elif kind == "text":
                self._say(token["text"])
        self._decode_bytes()
        yield from self._paragraph()
        yield from self._table()

    def _brace(self, brace: str) -> Iterator[TextBlock]:
        if brace == "{":
            if len(self._stack) < _MAX_DEPTH:
                self._stack.append(self._state)
            return
        if self._state.picture:
            yield from self._picture()
        if self._stack:
            self._state = self._stack.pop()

    def _word(self, word: str, number: str | None) -> Iterator[TextBlock]:
        value = int(number) if number else None
        if word == "htmlrtf":
            self._in_html = value != 0
        elif word in _SKIPPED:
            self._state = replace(self._state, skip=True)
        elif word == "shppict":  # new readers find pictures here, old ones in the group behind it
            self._state = replace(self._state, skip=False)
        elif word == "pict":
            self._hex, self._hex_length, self._media_type = [], 0, "application/octet-stream"
            self._state = replace(self._state, picture=True)
        elif word in _PICTURES:
            self._media_type = _PICTURES[word]
        elif word in _CODE_PAGES:
            self._encoding = _CODE_PAGES[word]
        elif word == "ansicpg" and value:
            self._encoding = f"cp{value}" if value != 65001 else "utf-8"
        elif word == "uc":
            self._state = replace(self._state, unicode_skip=min(value or 0, 10))
        elif word == "u" and value is not None:
            self._say(chr(value % 65536))
            self._to_skip = self._state.unicode_skip
        elif word in _SIGNS:
            self._say(_SIGNS[word])
        elif word == "bin":
            self._state = replace(self._state, skip=True)
        else:
            yield from self._layout(word, value)

    def _layout(self, word: str, value: int | None) -> Iterator[TextBlock]:
        if self._state.skip or self._in_html:
            return
        if word == "outlinelevel" and value is not None and 0 <= value < 9:
            self._state = replace(self._state, heading=value + 1)
        elif word == "pard":
            self._state = replace(self._state, heading=0)
            self._in_table = False
        elif word in ("intbl", "trowd"):
            yield from self._paragraph() if not self._in_table and word == "trowd" else ()
            self._in_table = True
        elif word in ("cell", "nestcell"):
            self._cells.append("".join(self._text).strip())
            self._text = []
        elif word in ("row", "nestrow"):
            self._rows.append(self._cells)
            self._cells = []
        elif word in ("par", "sect", "page") and not self._in_table:
            yield from self._paragraph()
        elif word in _BREAKS:
            self._text.append(_BREAKS[word])

    def _symbol(self, symbol: str) -> None:
        if symbol == "*":  # a destination that old readers do not know: neither do we
            self._state = replace(self._state, skip=True)
        elif symbol in "\\{}":
            self._say(symbol)
        elif symbol == "~":
            self._say(" ")
        elif symbol == "_":
            self._say("-")
        elif symbol in "\r\n":
            self._say("\n\n")

    def _say(self, text: str) -> None:
        if self._state.picture and not self._state.skip:
            self._hex_length += len(text)
            if self._hex_length <= _MAX_PICTURE:
                self._hex.append(text)
            return
        if self._state.skip or self._in_html:
            return
        skipped = min(self._to_skip, len(text))
        self._to_skip -= skipped
        self._text.append(text[skipped:])

    def _byte(self, value: int) -> None:
        if self._to_skip:
            self._to_skip -= 1
        elif not self._in_html and not self._state.picture:
            self._bytes.append(value)

    def _decode_bytes(self) -> None:
        """Together: an Asian character is two of them."""
        if self._bytes:
            try:
                text = self._bytes.decode(self._encoding, "replace")
            except LookupError:
                text = self._bytes.decode("cp1252", "replace")
            self._bytes.clear()
            self._text.append(text)

    def _paragraph(self) -> Iterator[TextBlock]:
        text = "".join(self._text).strip()
        self._text = []
        if not text:
            return
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
        yield from self._table()
        self._number += 1
        heading = self._state.heading if len(text) < 200 else 0
        yield TextBlock("heading" if heading else "text", text, self._number, self._number, heading)

    def _table(self) -> Iterator[TextBlock]:
        rows, self._rows = [row for row in self._rows if any(row)], []
        if rows:
            self._number += 1
            yield TextBlock("table", "", self._number, self._number, rows=rows)

    def _picture(self) -> Iterator[TextBlock]:
        digits = _NOT_HEX.sub("", "".join(self._hex))
        self._hex = []
        data = bytes.fromhex(digits[: len(digits) // 2 * 2])
        if data and self._media_type.startswith("image/") and not self._state.skip:
            self.pictures.append((self._media_type, data))
            self._number += 1
            yield TextBlock("image", "", self._number, self._number, facts={"number": len(self.pictures)})
