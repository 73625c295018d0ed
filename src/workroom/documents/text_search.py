"""Looking for words in a document, as people type them: in capitals or not, with any white space between them, also where
a line ends in between. Formats that know places do it themselves; all others are read and looked through as they are read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workroom.core.errors import InvalidInput
from workroom.documents.content import clean
from workroom.documents.ports import Extractor
from workroom.documents.types import ContextRef, Hit, SourceFile, Wanted

LONGEST = 200  # characters that can be looked for
AROUND = 60  # characters shown before and after

_BETWEEN_LETTERS = "(?:\u00ad|\ufffe\\s*)?"  # a word that was cut at the end of a line
_BETWEEN_WORDS = r"[*_~]{0,3}\s+[*_~]{0,3}"  # text is Markdown: emphasis may begin or end here
_SPACE = re.compile(r"\s+")
_SHOWN = str.maketrans({"\ufffe": "-", "\u00ad": None})


def pattern_of(text: str) -> re.Pattern[str]:
    words = text.split()
    if not words or len(text) > LONGEST:
        raise InvalidInput(f"Type what to look for, in at most {LONGEST} characters.")
    return re.compile(_BETWEEN_WORDS.join(map(_word, words)), re.IGNORECASE)


@dataclass(frozen=True)
class TextMatch:
    """A match with what stands around it, on one line."""

    before: str
    match: str
    after: str
    start: int
    end: int


def matches_in(text: str, pattern: re.Pattern[str]) -> Iterator[TextMatch]:
    for found in pattern.finditer(text):
        start, end = found.span()
        before = _shown(text[max(0, start - 2 * AROUND) : start]).lstrip()[-AROUND:]
        after = _shown(text[end : end + 2 * AROUND]).rstrip()[:AROUND]
        yield TextMatch(before, _shown(found.group()), after, start, end)


def find_in_objects(
    extractor: Extractor, source: SourceFile, text: str, page_index: int | None = None
) -> Iterator[Hit]:
    pattern = pattern_of(text)
    wanted = Wanted() if page_index is None else Wanted(pages=frozenset({page_index}))
    for found in extractor.extract(source, wanted):
        for passage in matches_in(found.text, pattern) if found.text else ():
            yield Hit(
                part=part_of(found.ref),
                location=found.ref.location,
                before=passage.before,
                match=passage.match,
                after=passage.after,
            )


def part_of(ref: ContextRef) -> str:
    """What to ask for to see the place again."""
    if ref.page_index is not None:
        return f"page:{ref.page_index + 1}"
    if ref.slide_index is not None:
        return f"slide:{ref.slide_index + 1}"
    if ref.sheet_name is not None:
        return f"sheet:{ref.sheet_name}"
    return f"section:{ref.section_id}" if ref.section_id is not None else "whole"


def _word(word: str) -> str:
    return _BETWEEN_LETTERS.join(map(_letter, word))


def _letter(letter: str) -> str:
    if letter == "-":
        return "[-\ufffe]"
    # Markdown writes a backslash before what would mean something to it.
    return re.escape(letter) if letter.isalnum() else rf"\\?{re.escape(letter)}"


def _shown(text: str) -> str:
    return _SPACE.sub(" ", clean(text.translate(_SHOWN)))
