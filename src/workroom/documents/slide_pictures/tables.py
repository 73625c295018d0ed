"""Tables on a slide: a grid of cells with fills, edges and text; rows grow with what stands in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from workroom.documents.slide_pictures.canvas import attributes
from workroom.documents.slide_pictures.paint import Paints, fill_in
from workroom.documents.slide_pictures.places import EMU, ShapePlace, points, said, whole
from workroom.documents.slide_pictures.table_styles import CellStyle, TableStyle
from workroom.documents.slide_pictures.text_layout import SlideParagraph, TextFrame, lettering, text_height
from workroom.documents.slide_pictures.texts import SlideTexts

_MOST_CELLS = 4_000
_MARGINS = (("marL", 91_440), ("marT", 45_720), ("marR", 91_440), ("marB", 45_720))


@dataclass(frozen=True)
class _SlideCell:
    element: Any
    row: int
    column: int
    rows: int
    columns: int
    paragraphs: list[SlideParagraph]
    look: CellStyle
    margins: tuple[float, ...]


class SlideTables:
    def __init__(self, paints: Paints, texts: SlideTexts) -> None:
        self._paints, self._texts = paints, texts

    def draw(self, frame: Any, table: Any, place: ShapePlace, style: TableStyle) -> Iterator[str]:
        wide = [points(column, "w") for column in table.iterfind("{*}tblGrid/{*}gridCol")]
        scale = place.width / sum(wide) if sum(wide) > 0 and place.width > 1 else 1.0
        wide = [width * scale for width in wide]
        rows = list(table.iterfind("{*}tr"))
        cells = list(self._cells(frame, rows, wide, style))
        high = _heights([points(row, "h") for row in rows], cells, wide)
        for cell in cells:
            box = ShapePlace(
                place.x + sum(wide[: cell.column]),
                place.y + sum(high[: cell.row]),
                sum(wide[cell.column : cell.column + cell.columns]),
                sum(high[cell.row : cell.row + cell.rows]),
            )
            yield from self._cell(cell, box)

    def _cells(self, frame: Any, rows: list[Any], wide: list[float], style: TableStyle) -> Iterator[_SlideCell]:
        count = 0
        for row, line in enumerate(rows):
            for column, element in enumerate(line.iterfind("{*}tc")):
                count += 1
                if column >= len(wide) or count > _MOST_CELLS:
                    break
                if said(element, "hMerge") or said(element, "vMerge"):
                    continue
                look = style.look(row, column, len(rows), len(wide))
                body, about = element.find("{*}txBody"), element.find("{*}tcPr")
                yield _SlideCell(
                    element,
                    row,
                    column,
                    min(max(1, whole(element, "rowSpan", 1)), len(rows) - row),
                    min(max(1, whole(element, "gridSpan", 1)), len(wide) - column),
                    [] if body is None else self._texts.paragraphs(frame, body, look.text),
                    look,
                    tuple(usual / EMU if about is None else points(about, name, usual) for name, usual in _MARGINS),
                )

    def _cell(self, cell: _SlideCell, box: ShapePlace) -> Iterator[str]:
        about = cell.element.find("{*}tcPr")
        painted = None if about is None else fill_in(about)
        fill = cell.look.fill if painted is None else self._paints.fill(painted)
        where = attributes(x=box.x, y=box.y, width=box.width, height=box.height)
        yield f"<rect{where}{fill}{self._paints.line(cell.look.edges) or _EDGE}/>"
        corners = (box.x, box.y, box.x + box.width, box.y + box.height)
        for name, ends in (("lnL", (0, 1, 0, 3)), ("lnT", (0, 1, 2, 1)), ("lnR", (2, 1, 2, 3)), ("lnB", (0, 3, 2, 3))):
            drawn = "" if about is None else self._paints.line([about.find(f"{{*}}{name}")])
            if drawn:
                x1, y1, x2, y2 = (corners[end] for end in ends)
                yield f"<line{attributes(x1=x1, y1=y1, x2=x2, y2=y2)}{drawn}/>"
        left, top, right, bottom = cell.margins
        anchor = "t" if about is None else about.get("anchor", "t")
        yield from lettering(cell.paragraphs, box.smaller(left, top, right, bottom), TextFrame(anchor=anchor))


_EDGE = ' stroke="#ffffff" stroke-width="0.75"'


def _heights(said_high: list[float], cells: list[_SlideCell], wide: list[float]) -> list[float]:
    high = list(said_high)
    for cell in cells:
        if cell.rows == 1:
            left, top, right, bottom = cell.margins
            room = sum(wide[cell.column : cell.column + cell.columns]) - left - right
            high[cell.row] = max(high[cell.row], text_height(cell.paragraphs, max(1.0, room)) + top + bottom)
    return high
