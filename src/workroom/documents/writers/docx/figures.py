"""Pictures in the text: media parts, and the drawings that show them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from lxml import etree

from workroom.documents.writers.docx.xml import w
from workroom.documents.writers.package import OfficePackage, R
from workroom.documents.writers.pictures import PlacedPicture, picture

DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
MAIN = "http://schemas.openxmlformats.org/drawingml/2006/main"
PICTURE = "http://schemas.openxmlformats.org/drawingml/2006/picture"
EMU = 12_700  # English Metric Units per point
HIGHEST = 620.0  # points: with its caption it fits a page


class Figures:
    def __init__(self, package: OfficePackage, pictures: Mapping[str, bytes], width: float) -> None:
        """`width` of the text, in points."""
        self._package, self._pictures, self._width = package, pictures, width
        self._relations: dict[str, str] = {}  # ids by media part
        self._shown = 0

    def drawing(self, source: str, words: str) -> Any | None:
        """A run with the picture; None where there is none that can be shown."""
        data = self._pictures.get(source)
        found = picture(data) if data else None
        return found and self._drawing(found, words)

    def put(self) -> None:
        targets = {id_: f"/{part}" for part, id_ in self._relations.items()}
        if targets:
            self._package.relate_all(self._package.document, "image", targets)

    def _drawing(self, placed: PlacedPicture, words: str) -> Any:
        part = f"word/media/{hashlib.sha256(placed.data).hexdigest()[:24]}.{placed.extension}"
        if part not in self._relations:
            self._package.parts[part] = placed.data
            self._package.declare_ending(placed.extension, f"image/{placed.extension}")
            self._relations[part] = f"workroomImage{len(self._relations) + 1}"
        self._shown += 1
        width, height = (str(round(side * EMU)) for side in placed.within(self._width, HIGHEST))
        number = str(10_000 + self._shown)  # drawings of a template have smaller ones
        inline = _element(DRAWING, "inline", distT="0", distB="0", distL="0", distR="0")
        _element(DRAWING, "extent", inline, cx=width, cy=height)
        _element(DRAWING, "docPr", inline, id=number, name=f"Picture {self._shown}", descr=words)
        graphic = _element(MAIN, "graphicData", _element(MAIN, "graphic", inline), uri=PICTURE)
        shown = _element(PICTURE, "pic", graphic)
        about = _element(PICTURE, "nvPicPr", shown)
        _element(PICTURE, "cNvPr", about, id=number, name=f"Picture {self._shown}")
        _element(PICTURE, "cNvPicPr", about)
        fill = _element(PICTURE, "blipFill", shown)
        _element(MAIN, "blip", fill).set(f"{{{R}}}embed", self._relations[part])
        _element(MAIN, "fillRect", _element(MAIN, "stretch", fill))
        shape = _element(PICTURE, "spPr", shown)
        frame = _element(MAIN, "xfrm", shape)
        _element(MAIN, "off", frame, x="0", y="0")
        _element(MAIN, "ext", frame, cx=width, cy=height)
        _element(MAIN, "avLst", _element(MAIN, "prstGeom", shape, prst="rect"))
        return w("r", w("drawing", inline))


def _element(space: str, name: str, parent: Any = None, /, **values: str) -> Any:
    tag, names = f"{{{space}}}{name}", {"wp": DRAWING, "a": MAIN, "pic": PICTURE}
    return etree.Element(tag, values, nsmap=names) if parent is None else etree.SubElement(parent, tag, values)
