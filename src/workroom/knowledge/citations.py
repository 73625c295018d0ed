"""Where a passage stands: as a place, and as a source that can be cited and opened."""

from __future__ import annotations

from workroom.contents.quotes import open_file_at, place_at
from workroom.core.places import DocumentPlace, file_place, titled_place
from workroom.core.sources import Source, mark_of
from workroom.documents.types import ContextRef
from workroom.knowledge.types import Passage


def place_of(passage: Passage) -> DocumentPlace:
    """The page, slide or sheet of a passage; in a text without pages the heading above it."""
    return _place(passage.ref).model_copy(update={"recognised": bool(passage.ref.recognised)})


def source_of(passage: Passage) -> Source:
    """Cited as a passage: its words are marked where it opens, unless they are part of a picture."""
    mark = mark_of(passage.file_id, passage.inside, passage.version, *passage.chunks)
    opens = open_file_at(
        passage.file_id, passage.inside, passage.ref, None if passage.ref.recognised else passage.quote
    )
    return Source(mark=mark, place=place_of(passage), opens=opens)


def _place(ref: ContextRef) -> DocumentPlace:
    if ref.page_index is not None or ref.slide_index is not None or ref.sheet_name is not None:
        return place_at(ref, ref.container_path)
    return titled_place(ref.label, ref.container_path) if ref.label else file_place(ref.container_path)
