"""Pictures on a slide: cut as the author cut them, made as small as they are shown, written into the drawing itself."""

from __future__ import annotations

import base64
import io
from typing import Any

from workroom.core.errors import NotFound
from workroom.documents.errors import DocumentError
from workroom.documents.office.package import Package
from workroom.documents.pictures import open_picture
from workroom.documents.slide_pictures.canvas import MAX_SVG, Canvas, attributes
from workroom.documents.slide_pictures.places import ShapePlace, whole

_FINEST = 3_000  # pixels of the longer side
_MOST = MAX_SVG // 2  # bytes of one picture, as it is written
_MOST_PIXELS = 60_000_000  # that are decoded, unless the format can be decoded small
_WHOLE = 100_000
_UNCUT = (0.0, 0.0, 0.0, 0.0)


class Pictures:
    """`scale` is how many pixels a point of the slide will be shown in."""

    def __init__(self, canvas: Canvas, package: Package, scale: float) -> None:
        self._canvas, self._package, self._scale = canvas, package, scale
        self._made: dict[tuple[Any, ...], str | None] = {}

    def element(self, part: str, fill: Any, place: ShapePlace, more: str = "") -> str | None:
        """An `image`; None where the picture cannot be drawn. `fill` is the `blipFill` that names it."""
        target = _target(self._package, part, fill)
        return None if target is None else self.shown(target, place, more, _cut(fill.find("{*}srcRect")))

    def shown(self, target: str, place: ShapePlace, more: str = "", cut: tuple[float, ...] = _UNCUT) -> str | None:
        """The same for a part of the package; `cut` is how much of its left, top, right and bottom is not seen."""
        across, down = (max(1, min(_FINEST, round(side * self._scale))) for side in (place.width, place.height))
        asked = (target, across, down, cut)
        if asked not in self._made:
            self._made[asked] = self._written(target, (across, down), cut)
        address = self._made[asked]
        if address is None or len(address) > self._canvas.room:
            return None
        where = attributes(x=place.x, y=place.y, width=place.width, height=place.height)
        return f'<image{where} preserveAspectRatio="none" href="{address}"{more}/>'

    def _written(self, target: str, size: tuple[int, int], cut: tuple[float, ...]) -> str | None:
        try:
            data = self._package.read(target)
            with open_picture(io.BytesIO(data), "A picture") as picture:
                if picture.format != "JPEG" and picture.width * picture.height > _MOST_PIXELS:
                    return None
                media_type, made = _small(picture, size, cut)
        except (DocumentError, NotFound, OSError, ValueError, SyntaxError, EOFError, MemoryError):
            return None
        if len(made) > _MOST:
            return None
        return f"data:{media_type};base64,{base64.b64encode(made).decode()}"


def _small(picture: Any, size: tuple[int, int], cut: tuple[float, ...]) -> tuple[str, bytes]:
    left, top, right, bottom = cut
    seen = max(0.01, 1 - left - right), max(0.01, 1 - top - bottom)
    wanted = round(size[0] / seen[0]), round(size[1] / seen[1])
    picture.draft("RGB", wanted)  # JPEG: decoded small at once
    if picture.mode not in ("L", "LA", "RGB", "RGBA"):
        picture = picture.convert(
            "RGBA" if picture.mode in ("P", "PA", "LA") or "transparency" in picture.info else "RGB"
        )
    if any(cut):
        wide, high = picture.size
        box = (round(left * wide), round(top * high), round((1 - right) * wide), round((1 - bottom) * high))
        picture = picture.crop((box[0], box[1], max(box[2], box[0] + 1), max(box[3], box[1] + 1)))
    if picture.width > size[0] or picture.height > size[1]:
        picture = picture.resize((min(size[0], picture.width), min(size[1], picture.height)))
    see_through = picture.mode in ("RGBA", "LA") and picture.getchannel("A").getextrema()[0] < 255
    few = picture.width * picture.height < 40_000 or picture.getcolors(256) is not None
    made = io.BytesIO()
    if see_through or few:
        picture.save(made, "PNG")
        return "image/png", made.getvalue()
    picture.convert("RGB").save(made, "JPEG", quality=82)
    return "image/jpeg", made.getvalue()


def _target(package: Package, part: str, fill: Any) -> str | None:
    """The part with the picture; those outside the file are never fetched."""
    blip = None if fill is None else fill.find("{*}blip")
    for name, value in [] if blip is None else blip.attrib.items():
        relation = package.relations(part).get(value) if name.endswith("}embed") else None
        if relation is not None and not relation.external and relation.target in package:
            return relation.target
    return None


def _cut(rect: Any) -> tuple[float, ...]:
    if rect is None:
        return _UNCUT
    return tuple(min(0.99, max(0.0, whole(rect, side) / _WHOLE)) for side in ("l", "t", "r", "b"))
