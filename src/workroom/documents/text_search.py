"""Finds words in a document: case-insensitive, with any white space between them, also across the end of a line. Formats that
know positions on a page have a search of their own; of all others the content objects are searched as they are extracted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workroom.core.errors import InvalidInput
from workroom.documents.content import clean
from workroom.documents.ports import Extractor
from workroom.documents.types import ContextRef, ExtractionScope, Hit, SourceFile

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
    """A match with the text around it, on one line."""

    before: str
    match: str
    after: str
    start: int
    end: int


def matches_in(text: str, pattern: re.Pattern[str]) -> Iterator[TextMatch]:
    for match in pattern.finditer(text):
        start, end = match.span()
        before = _shown(text[max(0, start - 2 * AROUND) : start]).lstrip()[-AROUND:]
        after = _shown(text[end : end + 2 * AROUND]).rstrip()[:AROUND]
        yield TextMatch(before, _shown(match.group()), after, start, end)


def find_in_objects(
    extractor: Extractor, source: SourceFile, text: str, page_index: int | None = None
) -> Iterator[Hit]:
    pattern = pattern_of(text)
    wanted = ExtractionScope() if page_index is None else ExtractionScope(pages=frozenset({page_index}))
    for content_object in extractor.extract(source, wanted):
        for passage in matches_in(content_object.text, pattern) if content_object.text else ():
            yield Hit(
                part=part_of(content_object.ref),
                location=content_object.ref.location,
                before=passage.before,
                match=passage.match,
                after=passage.after,
            )


def part_of(ref: ContextRef) -> str:
    """The part of the document a reference is in, as `Hit.part` names it."""
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
