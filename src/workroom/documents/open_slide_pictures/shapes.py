"""The shapes of a slide or its master, stacked as the file says: frames, forms, lines, pictures, tables, groups. What cannot
be drawn (charts, recordings, old pictures) is a box with its name."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.office.package import Package
from workroom.documents.open_slide_pictures import paint
from workroom.documents.open_slide_pictures.lengths import attribute, length
from workroom.documents.open_slide_pictures.styles import Chain, OpenSlideStyles
from workroom.documents.open_slide_pictures.tables import OpenSlideTables
from workroom.documents.open_slide_pictures.texts import OpenSlideTexts, frame_of
from workroom.documents.slide_pictures.canvas import Canvas, Full, number, transform
from workroom.documents.slide_pictures.layer import named_box
from workroom.documents.slide_pictures.outlines import form
from workroom.documents.slide_pictures.pictures import Pictures
from workroom.documents.slide_pictures.places import ShapePlace
from workroom.documents.slide_pictures.text_layout import lettering

MAX_SHAPES = 5_000
_DEEPEST = 20
_STEP = re.compile(r"(rotate|translate|skewX|skewY|scale|matrix)\s*\(([^()]*)\)")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE]-?\d+)?")
_PATH = re.compile(r"[MmLlHhVvCcSsQqTtAaZz0-9.,\s+\-eE]{1,100000}")
_FORMS = {
    "rectangle": "rect", "round-rectangle": "roundRect", "isosceles-triangle": "triangle", "right-triangle": "rtTriangle",
    "cross": "plus", "right-arrow": "rightArrow", "left-arrow": "leftArrow", "up-arrow": "upArrow",
    "down-arrow": "downArrow", "ring": "donut", "flowchart-decision": "diamond", "flowchart-connector": "ellipse",
    "flowchart-terminator": "flowChartTerminator", "flowchart-alternate-process": "roundRect",
    "flowchart-preparation": "hexagon", "flowchart-data": "parallelogram", "pentagon-right": "homePlate",
}  # fmt: skip


class Shapes:
    """Of one layer: the slide, or its master below it."""

    def __init__(
        self, canvas: Canvas, package: Package, styles: OpenSlideStyles, pictures: Pictures, slide: int
    ) -> None:
        self._canvas, self._package, self._styles, self._pictures = canvas, package, styles, pictures
        self._texts = OpenSlideTexts(styles, slide)
        self._tables = OpenSlideTables(canvas, styles, self._texts)
        self._left = MAX_SHAPES
        self._drawers: dict[str, Callable[[Any, ShapePlace, list[str], Chain], None]] = {
            "frame": self._frame,
            "custom-shape": self._form,
            "rect": self._form,
            "ellipse": self._form,
            "circle": self._form,
            "regular-polygon": self._form,
            "caption": self._form,
            "line": self._line,
            "connector": self._line,
            "measure": self._line,
            "polyline": self._points,
            "polygon": self._points,
            "path": self._path,
        }

    def draw(self, parent: Any, *, is_master: bool = False, depth: int = 0) -> None:
        for element in parent:
            name = local_name(element)
            kind = attribute(element, "class")
            if is_master and kind:
                continue  # only slides fill what a master keeps a place for
            if name == "g" and depth < _DEEPEST:
                self.draw(element, is_master=is_master, depth=depth + 1)
            elif name in self._drawers:
                self._left -= 1
                if self._left < 0:
                    raise Full
                place, steps = _placed(element)
                self._drawers[name](element, place, steps, self._chain(element))

    def _chain(self, element: Any) -> Chain:
        for key, value in element.attrib.items():
            if key.endswith("}style-name"):
                return self._styles.chain("presentation" if ":presentation:" in key else "graphic", value)
        return self._styles.chain("graphic", "")

    def _frame(self, element: Any, place: ShapePlace, steps: list[str], chain: Chain) -> None:
        box, table = element.find("{*}text-box"), element.find("{*}table")
        if table is not None:
            self._group(self._tables.draw(table, place), steps)
        elif box is not None:
            self._painted(form("rect", place), steps, chain, "none")
            if attribute(element, "placeholder") != "true":
                self._text(element, box, place, steps, chain)
        else:
            self._picture(element, place, steps)

    def _picture(self, element: Any, place: ShapePlace, steps: list[str]) -> None:
        """The first that can be shown: an object of another program has a picture that stands for it."""
        for image in element.iterfind("{*}image"):
            part = attribute(image, "href").removeprefix("./")
            if part in self._package and (drawn := self._pictures.shown(part, place, transform(steps))):
                self._canvas.add(drawn)
                return
        title = next((found.text or "" for name in ("title", "desc") for found in element.iterfind(f"{{*}}{name}")), "")
        self._group(named_box((title or attribute(element, "name"))[:200], place), steps)

    def _form(self, element: Any, place: ShapePlace, steps: list[str], chain: Chain) -> None:
        name = local_name(element)
        geometry = element.find("{*}enhanced-geometry")
        kind = "ellipse" if name in ("ellipse", "circle") else "rect"
        if geometry is not None:
            said = attribute(geometry, "type")
            kind = _FORMS.get(said, said.removeprefix("ooxml-").removeprefix("mso-spt"))
        elif length(attribute(element, "corner-radius")):
            kind = "roundRect"
        self._painted(form(kind, place), steps, chain, "solid")
        self._text(element, element, place, steps, chain)

    def _line(self, element: Any, place: ShapePlace, steps: list[str], chain: Chain) -> None:
        x1, y1, x2, y2 = (length(attribute(element, name)) for name in ("x1", "y1", "x2", "y2"))
        bent = local_name(element) == "connector" and attribute(element, "type") in ("", "standard")
        middle = f"L{_at((x1 + x2) / 2, y1)}L{_at((x1 + x2) / 2, y2)}" if bent else ""
        self._painted((f"M{_at(x1, y1)}{middle}L{_at(x2, y2)}", False), steps, chain, "solid")
        across = ShapePlace(min(x1, x2), min(y1, y2), abs(x2 - x1), abs(y2 - y1))
        self._text(element, element, across, steps, chain)

    def _points(self, element: Any, place: ShapePlace, steps: list[str], chain: Chain) -> None:
        view = _view(element)
        numbers = [float(found) for found in _NUMBER.findall(attribute(element, "points")[:100_000])]
        corners = [
            _at(place.x + (x - view.x) * place.width / view.width, place.y + (y - view.y) * place.height / view.height)
            for x, y in zip(numbers[::2], numbers[1::2], strict=False)
        ]
        if len(corners) > 1:
            closed = local_name(element) == "polygon"
            self._painted((f"M{'L'.join(corners)}{'z' if closed else ''}", closed), steps, chain, "solid")
        self._text(element, element, place, steps, chain)

    def _path(self, element: Any, place: ShapePlace, steps: list[str], chain: Chain) -> None:
        drawn = attribute(element, "d")
        if _PATH.fullmatch(drawn):
            view = _view(element)
            across, down = place.width / view.width, place.height / view.height
            moved = f"translate({number(place.x)} {number(place.y)}) scale({across:.6f} {down:.6f})"
            shift = f"translate({number(-view.x)} {number(-view.y)})"
            look = self._look(chain, "solid", has_inside="z" in drawn.lower(), scale=(across + down) / 2)
            if look:
                self._canvas.add(f'<path d="{" ".join(drawn.split())}"{look}{transform([*steps, moved, shift])}/>')
        self._text(element, element, place, steps, chain)

    def _painted(self, outline: tuple[str, bool], steps: list[str], chain: Chain, unsaid: str) -> None:
        path, has_inside = outline
        if look := self._look(chain, unsaid, has_inside=has_inside):
            self._canvas.add(f'<path d="{path}"{look}{transform(steps)}/>')

    def _look(self, chain: Chain, unsaid: str, *, has_inside: bool, scale: float = 1.0) -> str:
        """Empty where there is nothing to be seen. `scale` is how much larger all of it will be drawn."""
        fill = paint.fill(self._canvas, self._styles, chain, unsaid=unsaid) if has_inside else paint.NO_FILL
        line = paint.line(chain, unsaid=unsaid, scale=scale)
        return fill + line if line or fill != paint.NO_FILL else ""

    def _text(self, element: Any, holder: Any, place: ShapePlace, steps: list[str], chain: Chain) -> None:
        outline = ""
        if attribute(element, "class") == "outline" and len(chain) > 1:
            outline = next((name for style in chain if (name := attribute(style, "name")).endswith("outline1")), "")
        paragraphs = self._texts.paragraphs(holder, chain, outline)
        if any(run.text.strip() for paragraph in paragraphs for run in paragraph.runs):
            frame, insets = frame_of(chain)
            is_box = local_name(element) == "frame"
            frame = frame if is_box or frame.anchor != "t" else replace(frame, anchor="ctr")
            self._group("".join(lettering(paragraphs, place.smaller(*insets), frame)), steps)

    def _group(self, drawn: str, steps: list[str]) -> None:
        if drawn:
            self._canvas.add(f"<g{transform(steps)}>{drawn}</g>" if steps else drawn)


def _placed(element: Any) -> tuple[ShapePlace, list[str]]:
    """What was turned stands at the corner of the slide, and says how it is moved from there."""
    wide, high = (max(0.0, length(attribute(element, name))) for name in ("width", "height"))
    steps: list[str] = []
    for name, values in _STEP.findall(attribute(element, "transform")[:1_000]):
        parts = values.split()
        if name == "rotate" and parts and _NUMBER.fullmatch(parts[0]):
            steps.insert(0, f"rotate({number(-math.degrees(float(parts[0])) % 360)})")
        elif name == "translate" and parts:
            down = length(parts[1]) if len(parts) > 1 else 0.0
            steps.insert(0, f"translate({number(length(parts[0]))} {number(down)})")
    return ShapePlace(length(attribute(element, "x")), length(attribute(element, "y")), wide, high), steps


def _view(element: Any) -> ShapePlace:
    """The coordinates its points are in."""
    found = [float(value) for value in _NUMBER.findall(attribute(element, "viewBox")[:200])]
    x, y, wide, high = found if len(found) == 4 else (0.0, 0.0, 1.0, 1.0)
    return ShapePlace(x, y, wide or 1.0, high or 1.0)


def _at(x: float, y: float) -> str:
    return f"{number(x)} {number(y)}"
