"""Plain text as blocks: paragraphs, and headings where they can be seen (numbers, capitals, underlines, `Chapter 3`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from workroom.documents.passages import PASSAGE, TextBlock

_LONGEST_HEADING = 90
_CAPITALS = 4  # below chapters: in a book they are signatures and inscriptions, elsewhere they are all there is
_DIVISIONS = {
    1: r"book|part|volume|buch|teil|band|livre|partie|tome|livro|parte|第\s*[0-9一二三四五六七八九十百]+\s*[部编卷]",
    2: r"chapter|kapitel|chapitre|capítulo|capitulo|appendix|anhang|annexe|anexo|prologue|epilogue|prolog|epilog"
    r"|第\s*[0-9一二三四五六七八九十百]+\s*章",
    3: r"section|abschnitt|seção|artikel|article|artigo|第\s*[0-9一二三四五六七八九十百]+\s*[节条]",
}
_NAMED = [
    (re.compile(rf"(?:{words})(?:\s+[\divxlcdm]+|\s+\w+)?(?:\s*[:.–—-]\s*\S.*)?", re.IGNORECASE), level)
    for level, words in _DIVISIONS.items()
]
_NUMBERED = re.compile(r"(\d{1,3}(?:\.\d{1,3}){0,4})\.?\s+(?=[^\W\d_])\S.*[^.,;:]")
_UNDERLINE = re.compile(r"(?:={3,}|-{3,}|~{3,})")


def text_blocks(numbered: Iterable[str]) -> Iterator[TextBlock]:
    """Paragraphs, cut where they grow too long; a line between empty ones that looks like a heading is one."""
    paragraph: list[str] = []
    size = 0
    number = 0
    for number, line in enumerate(numbered, start=1):
        stripped = line.strip()
        if stripped:
            paragraph.append(line.rstrip())
            size += len(line)
        if paragraph and (not stripped or size > PASSAGE):
            end = number if stripped else number - 1
            yield _block(paragraph, end)
            paragraph, size = [], 0
    if paragraph:
        yield _block(paragraph, number)


def _block(paragraph: list[str], end: int) -> TextBlock:
    first = end - len(paragraph) + 1
    level = _heading_level([line.strip() for line in paragraph[:3]]) if len(paragraph) <= 2 else 0
    text = "\n".join(paragraph).strip("\n")
    if level:
        return TextBlock("heading", paragraph[0].strip(), first, end, level, facts={"verbatim": True})
    return TextBlock("text", text, first, end)


def _heading_level(paragraph: list[str]) -> int:
    """0 for what is none."""
    title = paragraph[0]
    if not 2 < len(title) <= _LONGEST_HEADING:
        return 0
    if len(paragraph) == 2:
        return {"=": 1, "-": 2, "~": 3}[paragraph[1][0]] if _UNDERLINE.fullmatch(paragraph[1]) else 0
    for pattern, level in _NAMED:
        if pattern.fullmatch(title):
            return level
    if numbered := _NUMBERED.fullmatch(title):
        return numbered[1].count(".") + 1
    letters = [char for char in title if char.isalpha()]
    is_capitals = len(letters) >= 4 and title == title.upper() != title.lower()
    return _CAPITALS if is_capitals and len(letters) > len(title) / 2 and title[-1] not in ".,;" else 0
