"""Slides of an OpenDocument presentation: frames from the top left, with their texts, tables and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.whitespace import one_line

MAX_SLIDES = 5_000
_MAX_SHAPES = 5_000
_MAX_REPEATED = 200
_ROW = 0.7  # centimetres within which shapes stand in one row
_LENGTH = re.compile(r"(-?[\d.]+)(cm|mm|in|pt|px)")
_CENTIMETRES = {"cm": 1.0, "mm": 0.1, "in": 2.54, "pt": 0.0353, "px": 0.0265}
_SHAPES = frozenset(
    {"frame", "custom-shape", "rect", "ellipse", "line", "connector", "polygon", "path", "regular-polygon"}
)


@dataclass(frozen=True)
class OdpShape:
    number: int
    is_title: bool
    top: float
    left: float
    texts: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    picture: str = ""
    alternative: str = ""


class OdpSlide:
    def __init__(self, index: int, page: Any) -> None:
        self.index = index
        self.page = page

    @property
    def hidden(self) -> bool:
        return _attribute(self.page, "visibility") == "hidden"

    @property
    def title(self) -> str:
        return next(
            (one_line(" ".join(shape.texts), 300) for shape in self.shapes() if shape.is_title and shape.texts), ""
        )

    def shapes(self) -> list[OdpShape]:
        """Titles first, then in rows from the top, each from the left."""
        shapes = [_shape(number, element) for number, element in enumerate(_elements(self.page), start=1)]
        ordered = sorted(shapes, key=lambda shape: (not shape.is_title, shape.top))
        rows: list[list[OdpShape]] = []
        for shape in ordered:
            first = rows[-1][0] if rows else None
            if first is not None and first.is_title == shape.is_title and shape.top - first.top < _ROW:
                rows[-1].append(shape)
            else:
                rows.append([shape])
        return [shape for row in rows for shape in sorted(row, key=lambda shape: (shape.left, shape.number))]

    def notes(self) -> list[str]:
        holder = self.page.find("{*}notes")
        return [] if holder is None else [text for box in holder.iter("{*}text-box") for text in _texts(box)]


def odp_slides(root: Any) -> list[OdpSlide]:
    pages = root.iterfind("{*}body/{*}presentation/{*}page")
    return [OdpSlide(index, page) for index, page in enumerate(pages) if index < MAX_SLIDES]


def _elements(page: Any) -> Iterator[Any]:
    """Groups are opened; notes have frames, too, and are not part of the slide."""
    waiting = list(reversed(page))
    count = 0
    while waiting and count < _MAX_SHAPES:
        element = waiting.pop()
        name = local_name(element)
        if name == "g":
            waiting.extend(reversed(element))
        elif name in _SHAPES:
            count += 1
            yield element


def _shape(number: int, element: Any) -> OdpShape:
    table, image = element.find("{*}table"), element.find("{*}image")
    box = element.find("{*}text-box")
    holder = element if box is None and local_name(element) != "frame" else box
    words = element.find("{*}desc")
    return OdpShape(
        number,
        _attribute(element, "class") == "title",
        _length(_attribute(element, "y")),
        _length(_attribute(element, "x")),
        texts=[] if holder is None else list(_texts(holder)),
        rows=[] if table is None else table_rows(table),
        picture="" if image is None or table is not None else _attribute(image, "href").removeprefix("./"),
        alternative="" if words is None else one_line(words.text or "", 300),
    )


def _texts(holder: Any, depth: int = 0) -> Iterator[str]:
    for child in holder:
        name = local_name(child)
        if name in ("p", "h"):
            if text := one_line(plain(child)):
                yield text
        elif name == "list" and depth < 9:
            for item in child.iterfind("{*}list-item"):
                yield from _item(item, depth)


def _item(item: Any, depth: int) -> Iterator[str]:
    for number, text in enumerate(_texts(item, depth + 1)):
        yield text if text.startswith(("- ", "  ")) else f"{'  ' * depth}{'- ' if number == 0 else '  '}{text}"


def plain(paragraph: Any) -> str:
    """Spaces, tabs and line breaks are elements here; remarks are not part of the text."""
    pieces: list[str] = [paragraph.text or ""]
    for child in paragraph:
        name = local_name(child)
        if name == "s" or name in ("tab", "line-break"):
            pieces.append(" ")
        elif name not in ("annotation", "note"):
            pieces.append(plain(child))
        pieces.append(child.tail or "")
    return "".join(pieces)


def table_rows(table: Any) -> list[list[str]]:
    """Cells say once in each row they are merged over what they say: every row can be read alone."""
    rows: list[list[str]] = []
    spans: dict[int, tuple[int, str]] = {}  # by column: for how many more rows a merged cell reaches down, and its text
    for row in table.iter("{*}table-row"):
        current: list[str] = []
        for item in row:
            for _ in range(min(_count(item, "number-columns-repeated"), _MAX_REPEATED)):
                left, above = spans.pop(len(current), (0, ""))
                if local_name(item) == "covered-table-cell":
                    current.append(above)
                else:
                    current.append(above := " ".join(_texts(item)))
                    left = _count(item, "number-rows-spanned")
                if left > 1:
                    spans[len(current) - 1] = (left - 1, above)
        rows.append(current)
    return rows


def _attribute(element: Any, name: str) -> str:
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def _count(element: Any, name: str) -> int:
    value = _attribute(element, name)
    return max(1, int(value)) if value.isdecimal() else 1


def _length(text: str) -> float:
    match = _LENGTH.fullmatch(text)
    try:
        return float(match[1]) * _CENTIMETRES[match[2]] if match else 0.0
    except ValueError:
        return 0.0
