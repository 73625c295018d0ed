"""A whole document as Markdown, to make one of another kind of it: headings, lists, tables and pictures, without its look."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from workroom.contents.document import Document
from workroom.contents.parts import PartSelection
from workroom.contents.service import DocumentReader
from workroom.core.errors import TooLarge
from workroom.documents.errors import DocumentError
from workroom.documents.types import ContentObject, ContentType, SlideInfo
from workroom.identity.types import Principal

MOST_CHARACTERS = 2_000_000
MOST_PICTURES = 100
MOST_PICTURE_BYTES = 80_000_000
RUNNING = ("header", "footer")
MARKED_UP = ("markdown", "html", "epub")  # kinds of documents whose texts are Markdown when they are read
_MARKUP = re.compile(r"[*_`<&~]")  # not brackets: readers of office files write links and notes with them
_ANY_MARKUP = re.compile(r"[\\`*_{}\[\]<>()#+\-.!|~&=:]")
_INDENT = re.compile(r"^[ \t]+")
_LINE_MARKUP = re.compile(r"^(?:-{3,}$|={3,}$|\[(?=[^\]^]+\]:))|\\(?=[^*_`<&~])", re.MULTILINE)


@dataclass(frozen=True)
class MarkdownCopy:
    """`pictures`: by the address that the text has for them. `left_out`: how many could not be read, or were too many."""

    text: str
    pictures: Mapping[str, bytes]
    left_out: int
    is_cut: bool


async def markdown_copy(
    reader: DocumentReader, principal: Principal, document: Document, *, with_pictures: bool
) -> MarkdownCopy:
    """Raises TooLarge, and the DocumentError that says why it cannot be read."""
    objects, is_cut = await _objects(document)
    pictures: dict[str, bytes] = {}
    shown = [one for one in objects if one.content_type is ContentType.IMAGE]
    for picture in shown[:MOST_PICTURES] if with_pictures else ():
        try:
            found = await reader.picture(principal, document.stored_document, location=picture.ref.location)
        except DocumentError:
            continue
        if sum(map(len, pictures.values())) + len(found.data) <= MOST_PICTURE_BYTES:
            pictures[_address(picture)] = found.data
    structure = document.structure
    plain = structure.kind not in MARKED_UP
    text = await asyncio.to_thread(
        lambda: "\n\n".join(markdown_of(objects, structure.slides, pictures, plain=plain)) + "\n"
    )
    return MarkdownCopy(text, pictures, len(shown) - len(pictures), is_cut)


def markdown_of(
    objects: Iterable[ContentObject],
    slides: Sequence[SlideInfo] = (),
    pictures: Iterable[str] = (),
    *,
    plain: bool = False,
) -> Iterator[str]:
    """Paragraphs, headings, tables and pictures. Slides and sheets begin with a heading; a table that was read in slices is one.
    `plain`: stars and brackets within texts are no Markdown."""
    known, sheet, slide = frozenset(pictures), None, -1
    table: list[str] = []
    of_table = ""
    for one in objects:
        where = one.ref.location.partition("/rows:")[0]
        if table and where != of_table:
            yield "\n".join(table)
            table = []
        if one.ref.sheet_name != sheet:
            sheet = one.ref.sheet_name
            yield f"## {sheet}"
        if one.ref.slide_index is not None and one.ref.slide_index != slide:
            slide = one.ref.slide_index
            yield f"## {_slide_title(slides, slide)}"
        if one.metadata.get("role") in RUNNING:
            continue
        if one.content_type is ContentType.IMAGE and _address(one) in known:
            yield f"![{_flat(one.ref.label or '')}]({_address(one)})"
        elif one.metadata.get("table") or (one.ref.sheet_name and one.text.startswith("|")):
            lines = _text(one, plain).split("\n")
            table += lines[2:] if table else lines
            of_table = where
        elif one.text and not _is_title(one, slides):
            yield _text(one, plain)
    if table:
        yield "\n".join(table)


async def _objects(document: Document) -> tuple[list[ContentObject], bool]:
    objects: list[ContentObject] = []
    after, is_cut, length = (0, 0), False, 0
    while True:
        page = await document.passages(PartSelection(), after=after)
        objects += page.objects
        is_cut = is_cut or page.cut
        length += sum(len(one.text) for one in page.objects)
        if length > MOST_CHARACTERS:
            raise TooLarge(
                "The document has more than two million characters. Take a part of it, such as some of its pages."
            )
        if page.more is None:
            return objects, is_cut
        after = page.more


def plain_lines(text: str) -> str:
    """A text as it stands, line by line: nothing in it is Markdown."""
    lines = [_ANY_MARKUP.sub(r"\\\g<0>", line.rstrip()) for line in text.splitlines()]
    indented = [_INDENT.sub(lambda spaces: "\u00a0" * len(spaces[0].expandtabs(4)), line) for line in lines]
    # Two spaces at the end of a line keep its break; an empty line ends the paragraph.
    return "\n".join(f"{line}  " if line else "" for line in indented) + "\n"


def _slide_title(slides: Sequence[SlideInfo], index: int) -> str:
    title = next((slide.title for slide in slides if slide.slide_index == index), "")
    return _flat(title) or str(index + 1)


def _is_title(entry: ContentObject, slides: Sequence[SlideInfo]) -> bool:
    """Whether it says again what stands in the heading of its slide."""
    if entry.ref.slide_index is None:
        return False
    return _flat(entry.text.lstrip("# ")) == _slide_title(slides, entry.ref.slide_index)


def _text(entry: ContentObject, plain: bool) -> str:
    if not plain:
        return entry.text
    text = _MARKUP.sub(r"\\\g<0>", entry.text)
    # What readers write for notes and headings stays; a row of signs, and what looks like an address below a text, is text.
    is_table = entry.text.startswith("|")  # whose cells are escaped
    return text if is_table else _LINE_MARKUP.sub(r"\\\g<0>", text)


def _address(picture: ContentObject) -> str:
    return f"picture-{picture.sequence}"


def _flat(text: str) -> str:
    return " ".join(text.replace("[", "(").replace("]", ")").split())
