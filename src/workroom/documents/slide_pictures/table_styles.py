"""How tables look: what the presentation's own styles say of head, bands and edges. Where a style is not in the file, it
is the one that PowerPoint gives new tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workroom.documents.slide_pictures.colours import WHITE, Colour
from workroom.documents.slide_pictures.lineage import Lineage
from workroom.documents.slide_pictures.paint import Paints, fill_in
from workroom.documents.slide_pictures.places import said
from workroom.documents.slide_pictures.text_layout import SlideRun

_NO_STYLE = frozenset({"{2D5ABB26-0587-4C30-8999-92F81FD0307C}", "{5940675A-B579-460E-94D1-54222C63F5DA}"})


@dataclass(frozen=True)
class CellStyle:
    """Of one cell."""

    fill: str  # SVG attributes
    text: SlideRun
    edges: list[Any]  # `ln` elements


class TableStyle:
    def __init__(self, lineage: Lineage, paints: Paints, table: Any, sheet: Any) -> None:
        self._lineage, self._paints = lineage, paints
        about = table.find("{*}tblPr")
        self._on = {
            name: said(about, name) for name in ("firstRow", "lastRow", "firstCol", "lastCol", "bandRow", "bandCol")
        }
        id_ = None if about is None else about.find("{*}tableStyleId")
        self.name = "" if id_ is None or id_.text is None else id_.text.strip()
        known = [] if sheet is None else sheet.iterfind("{*}tblStyle")
        self._style = next((style for style in known if style.get("styleId") == self.name), None)

    def look(self, row: int, column: int, rows: int, columns: int) -> CellStyle:
        parts = self._parts(row, column, rows, columns)
        if self._style is None:
            return self._usual(parts)
        found = [each for name in parts if (each := self._style.find(f"{{*}}{name}")) is not None]
        fill = ' fill="none"'
        for each in found:
            style = each.find("{*}tcStyle")
            painted = None if style is None else fill_in(style.find("{*}fill"))
            reference = None if style is None else style.find("{*}fillRef")
            if painted is not None:
                fill = self._paints.fill(painted)
                break
            if reference is not None and (asked := self._paints.reference(reference)):
                fill = asked
                break
        return CellStyle(
            fill, self._text(found), [edge for each in found for edge in each.iterfind("{*}tcStyle/{*}tcBdr/*/{*}ln")]
        )

    def _text(self, styles: list[Any]) -> SlideRun:
        told = [each for part in styles if (each := part.find("{*}tcTxStyle")) is not None]
        colour = next((c for each in told if (c := self._lineage.palette.colour(each)) is not None), None)
        bold = next((each.get("b") for each in told if each.get("b") is not None), "off")
        return SlideRun("", bold=bold == "on", colour=colour or self._lineage.palette.named("tx1"))

    def _usual(self, parts: list[str]) -> CellStyle:
        palette = self._lineage.palette
        dark = palette.named("tx1")
        if self.name in _NO_STYLE or not self.name:
            return CellStyle(' fill="none"', SlideRun("", colour=dark), [])
        accent = palette.named("accent1")
        if parts[0] in ("firstRow", "lastRow", "firstCol", "lastCol"):
            return CellStyle(self._paints.plain(accent), SlideRun("", bold=True, colour=WHITE), [])
        return CellStyle(
            self._paints.plain(_lighter(accent, 0.4 if parts[0] == "band1H" else 0.2)), SlideRun("", colour=dark), []
        )

    def _parts(self, row: int, column: int, rows: int, columns: int) -> list[str]:
        """Names of the parts of a style that speak about this cell, the most particular first."""
        band = (row - self._on["firstRow"]) % 2 == 0
        said_of = {
            "firstRow": self._on["firstRow"] and row == 0,
            "lastRow": self._on["lastRow"] and row == rows - 1,
            "firstCol": self._on["firstCol"] and column == 0,
            "lastCol": self._on["lastCol"] and column == columns - 1,
            "band1H": self._on["bandRow"] and band,
            "band2H": self._on["bandRow"] and not band,
        }
        return [*(name for name, on in said_of.items() if on), "wholeTbl"]


def _lighter(colour: Colour, strength: float) -> Colour:
    return Colour(*(part * strength + 1 - strength for part in (colour.red, colour.green, colour.blue)))
