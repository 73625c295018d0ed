"""Values of documents: content objects, structure, positions. All are JSON; bytes of pictures stay in the document."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import Field

from workroom.core.wire import Wire


class ContentType(StrEnum):
    TEXT = "text"  # running text, code, tables as Markdown
    IMAGE = "image"
    VIDEO = "videostream"
    AUDIO = "audiostream"
    OTHER = "other"  # embedded objects, formulas, anything unclassified


class ContextRef(Wire):
    """Where something was found. `location` is exact and can be asked for again: `page:5/region:bottomLeft`,
    `section:3/paragraph:12`, `sheet:Q4/rows:1-200`, `slide:7/shape:3`, `part:2` of a mail."""

    container_path: str  # `archive.zip/folder/report.pdf`; just the name for a file that lies in no container
    location: str
    label: str | None = None  # a caption or heading: `Figure 3: Overview`
    page_index: int | None = None  # from 0
    section_id: str | None = None
    sheet_name: str | None = None
    slide_index: int | None = None  # from 0
    recognised: bool | None = None  # its text was recognised in a picture


class ContentObject(Wire):
    """`sequence` is the reading order within the file, from 0. Only text carries its content; everything else is fetched by
    its location on demand. `metadata`: characters, dimensions, duration, bytes, media type, language …"""

    sequence: int
    content_type: ContentType
    text: str = ""
    ref: ContextRef
    metadata: dict[str, Any] = Field(default_factory=dict)


class TocEntry(Wire):
    title: str
    level: int  # from 1
    page_index: int | None = None


class Section(Wire):
    """From a heading to the next of its level. `start_page` and `end_page` are indices, both included; None where the
    format knows no pages. `first` and `last` are the format's own units (paragraphs, lines), both included."""

    id: str  # `s1`, `s1.2`: stable for the same bytes
    title: str
    level: int
    start_page: int | None = None
    end_page: int | None = None
    first: int | None = None
    last: int | None = None


class PageInfo(Wire):
    page_index: int
    headings: list[str] = Field(default_factory=list)
    has_images: bool = False
    text_length: int = 0
    has_table: bool = False


class SheetInfo(Wire):
    name: str
    rows: int
    columns: int
    hidden: bool = False


class SlideInfo(Wire):
    slide_index: int
    title: str = ""
    text_length: int = 0
    has_images: bool = False
    hidden: bool = False


class Structure(Wire):
    """Structure of a document, from a quick scan."""

    kind: str  # `pdf`, `docx`, `xlsx`, `mail`, …
    pages: int | None = None
    toc: list[TocEntry] = Field(default_factory=list)
    sections: list[Section] = Field(default_factory=list)
    page_map: list[PageInfo] = Field(default_factory=list)
    sheets: list[SheetInfo] = Field(default_factory=list)
    slides: list[SlideInfo] = Field(default_factory=list)
    counts: dict[str, int] = Field(
        default_factory=dict
    )  # pages, images, tables, textBlocks, sheets, slides, attachments …
    properties: dict[str, str] = Field(default_factory=dict)  # title, author, subject, dates, as the file says
    notes: list[str] = Field(default_factory=list)  # what could not be read, and why


class PlaceOnPage(Wire):
    """In points, from the upper left corner of the page as people see it: turned upright, cut to its visible part."""

    x: float
    y: float
    width: float
    height: float


class TextLine(PlaceOnPage):
    """Words that stand together on one line. What is written upwards or downwards has a place, too: a high, narrow one."""

    text: str


class PageLink(PlaceOnPage):
    """A link to an address, or to a page of the same document, as the file declares it; not checked."""

    address: str | None = None
    page_index: int | None = None


class PageText(Wire):
    """Text of a page with positions, for a layer of selectable text over its picture; not in reading order."""

    width: float
    height: float
    lines: list[TextLine] = Field(default_factory=list)
    recognised: str | None = None  # of a page without any: its OCR text, without positions
    links: list[PageLink] = Field(default_factory=list)


class Hit(Wire):
    """Where a text was found. `part` can be asked for again: `page:47`, `slide:3`, `sheet:Q4`, `section:s1.2`, or `whole`."""

    part: str
    location: str
    before: str
    match: str
    after: str
    boxes: list[PlaceOnPage] = Field(default_factory=list)  # one per line it stands on; only where pages have places


@dataclass(frozen=True)
class SourceFile:
    """A file to parse. `path` is a local file that does not change meanwhile; `name` is the one users see."""

    path: Path
    name: str
    media_type: str
    container_path: str


@dataclass(frozen=True)
class ExtractionScope:
    """Which parts an extractor is to read; an empty scope means all of them."""

    pages: frozenset[int] = frozenset()  # indices
    sections: frozenset[str] = frozenset()  # ids
    sheets: frozenset[str] = frozenset()
    slides: frozenset[int] = frozenset()

    @property
    def everything(self) -> bool:
        return not (self.pages or self.sections or self.sheets or self.slides)


@dataclass(frozen=True)
class Element:
    """One picture, recording or embedded object, by itself."""

    data: bytes
    media_type: str
    name: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
