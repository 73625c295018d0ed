"""Quotes parts of a document within a size limit; every piece is headed by its place and the mark to cite it by."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from uuid import UUID

from workroom.contents.document import Document
from workroom.contents.parts import PartSelection
from workroom.contents.scanned_pages import image_page_note
from workroom.contents.types import StoredDocument
from workroom.core.actions import OpenFile
from workroom.core.places import DocumentPlace, file_place, numbered_place, section_place, sheet_place
from workroom.core.sources import Source, citation, mark_of, unmarked
from workroom.documents.types import ContentObject, ContentType, ContextRef

AT_A_TIME = 10  # objects, so that little is read for a short quote
FACTS = ("width", "height", "duration", "mediaType", "bytes")
Accept = Callable[[ContentObject], bool]


@dataclass(frozen=True)
class Quote:
    """`more`: where it goes on, for `after`; `cut`: the file has more than is kept of it. The marks of the `sources` stand in
    the text, each where its place begins."""

    text: str
    objects: int
    more: tuple[int, int] | None = None
    cut: bool = False
    sources: list[Source] = field(default_factory=list)


async def quote(
    document: Document,
    selection: PartSelection,
    room: int,
    *,
    measure: Callable[[str], int] = len,
    after: tuple[int, int] = (0, 0),
    types: Collection[ContentType] = (),
    accept: Accept = lambda _: True,
) -> Quote:
    """As many whole objects of the selection as there is room for, but at least one."""
    stored_document = document.stored_document
    pieces, spent, heading = list[str](), 0, ""
    sources: dict[str, Source] = {}
    while True:
        found = await document.passages(selection, after=after, most=AT_A_TIME)
        for object, at in zip(found.objects, found.at, strict=True):
            if (types and object.content_type not in types) or not accept(object):
                continue
            here, said = unmarked(place_at(object.ref, stored_document.name).label), unmarked(object_text(object))
            source = source_of(stored_document, object.ref)
            piece = said if here == heading else f"[{here}] {citation([source.mark])}\n{said}"
            cost = measure(piece) + 1
            if pieces and spent + cost > room:
                return Quote("\n\n".join(pieces), len(pieces), at, found.cut, list(sources.values()))
            pieces.append(piece)
            sources[source.mark] = source
            spent, heading = spent + cost, here
        if found.more is None:
            return Quote("\n\n".join(pieces), len(pieces), None, found.cut, list(sources.values()))
        after = found.more


def place_at(ref: ContextRef, path: str) -> DocumentPlace:
    """The page, slide, sheet or section on which something stands in the document at `path`."""
    if ref.page_index is not None:
        return numbered_place("page", [ref.page_index + 1], path)
    if ref.slide_index is not None:
        return numbered_place("slide", [ref.slide_index + 1], path)
    if ref.sheet_name is not None:
        return sheet_place(ref.sheet_name, path)
    return section_place(ref.section_id, path=path) if ref.section_id else file_place(path)


def source_of(document: StoredDocument, ref: ContextRef) -> Source:
    """The page, slide, sheet or section it stands on: what is read of it twice is one source."""
    at = open_file_at(document.file.id, document.inside, ref)
    mark = mark_of(document.file.id, document.inside, at.page, at.slide, at.sheet, at.section)
    return Source(mark=mark, place=place_at(ref, document.container_path), opens=at)


def open_file_at(file_id: UUID, inside: str, ref: ContextRef, quote: str | None = None) -> OpenFile:
    """A section only where there is nothing better to turn to."""
    page = None if ref.page_index is None else ref.page_index + 1
    slide = None if ref.slide_index is None else ref.slide_index + 1
    known = page or slide or ref.sheet_name
    return OpenFile(
        file_id=file_id,
        inside=inside or None,
        page=page,
        slide=slide,
        sheet=ref.sheet_name,
        section=None if known else ref.section_id,
        quote=quote,
    )


def object_text(object: ContentObject) -> str:
    """The text of an object; of a picture or recording what is known of it, and its location."""
    if object.text:
        return object.text
    if (said := image_page_note(object)) is not None:
        return said
    facts = [f"{key} {object.metadata[key]}" for key in FACTS if object.metadata.get(key)]
    label = f" “{object.ref.label}”" if object.ref.label else ""
    return f"[{object.content_type}{label}, {', '.join([*facts, f'location {object.ref.location}'])}]"
