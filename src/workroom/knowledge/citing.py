"""Where a passage stands, as people say it, and as a source that can be cited and opened."""

from __future__ import annotations

from workroom.contents.quoting import opening, where
from workroom.core import places
from workroom.core.sources import Source, mark_of
from workroom.documents.types import ContextRef
from workroom.knowledge.types import Passage


def place_of(passage: Passage) -> str:
    """`page 47 of report.pdf`; of a text without pages the heading it stands under."""
    said = _place(passage.ref)
    return places.recognised(said) if passage.ref.recognised else said


def source_of(passage: Passage) -> Source:
    """Cited as a passage: its words are marked where it opens, unless they are part of a picture."""
    mark = mark_of(passage.file_id, passage.inside, passage.version, *passage.chunks)
    opens = opening(passage.file_id, passage.inside, passage.ref, None if passage.ref.recognised else passage.quote)
    return Source(mark=mark, label=place_of(passage)[:500], opens=opens)


def _place(ref: ContextRef) -> str:
    paged = ref.page_index is not None or ref.slide_index is not None or ref.sheet_name is not None
    if not paged and ref.label:
        return places.of(places.titled(ref.label), ref.container_path)
    return where(ref, ref.container_path) if paged else ref.container_path
