"""One slide, drawn: its background, what master and layout put on every slide, then its own shapes."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.office.package import Package
from workroom.documents.slide_pictures.canvas import Canvas, Full, attributes
from workroom.documents.slide_pictures.layer import SlideLayer, Tools
from workroom.documents.slide_pictures.lineage import Lineage
from workroom.documents.slide_pictures.paint import fill_in
from workroom.documents.slide_pictures.places import EMU, ShapePlace, Space, whole
from workroom.documents.types import Element

_USUAL_SIZE = (9_144_000, 6_858_000)
_LARGEST = 60_000_000  # EMU, more than the largest poster PowerPoint makes


def slide_picture(package: Package, presentation: Any, part: str, index: int, width: int) -> Element:
    """An SVG of `width` pixels."""
    lineage = Lineage(package, part, presentation)
    wide, high = _size(presentation.find("{*}sldSz"))
    canvas = Canvas(wide, high)
    tools = Tools(canvas, lineage, whole(presentation, "firstSlideNum", 1) + index, width / wide)
    with suppress(Full):  # then the rest is not drawn
        _background(tools)
        for layer, tree in lineage.drawn():
            SlideLayer(tools, layer, is_slide=layer == part).shapes(tree, Space(), None, 0)
    data = canvas.finished(width)
    facts = {"width": width, "height": round(width * high / wide), "bytes": len(data)}
    return Element(data, "image/svg+xml", metadata=facts)


def _size(size_element: Any) -> tuple[float, float]:
    wide, high = (
        min(max(whole(size_element, name, usual), EMU * 10), _LARGEST) / EMU
        for name, usual in zip(("cx", "cy"), _USUAL_SIZE, strict=True)
    )
    return wide, high


def _background(tools: Tools) -> None:
    slide = ShapePlace(0, 0, tools.canvas.width, tools.canvas.height)
    where = attributes(width=slide.width, height=slide.height)
    tools.canvas.add(f"<rect{where}{tools.paints.plain(tools.lineage.palette.named('bg1'))}/>")
    part, ground = next(tools.lineage.backgrounds(), ("", None))
    if ground is None:
        return
    fill = fill_in(ground.find("{*}bgPr"))
    if fill is not None and local_name(fill) == "blipFill":
        drawn = tools.pictures.element(part, fill, slide)
    else:
        painted = tools.paints.reference(ground.find("{*}bgRef")) if fill is None else tools.paints.fill(fill)
        drawn = f"<rect{where}{painted}/>" if painted else None
    if drawn is not None:
        tools.canvas.add(drawn)
