"""Paragraphs and tables with their embedded parts and notes: the common form of documents with flowing text."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from workroom.documents.office.package import Package

BlockFilter = Callable[[int], bool]  # whether the block with this number is wanted


@dataclass(frozen=True)
class EmbeddedPart:
    """A file embedded in a block. `kind`: image, object, chart, diagram. `target` is a part of the package."""

    kind: str
    target: str
    description: str = ""


@dataclass(frozen=True)
class FlowNote:
    """A note on a block. `kind`: footnote, endnote, comment."""

    kind: str
    id: str
    text: str
    author: str = ""


@dataclass
class FlowBlock:
    """A paragraph or a table. `number` counts from 1 over the document, empty paragraphs included."""

    number: int
    page: int  # from 0, by the marks a program left when it last showed the document
    estimate: float = 0.0  # the same by the amount of text before it
    text: str = ""
    level: int | None = None  # of a heading, from 1
    label: str | None = None  # its number or bullet
    indent: int = 0
    size: float = 0.0  # of its font, in points; 0 if unknown
    bold: bool = False
    is_caption: bool = False
    is_title: bool = False
    rows: list[list[str]] | None = None  # of a table
    cut: bool = False  # the table is too large and was not read whole
    parts: list[EmbeddedPart] = field(default_factory=list)
    boxes: list[str] = field(default_factory=list)  # texts of text boxes
    notes: list[FlowNote] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)  # addresses of pictures that are not in the file

    @property
    def line(self) -> str:
        """The text with its number or bullet."""
        if not self.text or self.label is None:
            return self.text
        return f"{'  ' * self.indent}{self.label} {self.text}"

    @property
    def has_attached(self) -> bool:
        return bool(self.parts or self.boxes or self.notes or self.outside)


class Flow(Protocol):
    """An open document with flowing text."""

    @property
    def package(self) -> Package: ...

    @property
    def pages_are_marked(self) -> bool:
        """Whether the file says where pages end; known after a pass over the blocks."""
        ...

    @property
    def declared_pages(self) -> int | None:
        """The number of pages the file declares; None if it does not."""
        ...

    def blocks(self, wanted: BlockFilter) -> Generator[FlowBlock, None, None]:
        """All blocks from the beginning. Blocks that are not wanted are counted with their pages, but only their headings
        are read."""
        ...

    def running(self, kind: str) -> Iterator[str]:
        """Different texts of `header`s or `footer`s, each once."""
        ...

    def chart(self, target: str) -> tuple[str, str, list[list[str]]]:
        """Title, kind and rows of a chart."""
        ...

    def diagram(self, target: str) -> list[str]: ...


def everything(_: int) -> bool:
    return True


def only_headings(_: int) -> bool:
    return False
