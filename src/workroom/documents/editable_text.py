"""A text file that is changed and stored again: in the encoding it has, with its byte order mark and its line ends.

Lines that stay keep the end they have, also where a file has several kinds. Bytes that would not come out again as they were are
refused: a change of some lines leaves the rest of the file alone.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from dataclasses import dataclass

from workroom.core.errors import InvalidInput
from workroom.core.line_diff import line_changes
from workroom.documents.sniffing.encoding import encoding_of

_SAMPLE = 1 << 16
_ENDS = re.compile("\r\n|\r|\n")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
NO_TEXT = "This is no text, or one with damaged characters: it cannot be changed in part. Write a new file instead."


@dataclass(frozen=True)
class EditableText:
    """`text` has `\\n` at the end of its lines; `ends` are those of the file, one for each."""

    text: str
    encoding: str = "utf-8"
    mark: bytes = b""
    ends: tuple[str, ...] = ()

    def encoded(self, text: str) -> bytes:
        """The file with this text. Raises InvalidInput for a character that its encoding does not have."""
        if "\0" in text:
            raise InvalidInput("A text has no NUL characters. Leave them out.", field="edits")
        try:
            return self.mark + self._with_ends(text).encode(self.encoding)
        except UnicodeEncodeError as error:
            sign = error.object[error.start]
            raise InvalidInput(
                f"The file is encoded in {self.encoding}, which does not have the character {sign!a}. Use another one,"
                " or write the text as a new file.",
                field="edits",
            ) from None

    def _with_ends(self, text: str) -> str:
        kinds = Counter(self.ends)
        usual = kinds.most_common(1)[0][0] if kinds else "\n"
        if len(kinds) < 2:
            return text if usual == "\n" else text.replace("\n", usual)
        new = text.split("\n")
        ends: list[str] = [usual] * (len(new) - 1)
        at = new_at = 0
        before = self.text.split("\n")
        for change in [*line_changes(before, new), None]:
            stop = len(before) if change is None else change.start
            kept = self.ends[at : min(stop, len(self.ends))]
            ends[new_at : new_at + len(kept)] = kept
            if change is not None:
                at, new_at = change.stop, change.new_stop
        del ends[len(new) - 1 :]
        return "".join(line + end for line, end in zip(new, [*ends, ""], strict=True))


def read_editable(data: bytes) -> EditableText:
    """Raises InvalidInput for what is no text."""
    sniffed = encoding_of(data[:_SAMPLE], complete=len(data) <= _SAMPLE)
    if sniffed is None:
        raise InvalidInput(NO_TEXT, field="fileId")
    mark, marked = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", None))
    plain = data[len(mark) :]
    for encoding in [marked] if marked else ["utf-8", sniffed]:
        try:
            raw = plain.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
        found = EditableText(_ENDS.sub("\n", raw), encoding, mark, tuple(_ENDS.findall(raw)))
        if "\0" not in raw and found.encoded(found.text) == data:
            return found
    raise InvalidInput(NO_TEXT, field="fileId")
