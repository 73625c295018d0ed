"""Files that a question calls by their name without its ending: `summarise Jahresbericht`, `page 3 of annual report 2024`.

A word is no name in itself: rent.pdf is not meant by everybody who asks about the rent. So a single word counts only where a
document is wanted, or where it is in quotation marks; several words that are a whole name are meant as one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workroom.documents.references import part_references
from workroom.files.finder import stem_of
from workroom.models.embedded.language import LANGUAGES, PhrasesByLanguage

LOOKED_AT = 300  # characters: such questions are short
MOST_WORDS = 6  # of a name
LEAST, LONGEST_CHINESE = 3, 12
DOCUMENT_TOOLS = ("summarizeContent", "readFile", "browseContainer")  # their phrases ask for a whole document
_WORD = re.compile(r"[^\s\"“”„«»‚‘’',;:!?()\[\]<>@。，；：！？、]+")
_QUOTED = re.compile(r"[\"“„«‚‘']([^\"“”„«»‚‘’'\n]{2,200})[\"”“»’']")
_CHINESE = re.compile(r"[\u3400-\u9fff]+")


def stems_in(question: str, phrases: PhrasesByLanguage) -> list[str]:
    """All word sequences that may be the name of a file, as `stem_of` writes it; the longest first. `phrases` ask for a whole
    document."""
    text = question[:LOOKED_AT]
    said = {stem_of(found[1]) for found in _QUOTED.finditer(text)}
    said |= {name for name in _runs(text) if " " in name}
    if wants_document(text, phrases):
        common = frozenset[str]().union(*(language.stop_words for language in LANGUAGES.values()))
        said |= {name for name in (*_runs(text), *_unspaced(text)) if name not in common}
    return sorted(
        (name for name in said if len(name) >= LEAST or _CHINESE.fullmatch(name)), key=lambda name: (-len(name), name)
    )


def wants_document(text: str, phrases: PhrasesByLanguage) -> bool:
    """Whether all of a document, or a page or chapter of it, is asked for."""
    if not part_references(text).is_empty:
        return True
    return any(
        language.end_of(phrase, text) is not None
        for language in LANGUAGES.values()
        for phrase in phrases.get(language.code, ())
    )


def _runs(text: str) -> Iterator[str]:
    words = [word.strip(".-_") for word in _WORD.findall(text)]
    for at in range(len(words)):
        for count in range(1, MOST_WORDS + 1):
            if at + count <= len(words) and (name := stem_of(" ".join(words[at : at + count]))):
                yield name


def _unspaced(text: str) -> Iterator[str]:
    for run in _CHINESE.findall(text):
        for at in range(len(run)):
            yield from (run[at : at + count] for count in range(2, LONGEST_CHINESE + 1) if at + count <= len(run))
