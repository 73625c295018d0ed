"""Pictures: size, format, frames and what the camera wrote. Scans of several pages (TIFF) have one object per page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from workroom.core.errors import NotFound
from workroom.documents.content import ObjectBuilder
from workroom.documents.errors import DamagedDocument, DocumentTooLarge, UnsupportedDocument
from workroom.documents.pictures import (
    MAX_PIXELS,
    as_png,
    frames_of,
    heif_size,
    open_picture,
    taken,
    too_many_pixels,
)
from workroom.documents.types import ContentObject, ContentType, Element, ExtractionScope, SourceFile, Structure

MAX_BYTES = 200 << 20
_HEIF = frozenset({"image/heic", "image/heif"})
_PAGED = "image/tiff"
_PLACE = re.compile(r"page:(\d{1,5})")
_WHOLE = "image"


class ImageExtractor:
    media_types = _HEIF | frozenset(
        f"image/{kind}"
        for kind in (
            "png",
            "jpeg",
            "gif",
            "tiff",
            "bmp",
            "webp",
            "avif",
            "x-icon",
            "jp2",
            "emf",
            "wmf",
            "vnd.adobe.photoshop",
        )
    )

    def scan(self, source: SourceFile) -> Structure:
        facts = _facts(source)
        frames = facts.get("frames", 1)
        shown = ("format", "taken", "camera", "orientation")
        return Structure(
            kind="image",
            pages=frames if source.media_type == _PAGED else None,
            counts={"images": frames if source.media_type == _PAGED else 1, "frames": frames},
            properties={
                **{name: str(facts[name]) for name in shown if name in facts},
                **({"size": f"{facts['width']} x {facts['height']}"} if "width" in facts else {}),
            },
        )

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        objects = ObjectBuilder(source)
        facts = _facts(source)
        if source.media_type == _PAGED and facts.get("frames", 1) > 1:
            for index, (width, height) in _pages(source):
                if wanted.everything or index in wanted.pages:
                    page_facts = {**facts, "width": width, "height": height, "mediaType": "image/png", "scanned": True}
                    page_facts.pop("bytes")
                    yield objects.media(ContentType.IMAGE, f"page:{index + 1}", metadata=page_facts, page_index=index)
        elif wanted.everything or 0 in wanted.pages:
            yield objects.media(ContentType.IMAGE, _WHOLE, metadata=facts)

    def element(self, source: SourceFile, location: str) -> Element:
        if location == _WHOLE:
            return Element(source.path.read_bytes(), source.media_type, source.name, _facts(source))
        match = _PLACE.fullmatch(location)
        if match is None:
            raise NotFound(f"{source.name} has nothing at {location}.")
        return _page(source, int(match[1]) - 1)

    def page_image(self, source: SourceFile, page_index: int, width: int) -> Element:
        """For what no browser shows: TIFF, Photoshop, JPEG 2000 and others, each page or the picture itself."""
        if source.media_type in _HEIF:
            raise UnsupportedDocument(
                "Pictures of this kind (HEIC) cannot be shown here. Save it as JPEG and upload that."
            )
        return _page(source, page_index, width)


EXTRACTOR = ImageExtractor()


def _facts(source: SourceFile) -> dict[str, Any]:
    size = source.path.stat().st_size
    facts: dict[str, Any] = {"mediaType": source.media_type, "bytes": size}
    if not size:
        raise DamagedDocument(f"{source.name} is empty. The upload may have been cut off: send it again.")
    if size > MAX_BYTES:
        raise DocumentTooLarge(
            f"{source.name} has {size >> 20} MB; pictures of up to {MAX_BYTES >> 20} MB can be read."
        )
    if source.media_type in _HEIF:
        with source.path.open("rb") as file:
            return {**facts, "format": "HEIC", **heif_size(file.read(1 << 16))}
    with open_picture(source.path, source.name) as picture:
        frames = frames_of(picture)
        facts |= {"width": picture.width, "height": picture.height, "format": picture.format or ""}
        facts |= {"frames": frames} if frames > 1 else {}
        return facts | taken(picture)


def _pages(source: SourceFile) -> Iterator[tuple[int, tuple[int, int]]]:
    with open_picture(source.path, source.name) as picture:
        for index in range(frames_of(picture)):
            try:
                picture.seek(index)
            except Exception:  # the rest of the file is missing
                return
            yield index, picture.size


def _page(source: SourceFile, index: int, width: int | None = None) -> Element:
    with open_picture(source.path, source.name) as picture:
        if not 0 <= index < frames_of(picture):
            raise NotFound(f"{source.name} has no page {index + 1}.")
        what = f"Page {index + 1} of {source.name}"
        try:
            picture.seek(index)
        except (OSError, ValueError, SyntaxError, EOFError, MemoryError) as error:
            raise DamagedDocument(f"{what} is damaged ({error}). Send it again.") from None
        if picture.width * picture.height > MAX_PIXELS:
            raise too_many_pixels(source.name)
        data = as_png(picture, what, within=(width, 10 * width) if width else None)
        facts = {"width": picture.width, "height": picture.height, "bytes": len(data)}
        return Element(data, "image/png", f"{source.name}-{index + 1}.png", facts)
