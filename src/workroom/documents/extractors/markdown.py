"""Markdown: kept as it is written, cut into sections by its headings; tables are told apart, code is never cut by a `#`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from workroom.core.errors import NotFound
from workroom.documents.content import ObjectBuilder
from workroom.documents.passages import PASSAGE, TextBlock, passages, structure_of
from workroom.documents.text_files import lines, open_text
from workroom.documents.types import ContentObject, Element, ExtractionScope, SourceFile, Structure

_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*")
_SETEXT = re.compile(r" {0,3}(=+|-{2,})[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_PROPERTY = re.compile(r"([A-Za-z][\w -]{0,40}):\s+(\S.*)")
_MATTER = 200  # lines that the block of properties at the top may have


class MarkdownExtractor:
    media_types = frozenset({"text/markdown", "text/x-markdown"})

    def scan(self, source: SourceFile) -> Structure:
        with open_text(source) as stream:
            properties = _front_matter(lines(stream))
        with open_text(source) as stream:
            return structure_of("markdown", markdown_blocks(lines(stream)), properties=properties)

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        with open_text(source) as stream:
            yield from passages(ObjectBuilder(source), markdown_blocks(lines(stream)), wanted, "lines")

    def element(self, source: SourceFile, location: str) -> Element:
        raise NotFound("A Markdown file only refers to pictures; they are not inside it.")


EXTRACTOR = MarkdownExtractor()


def markdown_blocks(lines_: Iterable[str]) -> Iterator[TextBlock]:
    reader = _BlockReader()
    for number, line in enumerate(lines_, start=1):
        yield from reader.line(number, line.rstrip())
    yield from reader.flush()


class _BlockReader:
    """Collects the lines of one block: until an empty line, or the end of the fence it stands in."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._first = 1
        self._size = 0
        self._fence = ""

    def line(self, number: int, line: str) -> Iterator[TextBlock]:
        if self._fence:
            self._add(number, line)
            if line.strip().startswith(self._fence) and not line.strip().strip(self._fence[0]):
                self._fence = ""
                yield from self.flush()
        elif fence := _FENCE.match(line):
            yield from self.flush()
            self._fence = fence[1]
            self._add(number, line)
        elif (heading := _ATX.fullmatch(line)) and heading[2]:
            yield from self.flush()
            yield TextBlock("heading", heading[2].strip(), number, number, len(heading[1]))
        elif len(self._lines) == 1 and (under := _SETEXT.fullmatch(line)) and not _is_row(self._lines[0]):
            title, self._lines = self._lines[0].strip(), []
            yield TextBlock("heading", title, number - 1, number, 1 if under[1][0] == "=" else 2)
        elif line.strip():
            self._add(number, line)
        else:
            yield from self.flush()
        if self._size > PASSAGE and not self._fence:
            yield from self.flush()

    def flush(self) -> Iterator[TextBlock]:
        if self._lines:
            first, last = self._first, self._first + len(self._lines) - 1
            yield _block(self._lines, first, last)
        self._lines, self._size = [], 0

    def _add(self, number: int, line: str) -> None:
        if not self._lines:
            self._first, self._size = number, 0
        self._lines.append(line)
        self._size += len(line) + 1


def _block(lines_: list[str], first: int, last: int) -> TextBlock:
    if len(lines_) > 1 and _is_row(lines_[0]) and set(lines_[1].replace(" ", "")) <= set("|:-") and "-" in lines_[1]:
        rows = [_cells(line) for number, line in enumerate(lines_) if number != 1]
        return TextBlock("table", "\n".join(lines_), first, last, rows=rows)
    return TextBlock("text", "\n".join(lines_), first, last)


def _is_row(line: str) -> bool:
    return "|" in line


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return [part.replace("\\|", "|").strip() for part in re.split(r"(?<!\\)\|", inner)]


def _front_matter(lines_: Iterator[str]) -> dict[str, str]:
    """The simple lines between two `---` at the top; anything nested is left in the text."""
    properties: dict[str, str] = {}
    if next(lines_, "").strip() != "---":
        return {}
    for number, line in enumerate(lines_):
        if line.strip() == "---":
            return properties
        if number > _MATTER:
            break
        if match := _PROPERTY.fullmatch(line.strip()):
            properties[match[1].strip()] = match[2].strip().strip("\"'")[:500]
    return {}
