"""Content objects of a sheet beside its cells: pictures, charts, text boxes, comments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workroom.documents.content import ObjectBuilder
from workroom.documents.embedded import facts_of
from workroom.documents.office.charts import chart_kind, chart_rows, chart_title
from workroom.documents.office.comments import sheet_comments
from workroom.documents.office.drawings import SheetDrawing, drawings_on, loose_pictures, sheet_parts
from workroom.documents.office.package import Package
from workroom.documents.table_slices import table_objects
from workroom.documents.types import ContentObject, ContentType


class SheetObjects:
    """Objects of one workbook; none without a package (old formats)."""

    def __init__(self, objects: ObjectBuilder, package: Package | None) -> None:
        self._objects = objects
        self._package = package
        self._parts = sheet_parts(package) if package is not None else {}

    def of(self, name: str, facts: dict[str, Any]) -> Iterator[ContentObject]:
        part = self._parts.get(name)
        if self._package is None or part is None:
            return
        pictures = charts = boxes = 0
        where = f"sheet:{name}"
        for drawn in drawings_on(self._package, part):
            if drawn.part:
                pictures += 1
                own_facts = {**facts, **facts_of(self._package.read(drawn.part), drawn.part), "cell": drawn.cell}
                ref: dict[str, Any] = {"sheet_name": name, "label": drawn.alternative or name}
                yield self._objects.media(ContentType.IMAGE, f"{where}/image:{pictures}", metadata=own_facts, **ref)
            elif drawn.chart is not None:
                charts += 1
                yield from self._chart(drawn, f"{where}/chart:{charts}", name, facts)
            else:
                boxes += 1
                yield from self._objects.text(drawn.text, f"{where}/box:{boxes}", metadata=facts, sheet_name=name)
        remarks = [f"{cell}: {text}" if cell else text for cell, text in sheet_comments(self._package, part)]
        own_facts = {**facts, "role": "comments"}
        yield from self._objects.text(
            "\n".join(remarks), f"{where}/comments", metadata=own_facts, sheet_name=name, label=name
        )

    def loose(self) -> Iterator[ContentObject]:
        """Pictures of formats that do not say in XML which sheet they belong to."""
        if self._package is not None:
            for number, part in enumerate(pictures_of(self._package, None), start=1):
                own_facts = facts_of(self._package.read(part), part)
                yield self._objects.media(ContentType.IMAGE, f"image:{number}", metadata=own_facts)

    def _chart(self, drawn: SheetDrawing, location: str, name: str, facts: dict[str, Any]) -> Iterator[ContentObject]:
        title = chart_title(drawn.chart)
        own_facts = {**facts, "chart": chart_kind(drawn.chart), "cell": drawn.cell}
        if title:
            yield from self._objects.text(title, f"{location}/title", metadata=facts, sheet_name=name, label=title)
        rows = chart_rows(drawn.chart)
        yield from table_objects(self._objects, location, rows, facts=own_facts, sheet_name=name, label=title or name)


def pictures_of(package: Package, sheet: str | None) -> list[str]:
    """Parts of the pictures on a sheet; without a name, of those whose sheet is not said."""
    parts = sheet_parts(package)
    if sheet is None:
        return [] if parts else loose_pictures(package)
    return [drawn.part for drawn in drawings_on(package, parts[sheet]) if drawn.part] if sheet in parts else []
