"""ODP (LibreOffice Impress): slides in order with titles, text, lists, tables, notes and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from workroom.core.errors import NotFound
from workroom.documents.content import ObjectBuilder
from workroom.documents.embedded import element_of, facts_of
from workroom.documents.errors import DamagedDocument
from workroom.documents.office.odp_slides import OdpShape, OdpSlide, odp_slides
from workroom.documents.office.package import Package, encrypted
from workroom.documents.office.properties import open_document_properties
from workroom.documents.table_slices import table_objects
from workroom.documents.types import (
    ContentObject,
    ContentType,
    Element,
    ExtractionScope,
    SlideInfo,
    SourceFile,
    Structure,
    TocEntry,
)

_ODF = "application/vnd.oasis.opendocument.presentation"
_LOCATION = re.compile(r"slide:(\d{1,6})/shape:(\d{1,6})")


class OdpExtractor:
    media_types = frozenset({_ODF, f"{_ODF}-template"})

    def scan(self, source: SourceFile) -> Structure:
        with _open(source) as package:
            slides: list[SlideInfo] = []
            counts = {"slides": 0, "images": 0, "tables": 0}
            for slide in _slides(package):
                shapes = slide.shapes()
                images = sum(bool(shape.picture) for shape in shapes)
                slides.append(
                    SlideInfo(
                        slide_index=slide.index,
                        title=slide.title,
                        text_length=sum(map(_length, shapes)),
                        has_images=images > 0,
                        hidden=slide.hidden,
                    )
                )
                counts["images"] += images
                counts["tables"] += sum(bool(shape.rows) for shape in shapes)
            counts["slides"] = len(slides)
            toc = [
                TocEntry(title=slide.title, level=1, page_index=slide.slide_index) for slide in slides if slide.title
            ]
            properties = open_document_properties(package)
            return Structure(kind="odp", slides=slides, toc=toc, counts=counts, properties=properties)

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        objects = ObjectBuilder(source)
        with _open(source) as package:
            for slide in _slides(package):
                if wanted.everything or slide.index in wanted.slides:
                    yield from _objects(objects, package, slide)

    def element(self, source: SourceFile, location: str) -> Element:
        match = _LOCATION.fullmatch(location)
        with _open(source) as package:
            for slide in _slides(package) if match else ():
                for shape in slide.shapes() if match and slide.index == int(match[1]) - 1 else ():
                    if match and shape.number == int(match[2]) and shape.picture in package:
                        return element_of(package.read(shape.picture), shape.picture)
        raise NotFound(f"{source.name} has no picture at {location}.")

    def page_image(self, source: SourceFile, page_index: int, width: int) -> Element:
        """An SVG, drawn from what the file says: see open_slide_pictures/."""
        from workroom.documents.open_slide_pictures.slide import slide_picture

        with _open(source) as package:
            content = _content(package)
            slides = odp_slides(content)
            if not 0 <= page_index < len(slides):
                raise NotFound(f"{source.name} has {len(slides)} slides; there is no slide {page_index + 1}.")
            return slide_picture(package, content, slides[page_index].page, page_index, width)


EXTRACTOR = OdpExtractor()


def _open(source: SourceFile) -> Package:
    package = Package(source)
    manifest = package.read("META-INF/manifest.xml") if "META-INF/manifest.xml" in package else b""
    if b"encryption-data" in manifest:
        package.close()
        raise encrypted(source)
    return package


def _slides(package: Package) -> list[OdpSlide]:
    return odp_slides(_content(package))


def _content(package: Package) -> Any:
    root = package.tree("content.xml")
    if root is None:
        raise DamagedDocument(f"{package.source.name} has no content. Send it again, or save it anew where it opens.")
    return root


def _length(shape: OdpShape) -> int:
    return sum(map(len, (*shape.texts, *(cell for row in shape.rows for cell in row))))


def _objects(objects: ObjectBuilder, package: Package, slide: OdpSlide) -> Iterator[ContentObject]:
    facts: dict[str, Any] = {"hidden": True} if slide.hidden else {}
    ref: dict[str, Any] = {"slide_index": slide.index, "label": slide.title or None}
    shapes = slide.shapes()
    scanned = {} if any(map(_length, shapes)) else {"scanned": True}
    for shape in shapes:
        location = f"slide:{slide.index + 1}/shape:{shape.number}"
        if shape.rows:
            yield from table_objects(objects, location, shape.rows, facts=facts, **ref)
        elif shape.texts:
            text = "# " + " ".join(shape.texts) if shape.is_title else "\n".join(shape.texts)
            notes_facts = {**facts, **({"role": "title"} if shape.is_title else {})}
            yield from objects.text(text, location, metadata=notes_facts, **ref)
        elif shape.picture and shape.picture in package:
            notes_facts = {**facts, **facts_of(package.read(shape.picture), shape.picture), **scanned}
            label = shape.alternative or slide.title or None
            yield objects.media(ContentType.IMAGE, location, metadata=notes_facts, slide_index=slide.index, label=label)
    notes_facts = {**facts, "role": "notes"}
    yield from objects.text("\n".join(slide.notes()), f"slide:{slide.index + 1}/notes", metadata=notes_facts, **ref)
