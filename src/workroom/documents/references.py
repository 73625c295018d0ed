"""What a question points at: `@report.pdf`, `@archive.zip`, `@folder/`, and words such as "page 47", "chapter 3", "sheet Q4".

Pure reading of the text, in five languages; which file or section is meant is decided where files are known. Numbers are as
people count, from 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MOST_PAGES = 500
MOST_MENTIONS = 50
LOOKED_AT = 20_000  # characters

# `@"name with spaces.pdf"`, or up to the first space; a sentence's punctuation at the end does not belong to it.
MENTION = re.compile(r"(?<![A-Za-z0-9_@.])@(?:\"([^\"\n]{1,255})\"|([^\s\"@,;:!?()\[\]{}<>]{1,255}))")
# Chinese puts no space behind a name: `@报告.pdf的第3页`.
GLUED = re.compile(r"(.*\.[A-Za-z0-9]{1,8})([\u3400-\u9fff][^.]*)")
_S = r"\s{0,3}"  # bounded, like everything below: what people paste must not take long
DASH = rf"{_S}(?:-|–|—|bis|to|à|a|até|到|至){_S}"
NUMBERS = (
    rf"(\d{{1,5}}(?:{DASH}\d{{1,5}})?(?:{_S}(?:,|;|、|and|und|et|e|和|&){_S}\d{{1,5}}(?:{DASH}\d{{1,5}})?){{0,50}})"
)
PAGE = re.compile(rf"(?<!\w)(?:pages?|pp?\.|seiten?|s\.|páginas?|paginas?|págs?\.){_S}{NUMBERS}(?!\w)", re.IGNORECASE)
PAGE_ZH = re.compile(rf"(?<!\d){NUMBERS}{_S}页")
SLIDE = re.compile(rf"(?<!\w)(?:slides?|folien?|diapositives?|diapos?){_S}{NUMBERS}(?!\w)", re.IGNORECASE)
SLIDE_ZH = re.compile(rf"(?:幻灯片{_S}{NUMBERS}|第{_S}{NUMBERS}{_S}张)")
CHAPTER_WORDS = "chapters?|kapitel|chapitres?|capítulos?|capitulos?|sections?|abschnitte?|seções|seção|secção"
QUOTED = r"[\"“„«‚'‘]([^\"”“»’'\n]{1,200})[\"”“»’']"
CHAPTER = re.compile(rf"(?<!\w)(?:{CHAPTER_WORDS}){_S}(?:{QUOTED}|(\d{{1,3}}(?:\.\d{{1,3}}){{0,5}}))", re.IGNORECASE)
CHAPTER_ZH = re.compile(r"第\s*(\d{1,3}(?:\.\d{1,3}){0,5})\s*[章节]")
SHEET_WORDS = "sheets?|worksheets?|tabellenblatt|blatt|feuilles?|onglets?|planilhas?|folhas?|工作表"
SHEET = re.compile(rf"(?<!\w)(?:{SHEET_WORDS}){_S}(?:{QUOTED}|([\w.\-]{{1,31}}))", re.IGNORECASE)
RANGE = re.compile(rf"(\d{{1,5}})(?:{DASH}(\d{{1,5}}))?")


@dataclass(frozen=True)
class Mention:
    """`name` is what was written after the @; with `/` at its end it means a folder."""

    name: str

    @property
    def is_folder(self) -> bool:
        return self.name.endswith("/")


@dataclass(frozen=True)
class PartReferences:
    """Parts of documents that a text names, in its order."""

    pages: tuple[int, ...] = ()
    chapters: tuple[str, ...] = ()  # numbers such as `3` or `2.1`, or titles
    sheets: tuple[str, ...] = ()
    slides: tuple[int, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.pages or self.chapters or self.sheets or self.slides)


@dataclass(frozen=True)
class DocumentReference:
    """A mentioned file or folder, and the parts of it that are meant."""

    mention: Mention
    parts: PartReferences


def mentions(text: str) -> list[Mention]:
    """Each name once, in the order in which they come."""
    found: dict[str, None] = {}
    for hit in MENTION.finditer(text[:LOOKED_AT]):
        name, _ = _split(hit)
        if name and name != "/":
            found.setdefault(name)
    return [Mention(name) for name in list(found)[:MOST_MENTIONS]]


def without_mentions(text: str, is_other: Callable[[str], bool]) -> str:
    """The text with the names for which this holds as ordinary words: something else than a file is meant."""
    return MENTION.sub(lambda hit: hit[0][1:] if is_other(_split(hit)[0]) else hit[0], text)


def document_references(text: str) -> list[DocumentReference]:
    """Each mention with the parts said of it. With several, those that stand before a name belong to it, as in "page 3 of
    @a.pdf and page 5 of @b.pdf"; if none stands before the first, those behind it. A name without any shares
    the last's, or all."""
    named = mentions(text)
    if len(named) < 2:
        return [DocumentReference(mention, part_references(text)) for mention in named]
    hits = [hit for hit in MENTION.finditer(text[:LOOKED_AT]) if _split(hit)[0]]
    edges = [0, *(hit.end() - len(_split(hit)[1]) for hit in hits)]
    starts = [*(hit.start() for hit in hits), len(text)]
    between = [part_references(text[edge:start]) for edge, start in zip(edges, starts, strict=True)]
    behind = between[0].is_empty
    said, last = dict[str, PartReferences](), PartReferences()
    for number, hit in enumerate(hits):
        here = between[number + 1] if behind or number + 1 == len(hits) else between[number]
        if number + 1 == len(hits) and not behind:
            here = _merged(between[number], here)
        last = last if here.is_empty else here
        name = _split(hit)[0]
        said[name] = _merged(said.get(name, PartReferences()), last)
    whole = part_references(text)
    return [DocumentReference(m, whole if (own := said.get(m.name, last)).is_empty else own) for m in named]


