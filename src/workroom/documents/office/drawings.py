"""What floats over the cells of a workbook: pictures, charts and text boxes, by sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.errors import DocumentError
from workroom.documents.office.columns import column_letters
from workroom.documents.office.frames import chart_of, parts_in_frame
from workroom.documents.office.package import Package
from workroom.documents.office.paragraphs import paragraphs
from workroom.documents.office.slides import relation_id
from workroom.documents.types import ContentType

_MAX_THINGS = 2_000
_ANCHORS = frozenset({"twoCellAnchor", "oneCellAnchor", "absoluteAnchor"})


@dataclass(frozen=True)
class SheetDrawing:
    """One thing over a sheet: a picture has a part, a chart its root, a text box its text."""

    cell: str  # of its top left corner, `B7`
    alternative: str = ""
    part: str = ""
    chart: Any = None
    text: str = ""


def sheet_parts(package: Package) -> dict[str, str]:
    """Names of sheets, and the parts they are in. Empty for formats that keep them otherwise."""
    main = next(iter(package.related("", "officeDocument")), "")
    if not main.endswith(".xml"):
        return {}
    root = package.tree(main)
    relations = package.relations(main)
    items = [] if root is None else root.iterfind("{*}sheets/{*}sheet")
    named = ((sheet.get("name", ""), relations.get(relation_id(sheet))) for sheet in items)
    return {name: relation.target for name, relation in named if relation is not None and relation.target in package}


def drawings_on(package: Package, sheet: str) -> Iterator[SheetDrawing]:
    count = 0
    for part in package.related(sheet, "drawing"):
        try:
            root = package.tree(part)
        except DocumentError:
            continue
        for anchor in [] if root is None else root:
            if local_name(anchor) in _ANCHORS and count < _MAX_THINGS:
                count += 1
                yield from _at(package, part, anchor)


def loose_pictures(package: Package) -> list[str]:
    """Pictures in packages whose sheets are not XML (XLSB) or refer to them otherwise (ODS)."""
    folders = ("xl/media/", "pictures/")
    return [name for name in package.names() if name.casefold().startswith(folders) and not name.endswith("/")]


def _at(package: Package, part: str, anchor: Any) -> Iterator[SheetDrawing]:
    cell = _cell(anchor)
    described = next(anchor.iter("{*}cNvPr"), None)
    alternative = "" if described is None else described.get("descr") or described.get("title") or ""
    chart = chart_of(package, part, anchor)
    if chart is not None:
        yield SheetDrawing(cell, alternative, chart=chart)
    for embedded in parts_in_frame(package, part, anchor):
        if embedded.content_type is ContentType.IMAGE:
            yield SheetDrawing(cell, alternative, part=embedded.part)
    for body in anchor.iter("{*}txBody"):
        if text := "\n".join(paragraphs(body)):
            yield SheetDrawing(cell, alternative, text=text)


def _cell(anchor: Any) -> str:
    start = anchor.find("{*}from")
    if start is None:
        return ""
    column, row = (_number(start, name) for name in ("{*}col", "{*}row"))
    return f"{column_letters(column)}{row + 1}"


def _number(start: Any, name: str) -> int:
    text = start.findtext(name) or ""
    return int(text) if text.isdecimal() else 0
