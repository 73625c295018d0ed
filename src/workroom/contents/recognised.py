"""Pictures whose text was recognised: what is kept of each, where it stands in its document, and which pages are left.

Everything is one part of its own, kept beside the page it belongs to: so a document that is read again is as it was, and what
was recognised comes in reading order."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workroom.contents.parts import part_finder
from workroom.documents import text_search
from workroom.documents.types import ContentObject, ContentType, ContextRef, Hit, Structure

PREFIX = "ocr:"
PICTURE = "image"  # where the picture lies that a file itself is
_PAGE = re.compile(r"page:(\d{1,6})")
_PAGED = re.compile(r"(page|slide):(\d{1,6})(?:/|$)")


@dataclass(frozen=True)
class PictureLocation:
    """A page, from 0, or the picture at a location."""

    page: int | None = None
    location: str | None = None

    @property
    def part(self) -> str:
        if self.page is not None:
            return f"{PREFIX}page:{self.page + 1}"
        return PREFIX + hashlib.sha256((self.location or "").encode()).hexdigest()


@dataclass(frozen=True)
class KeptPicture:
    """What is kept of one. `problem`: why its text could not be recognised."""

    part: str
    object: ContentObject

    @property
    def problem(self) -> str | None:
        return self.object.metadata.get("problem")

    @property
    def is_page(self) -> bool:
        return _PAGE.fullmatch(self.object.ref.location) is not None

    @property
    def label(self) -> str:
        page = self.object.ref.page_index
        return "The picture" if page is None else f"Page {page + 1}"


def picture_location(structure: Structure, page: int | None, location: str | None) -> PictureLocation:
    """The location of a picture, however it is named: a page as a location, the picture that a file is as its only page, and the
    first of several as the picture."""
    is_picture = structure.kind == "image"
    if location is not None and (structure.pages or is_picture) and (found := _PAGE.fullmatch(location)):
        page, location = int(found[1]) - 1, None
    if is_picture and structure.pages and location == PICTURE:
        return PictureLocation(page=0)
    if is_picture and not structure.pages and page == 0:
        return PictureLocation(location=PICTURE)
    return PictureLocation(page, location)


def object_of(spot: PictureLocation, container_path: str, text: str, problem: str | None = None) -> ContentObject:
    location = f"page:{spot.page + 1}" if spot.page is not None else spot.location or ""
    metadata = {"characters": len(text), "recognised": True} | ({"problem": problem} if problem else {})
    found = _PAGED.match(location)
    ref = ContextRef(
        container_path=container_path,
        location=location,
        page_index=int(found[2]) - 1 if found and found[1] == "page" else None,
        slide_index=int(found[2]) - 1 if found and found[1] == "slide" else None,
    )
    return ContentObject(sequence=0, content_type=ContentType.TEXT, text=text, ref=ref, metadata=metadata)


def pictures_in(structure: Structure) -> list[PictureLocation]:
    """Pages on which there are pictures and not a letter, in their order; of a picture that is a file, itself. In documents that
    flow, pages are only estimated."""
    if structure.kind == "image":
        return [PictureLocation(page=index) for index in range(structure.pages or 0)] or [
            PictureLocation(location=PICTURE)
        ]
    if structure.kind != "pdf":
        return []
    return [
        PictureLocation(page=page.page_index) for page in structure.page_map if not page.text_length and page.has_images
    ]


def unread_in(structure: Structure, kept: Sequence[KeptPicture]) -> list[PictureLocation]:
    """Those whose recognition was not tried yet."""
    tried = {picture.part for picture in kept}
    return [spot for spot in pictures_in(structure) if spot.part not in tried]


def found_in(objects: Sequence[ContentObject], text: str) -> list[Hit]:
    """Hits in recognised text; where they are on the picture is not known."""
    pattern = text_search.pattern_of(text)
    return [
        Hit(
            part=text_search.part_of(object.ref),
            location=object.ref.location,
            before=passage.before,
            match=passage.match,
            after=passage.after,
        )
        for object in objects
        for passage in text_search.matches_in(object.text, pattern)
    ]


def recognised_parts_by_part(structure: Structure, kept: Sequence[KeptPicture]) -> Mapping[str, list[str]]:
    """By the part of the document they stand in: the parts that say what was recognised there. Nothing is said twice: not by a
    page that has text of its own, nor by a picture on a page that was recognised as a whole."""
    worded = {page.page_index for page in structure.page_map if page.text_length}
    read = [picture for picture in kept if picture.problem is None]
    whole = {picture.object.ref.page_index for picture in read if picture.is_page} - worded
    found: defaultdict[str, list[str]] = defaultdict(list)
    part_of = part_finder(structure, ())
    for picture in read:
        if picture.object.ref.page_index not in (worded if picture.is_page else whole):
            found[part_of(picture.object)].append(picture.part)
    return found
