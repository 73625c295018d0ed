"""What a part of a document says, as a model reads it. The file's name is not in it: what is kept of it is for everybody who
has the same content, whatever they call it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from workroom.contents.parts import PartSelection
from workroom.contents.service import DocumentReader
from workroom.contents.types import StoredDocument
from workroom.documents.types import ContentObject, ContentType, ContextRef
from workroom.identity.types import Principal
from workroom.knowledge.digests.types import Stretch

AT_A_TIME = 200  # objects
MOST_TEXT = 4_000_000  # characters
CUT = "[… the rest is left out here: it is too long to be read at once …]"
Found = tuple[ContentObject, tuple[int, int]]


async def objects(
    reader: DocumentReader,
    principal: Principal,
    place: StoredDocument,
    selection: PartSelection,
    after: tuple[int, int] = (0, 0),
    most: int | None = None,
) -> AsyncGenerator[Found, None]:
    """With where each stands, to go on from there."""
    at: tuple[int, int] | None = after
    left = most
    while at is not None and left != 0:
        wanted = AT_A_TIME if left is None else min(AT_A_TIME, left)
        found = await reader.passages(principal, place, selection, after=at, most=wanted)
        for one in zip(found.objects, found.at, strict=True):
            yield one
        left = None if left is None else left - len(found.objects)
        at = found.more


async def text_of(
    reader: DocumentReader,
    principal: Principal,
    place: StoredDocument,
    stretches: tuple[Stretch, ...],
    accept: Callable[[ContentObject], bool] = lambda _: True,
) -> str:
    """No more of it than any model could read, however long the document is."""
    pieces: list[str] = []
    room = MOST_TEXT
    for stretch in stretches:
        heading = ""
        async with aclosing(
            objects(reader, principal, place, stretch.selection, stretch.after, stretch.objects)
        ) as found:
            async for object, _ in found:
                if not accept(object) or not (said := told(object)):
                    continue
                here = where(object.ref)
                pieces.append((said if here == heading else f"[{here}]\n{said}")[:room])
                room -= len(pieces[-1])
                heading = here
                if room <= 0:
                    return "\n\n".join([*pieces, CUT])
    return "\n\n".join(pieces)


def told(object: ContentObject) -> str:
    """Text; of pictures and the like what they are called."""
    if object.content_type is ContentType.TEXT:
        return object.text
    return f"[{object.content_type.value}: {object.ref.label}]" if object.ref.label else ""


def where(ref: ContextRef) -> str:
    if ref.page_index is not None:
        return f"page {ref.page_index + 1}"
    if ref.slide_index is not None:
        return f"slide {ref.slide_index + 1}"
    if ref.sheet_name is not None:
        return f"sheet {ref.sheet_name}"
    return f"section {ref.section_id}" if ref.section_id else "text"
