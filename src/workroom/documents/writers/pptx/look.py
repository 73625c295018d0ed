"""Layouts of a presentation by what they are for, and where on them there is room. Lengths are points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workroom.documents.writers.pptx.pieces import SMALLEST, SlideBox
from workroom.documents.writers.pptx.runs import Runs, TextRun, cut, full_text
from workroom.documents.writers.pptx.text_measures import lines_of

EMU = 12_700
TITLES = ("title", "ctrTitle")
TEXTS = ("body", "obj", "subTitle", None)  # a placeholder without a type takes anything
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
LARGEST_SIZE = 20.0
INSET = 7.2  # of a text from its placeholder
SMALLEST_TITLE = 20.0
MOST_TITLE_LINES = 3


class Look:
    """What a presentation without slides looks like. `layout` by the kind of a slide: title, section, content."""

    def __init__(self, presentation: Any) -> None:
        layouts = list(presentation.slide_layouts)
        self.width, self.height = presentation.slide_width / EMU, presentation.slide_height / EMU
        content = _best(layouts, _content_rank)
        self.layouts = {
            "content": content,
            "title": _best(layouts, _title_rank),
            "section": _best(layouts, _section_rank),
        }
        self._boxes = {kind: self._title_box(layout) for kind, layout in self.layouts.items()}
        self._sizes = {kind: _title_style_size(layout) for kind, layout in self.layouts.items()}
        self.body = self._body_box(content)
        style = _body_style(content)
        self.has_bullets = style is not None and any(
            style.find(f"{A}{name}") is not None for name in ("buChar", "buBlip")
        )
        self.styled_size = _size(style, 18.0)
        self.size = min(max(self.styled_size, SMALLEST), LARGEST_SIZE)
        self.smaller = max(self.size - 4, SMALLEST)
        self.deeper = max(self.size - 2, SMALLEST)
        self.table_size = SMALLEST

    def title_size(self, kind: str, title: Runs) -> float:
        """As large as the layout has it, or as it fits; 0 where it is as the layout has it."""
        box, styled = self._boxes[kind], self._sizes[kind]
        for size in (styled, *(float(size) for size in range(int(styled) - 2, int(SMALLEST_TITLE) - 1, -2))):
            if _fits(title, box, size):
                return 0.0 if size == styled else size
        return min(SMALLEST_TITLE, styled)

    def fitting_title(self, title: Runs, again: str) -> tuple[Runs, Runs]:
        """The title, and all of it once more if it had to be cut: that stands on the slide."""
        behind = (TextRun(again),) if again else ()
        box = self._boxes["content"]
        size = min(SMALLEST_TITLE, self._sizes["content"])
        if _fits((*title, *behind), box, size):
            return (*title, *behind), ()
        length = len(full_text(title))
        while length > 10 and not _fits((*cut(title, length)[0], TextRun("…"), *behind), box, size, most=2):
            length = length * 9 // 10
        return (*cut(title, length)[0], TextRun("…"), *behind), title

    def _title_box(self, layout: Any) -> SlideBox:
        found = placeholder(layout, TITLES)
        if found is None:
            return SlideBox(self.width * 0.05, 20, self.width * 0.9, 70)
        return _box(found)

    def _body_box(self, layout: Any) -> SlideBox:
        found = placeholder(layout, TEXTS)
        title = self._boxes["content"]
        if found is not None:
            box = _box(found)
            if box.width > self.width / 3 and box.height > self.height / 3:
                return box
        top = min(title.bottom + 12, self.height / 3)
        return SlideBox(self.width * 0.05, top, self.width * 0.9, self.height * 0.92 - top)


def placeholder(slide: Any, kinds: tuple[str | None, ...]) -> Any | None:
    """The largest one of these kinds, on a slide or layout."""
    found = [shape for shape in slide.placeholders if kind_of(shape) in kinds]
    return max(found, key=lambda shape: (shape.width or 0) * (shape.height or 0), default=None)


def kind_of(shape: Any) -> str | None:
    element = shape._element.find(".//{*}nvPr/{*}ph")
    return None if element is None else element.get("type")


def _best(layouts: list[Any], rank: Callable[[Any], int]) -> Any:
    return max(layouts, key=rank)


def _kinds(layout: Any) -> list[str | None]:
    return [kind_of(shape) for shape in layout.placeholders]


def _content_rank(layout: Any) -> int:
    kinds = _kinds(layout)
    texts = sum(kind in TEXTS for kind in kinds)
    is_usual = bool(layout._element.get("type") == "obj")
    return 8 * is_usual + 4 * ("title" in kinds) + 2 * (texts == 1) + (texts > 0) - 4 * ("ctrTitle" in kinds)


def _title_rank(layout: Any) -> int:
    kinds = _kinds(layout)
    is_usual = bool(layout._element.get("type") == "title")
    return 8 * is_usual + 4 * ("ctrTitle" in kinds) + 2 * ("subTitle" in kinds) + ("title" in kinds)


def _section_rank(layout: Any) -> int:
    kinds = _kinds(layout)
    is_usual = bool(layout._element.get("type") == "secHead")
    return 8 * is_usual + 4 * ("ctrTitle" in kinds) + 2 * ("title" in kinds and "body" in kinds) + ("title" in kinds)


def _box(shape: Any) -> SlideBox:
    """Where its text is."""
    left, top, width, height = (
        side / EMU for side in (shape.left or 0, shape.top or 0, shape.width or 0, shape.height or 0)
    )
    return SlideBox(left + INSET, top + INSET / 2, max(width - 2 * INSET, 100), max(height - INSET, 30))


def _fits(title: Runs, box: SlideBox, size: float, most: int = MOST_TITLE_LINES) -> bool:
    lines = lines_of(tuple(TextRun(run.text, bold=True) for run in title), box.width, size)
    return lines <= most and lines * size * 1.1 <= box.height


def _title_style_size(layout: Any) -> float:
    shape = placeholder(layout, TITLES)
    own = shape._element.find(f".//{A}lstStyle/{A}lvl1pPr") if shape is not None else None
    master = layout.slide_master._element.find(f".//{{*}}titleStyle/{A}lvl1pPr")
    return _size(own, _size(master, 28.0))


def _body_style(layout: Any) -> Any | None:
    """Of the first level, where it is set."""
    shape = placeholder(layout, TEXTS)
    own = shape._element.find(f".//{A}lstStyle/{A}lvl1pPr") if shape is not None else None
    master = layout.slide_master._element.find(f".//{{*}}bodyStyle/{A}lvl1pPr")
    return own if own is not None and own.find(f"{A}defRPr[@sz]") is not None else master


def _size(style: Any | None, otherwise: float) -> float:
    run = style.find(f"{A}defRPr") if style is not None else None
    sz = run.get("sz", "") if run is not None else ""
    return int(sz) / 100 if sz.isdigit() and int(sz) > 0 else otherwise
