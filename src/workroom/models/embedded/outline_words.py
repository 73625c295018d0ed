"""What a document or an archive is made of, in the reader's words: what was counted in it, what it is called, and its headings as
a list. Ids of sections, types of media and names of tools are for models."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from workroom.models.embedded.language import Language
from workroom.models.embedded.model_notes import without_notes

UNITS = "pages|sheets|slides|chapters|images|tables|attachments|charts|footnotes|comments|rows|files|folders"
COUNTED = re.compile(rf"(\d+) ({UNITS})(?=,|$)")
# Types of media, and ids.
MACHINE = re.compile(
    r"(?<=: )[a-z]+/[\w.+-]+, |(?<=\()[a-z]+/[\w.+-]+, |, fileId [0-9a-f-]{36}(?=$|,)| \(fileId [0-9a-f-]{36}\)"
)
PROPERTIES = {
    "title": "outline.title",
    "author": "outline.author",
    "subject": "outline.subject",
    "date": "outline.date",
}
# As `contents/outlines.py` writes them for models.
SECTIONS = "Sections (id, title, pages):"
SECTION = re.compile(r"( *)s\d[\w.]* (.*?)(?: \(pages? (\d+)(?:-(\d+))?\))?")
MARKUP = re.compile(r"^(\d*)([.)#>+*-])(?=\s)")  # what would begin a list, a heading or a quotation
UNREADABLE = re.compile(r"^It cannot be read: ", re.MULTILINE)


def outline_words(text: str, language: Language) -> str:
    lines = without_notes(text, language).split("\n")
    at = lines.index(SECTIONS) if SECTIONS in lines else len(lines)
    found = [SECTION.fullmatch(line) for line in lines[at + 1 :]]
    sections = found[: found.index(None)] if None in found else found
    after = lines[at + 1 + len(sections) :]
    headings = _headings([section for section in sections if section is not None], language)
    return "\n".join([*(_fact(line, language) for line in lines[:at]), *headings, *(_fact(x, language) for x in after)])


def is_unreadable(text: str) -> bool:
    """Whether an outline says that its document cannot be read."""
    return UNREADABLE.search(text) is not None


def _fact(line: str, language: Language) -> str:
    name, _, value = line.partition(": ")
    if name in PROPERTIES:
        return language.say("pair", label=language.say(PROPERTIES[name]), text=value)
    said = MACHINE.sub("", line)
    return COUNTED.sub(lambda fact: f"{fact[1]} {language.say(f'unit.{fact[2]}')}", said)


def _headings(sections: Sequence[re.Match[str]], language: Language) -> Iterator[str]:
    """A list in Markdown: each level one step further in, also where a level is left out."""
    above = list[int]()
    for section in sections:
        indent, title, first, last = len(section[1]), MARKUP.sub(r"\1\\\2", section[2]), section[3], section[4]
        above = [*(other for other in above if other < indent), indent]
        if last:
            title = language.say("outline.pages", title=title, what=f"{first}–{last}")
        elif first:
            title = language.say("outline.page", title=title, what=first)
        yield f"{'  ' * (len(above) - 1)}- {title}"
