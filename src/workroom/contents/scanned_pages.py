"""Notes about pages and slides without readable text: scans, pictures and empty ones are named, never passed over.

Whether text in pictures can be recognised depends on this machine today, not on the document: it is not kept with it."""

from __future__ import annotations

from collections.abc import Sequence

from workroom.documents import ocr
from workroom.documents.types import ContentObject, Structure

UNREAD = "text recognition is not installed"
READABLE = "text recognition can read {them}"
_MOST = 20  # stretches of numbers in one sentence

Unit = tuple[int, int, bool]  # its index, the length of its text, whether there are pictures on it


def with_page_notes(structure: Structure) -> Structure:
    """Adds a note about pages that are pictures, and one about pages that have neither text nor pictures."""
    said = _said("Page", _pages(structure))
    said += _said("Slide", [(slide.slide_index, slide.text_length, slide.has_images) for slide in structure.slides])
    return structure.model_copy(update={"notes": [*structure.notes, *said]}) if said else structure


def image_page_note(object: ContentObject) -> str | None:
    """What to say of a page or slide that is a picture; None for everything else."""
    if not (object.metadata.get("scanned") or object.metadata.get("drawn")):
        return None
    ref = object.ref
    number = ref.page_index if ref.page_index is not None else ref.slide_index
    if number is None:
        return None
    what = "page" if ref.page_index is not None else "slide"
    if not ocr.is_available():
        return f"[{what} {number + 1} is an image; {UNREAD}]"
    return f"[{what} {number + 1} is an image; extractContent with mode ocr reads it, location {ref.location}]"


def _pages(structure: Structure) -> list[Unit]:
    """Pages of printed or scanned documents; in documents that flow, pages are only estimated."""
    if structure.kind == "image":
        return [(index, 0, True) for index in range(structure.pages or 0)]
    if structure.kind != "pdf":
        return []
    return [(page.page_index, page.text_length, page.has_images) for page in structure.page_map]


def _said(what: str, units_: Sequence[Unit]) -> list[str]:
    pictures = [index + 1 for index, length, has_images in units_ if length == 0 and has_images]
    empty = [index + 1 for index, length, has_images in units_ if length == 0 and not has_images]
    said = []
    if pictures:
        can = READABLE.format(them="it" if len(pictures) == 1 else "them") if ocr.is_available() else UNREAD
        said.append(f"{_named(what, pictures)} {'is an image' if len(pictures) == 1 else 'are images'}; {can}.")
    if empty:
        said.append(f"{_named(what, empty)} {'has' if len(empty) == 1 else 'have'} no text.")
    return said


def _named(what: str, numbers: Sequence[int]) -> str:
    """`Pages 3, 5-9`."""
    stretches: list[tuple[int, int]] = []
    for number in numbers:
        if stretches and number == stretches[-1][1] + 1:
            stretches[-1] = (stretches[-1][0], number)
        else:
            stretches.append((number, number))
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in stretches[:_MOST]]
    more = " and more" if len(stretches) > _MOST else ""
    return f"{what}{'s' if len(numbers) > 1 else ''} {', '.join(shown)}{more}"
