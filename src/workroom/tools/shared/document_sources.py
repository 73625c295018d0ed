"""What a document is made with besides its text: pictures and a template, which are files of the workspace."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass
from urllib.parse import unquote

from workroom.agent.tool import ToolContext
from workroom.contents.markdown_copy import markdown_copy, plain_lines
from workroom.contents.service import DocumentReader
from workroom.contents.types import StoredDocument
from workroom.core.errors import InvalidInput, TooLarge, WorkroomError
from workroom.documents.sniffing.names import is_textual
from workroom.documents.text_files import decode
from workroom.documents.writers.manuscript import pictures_named
from workroom.tools.shared.file_arguments import place_of

LARGEST_PICTURE = 25_000_000
LARGEST_TOGETHER = 80_000_000
LARGEST_TEMPLATE = 25_000_000
LARGEST_TEXT = 4_000_000
MARKDOWN, PLAIN = "text/markdown", "text/plain"
READ_BY_PARTS = ("text/csv", "text/html", "application/xhtml+xml", "text/rtf")
_FENCE = re.compile(r"`{3,}")
TEMPLATES: Mapping[str, tuple[str, ...]] = {"docx": (".docx", ".dotx"), "pptx": (".pptx", ".potx")}


async def pictures_of(ctx: ToolContext, markdown: str) -> Mapping[str, bytes]:
    """The pictures that the text names, as far as they are files that the user may read; nothing is fetched. Raises TooLarge."""
    pictures: dict[str, bytes] = {}
    for source in await asyncio.to_thread(pictures_named, markdown):
        place = await _picture(ctx, source)
        if place is None or place.size > LARGEST_PICTURE:
            continue
        if sum(map(len, pictures.values())) + place.size > LARGEST_TOGETHER:
            raise TooLarge("The pictures have more than 80 MB together. Leave some out, or use smaller ones.")
        pictures[source] = await content_of(ctx, place)
    return pictures


async def template_named(ctx: ToolContext, name: str, ending: str) -> bytes:
    place = await place_of(ctx, name)
    if place.size > LARGEST_TEMPLATE:
        raise TooLarge("The template is larger than 25 MB. Use one with fewer pictures.")
    if not place.name.casefold().endswith(TEMPLATES[ending]):
        raise InvalidInput(
            f"The template of a .{ending} file is such a file. “{place.name}” is another kind.", field="template"
        )
    return await content_of(ctx, place)


@dataclass(frozen=True)
class SourceText:
    """What another document is made of. `notes` say what of it could not be taken."""

    text: str
    pictures: Mapping[str, bytes]
    notes: list[str]


async def source_text(ctx: ToolContext, place: StoredDocument, *, with_pictures: bool) -> SourceText:
    """A file as Markdown, its pictures where the new document can show them. Raises TooLarge, and the DocumentError that says why
    it cannot be read."""
    media_type = place.key.media_type
    if is_textual(media_type) and media_type not in READ_BY_PARTS:
        if place.size > LARGEST_TEXT:
            raise TooLarge("The file has more than 4 MB of text. Take a part of it.")
        text = decode(await content_of(ctx, place))
        if media_type == PLAIN:
            text = await asyncio.to_thread(plain_lines, text)
        elif media_type != MARKDOWN:
            text = _as_code(text, place.name.rpartition(".")[2])
        pictures = await pictures_of(ctx, text) if with_pictures and media_type == MARKDOWN else {}
        return SourceText(text, pictures, [])
    reader = ctx.use(DocumentReader)
    copy = await markdown_copy(
        reader, ctx.principal, await reader.document(ctx.principal, place), with_pictures=with_pictures
    )
    if not copy.text.strip():
        raise InvalidInput(f"Nothing is written in “{place.name}”. A scan is read with extractContent, mode ocr.")
    notes = [f"{copy.left_out} of its pictures could not be taken over."] if copy.left_out else []
    notes += ["The file has more than could be read of it."] if copy.is_cut else []
    return SourceText(copy.text, copy.pictures, notes)


async def content_of(ctx: ToolContext, place: StoredDocument) -> bytes:
    async with aclosing(ctx.use(DocumentReader).bytes(ctx.principal, place)) as chunks:
        return b"".join([chunk async for chunk in chunks])


def _as_code(text: str, language: str) -> str:
    fence = "`" * max((len(mark) + 1 for mark in _FENCE.findall(text)), default=3)
    return f"{fence}{language}\n{text}\n{fence}\n"


async def _picture(ctx: ToolContext, source: str) -> StoredDocument | None:
    """None where no such file is found; the document says so where it would be."""
    if "://" in source:
        return None
    try:
        return await place_of(ctx, unquote(source).removeprefix("./"))
    except WorkroomError:
        return None
