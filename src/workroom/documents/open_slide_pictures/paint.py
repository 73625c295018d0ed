"""Fills and lines of shapes, as attributes of SVG."""

from __future__ import annotations

import math
import re

from workroom.documents.open_slide_pictures.lengths import attribute, length, share
from workroom.documents.open_slide_pictures.styles import Chain, OpenSlideStyles, said
from workroom.documents.slide_pictures.canvas import Canvas, attributes
from workroom.documents.slide_pictures.colours import Colour, of_hex

NO_FILL = ' fill="none"'
_HEX = re.compile(r"#[0-9A-Fa-f]{6}")
_RADIAL = frozenset({"radial", "ellipsoid", "square", "rectangular"})
_WIDEST = 200.0


def colour(text: str) -> Colour | None:
    return of_hex(text[1:]) if _HEX.fullmatch(text) else None


def is_filled_with_picture(chain: Chain, group: str) -> bool:
    return said(chain, group, "fill") == "bitmap"


def fill(canvas: Canvas, styles: OpenSlideStyles, chain: Chain, group: str = "graphic", *, unsaid: str = "none") -> str:
    """`unsaid` is what counts where no style says whether something is filled."""
    kind = said(chain, group, "fill") or unsaid
    painted = colour(said(chain, group, "fill-color"))
    opacity = share(said(chain, group, "opacity"))
    if kind == "gradient":
        gradient = styles.named("gradient", said(chain, group, "fill-gradient-name"))
        if (made := _gradient(canvas, gradient)) is not None:
            return made + attributes(fill_opacity=opacity if opacity < 1 else None)
    if kind in ("solid", "gradient", "hatch") and painted is not None:
        return attributes(fill=painted.hex, fill_opacity=opacity if opacity < 1 else None)
    return NO_FILL


def line(chain: Chain, *, unsaid: str = "none", scale: float = 1.0) -> str:
    """Empty where there is none."""
    kind = said(chain, "graphic", "stroke") or unsaid
    drawn = colour(said(chain, "graphic", "stroke-color"))
    if kind == "none" or drawn is None:
        return ""
    width = max(0.5, min(length(said(chain, "graphic", "stroke-width")), _WIDEST)) / (scale or 1.0)
    opacity = share(said(chain, "graphic", "stroke-opacity"))
    return attributes(
        stroke=drawn.hex,
        stroke_width=width,
        stroke_opacity=opacity if opacity < 1 else None,
        stroke_dasharray=f"{width * 3:.2f} {width * 2:.2f}" if kind == "dash" else None,
    )


def _gradient(canvas: Canvas, gradient: object) -> str | None:
    first, last = colour(attribute(gradient, "start-color")), colour(attribute(gradient, "end-color"))
    if first is None or last is None:
        return None
    kind = attribute(gradient, "style")
    if kind in _RADIAL or kind == "axial":
        first, last = last, first
    stops = "".join(f"<stop{attributes(offset=at, stop_color=each.hex)}/>" for at, each in ((0.0, first), (1.0, last)))
    if kind in _RADIAL:
        body = f'<radialGradient id="{{id}}">{stops}</radialGradient>'
    else:
        turned = math.radians(_degrees(attribute(gradient, "angle")))
        x, y = math.sin(turned) / 2, math.cos(turned) / 2
        ends = attributes(x1=0.5 - x, y1=0.5 - y, x2=0.5 + x, y2=0.5 + y)
        body = f'<linearGradient id="{{id}}"{ends}>{stops}</linearGradient>'
    return f' fill="url(#{canvas.define(body)})"'


def _degrees(text: str) -> float:
    """Old files count tenths of a degree, new ones say `deg`."""
    try:
        value = float(text.removesuffix("deg") or 0)
    except ValueError:
        return 0.0
    return (value if text.endswith("deg") else value / 10) % 360 if math.isfinite(value) else 0.0
