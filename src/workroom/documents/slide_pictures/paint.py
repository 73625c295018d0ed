"""Fills and lines as SVG attributes: plain colours, gradients, dashes, arrow heads; what comes from a theme's own styles."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.slide_pictures.canvas import Canvas, attributes, number
from workroom.documents.slide_pictures.colours import Colour
from workroom.documents.slide_pictures.lineage import Lineage
from workroom.documents.slide_pictures.places import points, whole

FILLS = frozenset({"noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill"})
_DASHES = {
    "dot": (1, 2),
    "sysDot": (1, 1),
    "dash": (4, 3),
    "sysDash": (3, 1),
    "lgDash": (8, 3),
    "dashDot": (4, 3, 1, 3),
}
_DASHES |= {"lgDashDot": (8, 3, 1, 3), "lgDashDotDot": (8, 3, 1, 3, 1, 3), "sysDashDot": (3, 1, 1, 1)}
_STOPS = 10
_USUAL_LINE = 9_525  # EMU
_ARROW = (
    '<marker id="{{id}}" viewBox="0 0 10 10" refX="{at}" refY="5" markerWidth="4" markerHeight="4" orient="auto">'
    '<path d="{path}" fill="{colour}"/></marker>'
)


class Paints:
    def __init__(self, canvas: Canvas, lineage: Lineage) -> None:
        self._canvas = canvas
        self._palette = lineage.palette
        self._theme = lineage.theme

    def fill(self, element: Any, themed: Colour | None = None) -> str:
        """Attributes for a fill element; pictures are drawn elsewhere."""
        kind = "" if element is None else local_name(element)
        if kind == "solidFill":
            return self.plain(self._palette.colour(element, themed))
        if kind == "gradFill":
            return self._gradient(element, themed)
        if kind == "pattFill":
            ground = element.find("{*}bgClr")
            return self.plain(self._palette.colour(element.find("{*}fgClr") if ground is None else ground, themed))
        return ' fill="none"'

    def plain(self, colour: Colour | None) -> str:
        return ' fill="none"' if colour is None else attributes(fill=colour.hex, fill_opacity=colour.opacity)

    def line(self, candidates: Iterable[Any], reference: Any = None) -> str:
        """`candidates` are `ln` elements, the nearest first; `reference` is what a shape's style says of its line."""
        themed = self._palette.colour(reference)
        found = [each for each in candidates if each is not None]
        if reference is not None and (style := self._style("lnStyleLst", whole(reference, "idx"))) is not None:
            found.append(style)
        painted = next((fill for each in found if (fill := fill_in(each)) is not None), None)
        if painted is None or local_name(painted) == "noFill":
            return ""
        colour = self._palette.colour(painted, themed) or self._first_stop(painted, themed)
        if colour is None:
            return ""
        width = next((points(each, "w") for each in found if each.get("w")), points(None, "w", _USUAL_LINE))
        return attributes(
            stroke=colour.hex,
            stroke_opacity=colour.opacity,
            stroke_width=max(0.25, width),
            stroke_dasharray=_dashes(found, max(0.5, width)),
        ) + self._heads(found, colour)

    def reference(self, reference: Any) -> str | None:
        """The fill that a shape's style asks its theme for; None where it asks for nothing."""
        index = whole(reference, "idx")
        kind = "bgFillStyleLst" if index > 1_000 else "fillStyleLst"
        style = self._style(kind, index - 1_000 if index > 1_000 else index)
        themed = self._palette.colour(reference)
        if index == 0 or (style is None and themed is None):
            return None
        known = style is not None and local_name(style) in ("solidFill", "gradFill", "pattFill")
        return self.fill(style, themed) if known else self.plain(themed)

    def _style(self, kind: str, index: int) -> Any:
        styles = None if self._theme is None else self._theme.find(f".//{{*}}fmtScheme/{{*}}{kind}")
        return styles[index - 1] if styles is not None and 0 < index <= len(styles) else None

    def _first_stop(self, fill: Any, themed: Colour | None) -> Colour | None:
        return self._palette.colour(fill.find("{*}gsLst/{*}gs"), themed)

    def _gradient(self, fill: Any, themed: Colour | None) -> str:
        stops = []
        for stop in list(fill.iterfind("{*}gsLst/{*}gs"))[:_STOPS]:
            if (colour := self._palette.colour(stop, themed)) is not None:
                at = min(1.0, max(0.0, whole(stop, "pos") / 100_000))
                stops.append((at, attributes(offset=at, stop_color=colour.hex, stop_opacity=colour.opacity)))
        if not stops:
            return ' fill="none"'
        inside = "".join(f"<stop{said}/>" for _, said in sorted(stops))
        if fill.find("{*}path") is not None:
            body = f'<radialGradient id="{{id}}">{inside}</radialGradient>'
        else:
            turned = fill.find("{*}lin")
            angle = math.radians(whole(turned, "ang") / 60_000)
            x, y = math.cos(angle) / 2, math.sin(angle) / 2
            ends = attributes(x1=0.5 - x, y1=0.5 - y, x2=0.5 + x, y2=0.5 + y)
            body = f'<linearGradient id="{{id}}"{ends}>{inside}</linearGradient>'
        return f' fill="url(#{self._canvas.define(body)})"'

    def _heads(self, lines: list[Any], colour: Colour) -> str:
        made = ""
        for name, attribute, at, path in (
            ("headEnd", "marker-start", 0, "M10 0L0 5L10 10z"),
            ("tailEnd", "marker-end", 10, "M0 0L10 5L0 10z"),
        ):
            end = next((end for each in lines if (end := each.find(f"{{*}}{name}")) is not None), None)
            if end is not None and end.get("type", "none") != "none":
                marker = self._canvas.define(_ARROW.format(at=at, path=path, colour=colour.hex))
                made += f' {attribute}="url(#{marker})"'
        return made


def fill_in(holder: Any) -> Any:
    """The element that says how `holder` is filled; None where it says nothing."""
    return None if holder is None else next((child for child in holder if local_name(child) in FILLS), None)


def _dashes(lines: list[Any], width: float) -> str | None:
    dash = next((dash for each in lines if (dash := each.find("{*}prstDash")) is not None), None)
    pattern = None if dash is None else _DASHES.get(dash.get("val", ""))
    return " ".join(number(part * width) for part in pattern) if pattern else None
