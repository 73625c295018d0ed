"""One slide, drawn: its background, what its master puts on every slide, then its own shapes."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from workroom.documents.errors import DocumentError
from workroom.documents.office.package import Package
from workroom.documents.open_slide_pictures import paint
from workroom.documents.open_slide_pictures.lengths import attribute, length
from workroom.documents.open_slide_pictures.shapes import Shapes
from workroom.documents.open_slide_pictures.styles import Chain, OpenSlideStyles, said
from workroom.documents.slide_pictures.canvas import Canvas, Full, attributes
from workroom.documents.slide_pictures.pictures import Pictures
from workroom.documents.slide_pictures.places import ShapePlace
from workroom.documents.types import Element

_USUAL_SIZE = (793.7, 446.5)  # points: what Impress begins with, 28 by 15.75 cm
_LEAST, _LARGEST = 10.0, 5_000.0
_GROUND = "drawing-page"


def slide_picture(package: Package, content: Any, page: Any, index: int, width: int) -> Element:
    """An SVG of `width` pixels."""
    kept = _part(package)
    shared = None if kept is None else kept.find("{*}styles")
    below = OpenSlideStyles(shared, None if kept is None else kept.find("{*}automatic-styles"))
    above = OpenSlideStyles(shared, content.find("{*}automatic-styles"))
    master = _named(kept, "master-styles", attribute(page, "master-page-name"))
    wide, high = _size(_named(kept, "automatic-styles", attribute(master, "page-layout-name")))
    canvas = Canvas(wide, high)
    pictures = Pictures(canvas, package, width / wide)
    own, inherited = above.chain(_GROUND, attribute(page, "style-name")), _master_style(below, master)
    with suppress(Full):  # then the rest is not drawn
        _background(canvas, package, pictures, [(above, own), (below, inherited)])
        if master is not None and said(own, _GROUND, "background-objects-visible") != "false":
            Shapes(canvas, package, below, pictures, index + 1).draw(master, is_master=True)
        Shapes(canvas, package, above, pictures, index + 1).draw(page)
    data = canvas.finished(width)
    facts = {"width": width, "height": round(width * high / wide), "bytes": len(data)}
    return Element(data, "image/svg+xml", metadata=facts)


def _part(package: Package) -> Any:
    """The part with the styles; a broken one is as good as none."""
    try:
        return package.tree("styles.xml")
    except DocumentError:
        return None


def _named(root: Any, group: str, name: str) -> Any:
    for element in () if root is None else root.iterfind(f"{{*}}{group}/*"):
        if name and attribute(element, "name") == name:
            return element
    return None


def _master_style(styles: OpenSlideStyles, master: Any) -> Chain:
    return [] if master is None else styles.chain(_GROUND, attribute(master, "style-name"))


def _size(layout: Any) -> tuple[float, float]:
    about = None if layout is None else layout.find("{*}page-layout-properties")
    wide, high = (
        length(attribute(about, name), usual)
        for name, usual in zip(("page-width", "page-height"), _USUAL_SIZE, strict=True)
    )
    return max(_LEAST, min(wide, _LARGEST)), max(_LEAST, min(high, _LARGEST))


def _background(
    canvas: Canvas, package: Package, pictures: Pictures, near: list[tuple[OpenSlideStyles, Chain]]
) -> None:
    """Of the slide, where it has one, else of its master."""
    slide = ShapePlace(0, 0, canvas.width, canvas.height)
    where = attributes(width=slide.width, height=slide.height)
    canvas.add(f'<rect{where} fill="#ffffff"/>')
    for styles, chain in near:
        if paint.is_filled_with_picture(chain, _GROUND):
            image = styles.named("fill-image", said(chain, _GROUND, "fill-image-name"))
            part = attribute(image, "href").removeprefix("./")
            if part in package and (drawn := pictures.shown(part, slide)):
                canvas.add(drawn)
                return
        if said(chain, _GROUND, "fill") not in ("", "none"):
            canvas.add(f"<rect{where}{paint.fill(canvas, styles, chain, _GROUND)}/>")
            return