def part_references(text: str) -> PartReferences:
    # A name such as `@page 3.pdf` is no page.
    read = MENTION.sub(lambda hit: f" {_split(hit)[1]}", text[:LOOKED_AT])
    return PartReferences(
        pages=_numbers(read, PAGE, PAGE_ZH),
        chapters=_named(read, CHAPTER, CHAPTER_ZH),
        sheets=_named(read, SHEET),
        slides=_numbers(read, SLIDE, SLIDE_ZH),
    )


def _split(hit: re.Match[str]) -> tuple[str, str]:
    """The name, and what is glued to it."""
    if hit[1]:
        return hit[1].strip(), ""
    glued = GLUED.fullmatch(hit[2])
    return (glued[1], glued[2]) if glued else (hit[2].rstrip(".'’”»").strip(), "")


def _merged(first: PartReferences, second: PartReferences) -> PartReferences:
    def both(name: str) -> tuple[Any, ...]:
        return tuple(dict.fromkeys((*getattr(first, name), *getattr(second, name))))

    return PartReferences(both("pages"), both("chapters"), both("sheets"), both("slides"))


def _numbers(text: str, *patterns: re.Pattern[str]) -> tuple[int, ...]:
    found: dict[int, None] = {}
    for pattern in patterns:
        for hit in pattern.finditer(text):
            for first, last in RANGE.findall(next(group for group in hit.groups() if group)):
                start, end = int(first), int(last or first)
                for number in range(start, min(end, start + MOST_PAGES - 1) + 1):
                    if number > 0:
                        found.setdefault(number)
    return tuple(found)[:MOST_PAGES]


def _named(text: str, *patterns: re.Pattern[str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for pattern in patterns:
        for hit in pattern.finditer(text):
            if name := next((group for group in hit.groups() if group), "").strip():
                found.setdefault(name)
    return tuple(found)[:MOST_MENTIONS]
