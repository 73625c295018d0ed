"""Tables on a slide: a grid of cells with fills, edges and text; rows grow with what stands in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from workroom.core.untrusted_xml import local_name
from workroom.documents.open_slide_pictures import paint
from workroom.documents.open_slide_pictures.lengths import attribute, length
from workroom.documents.open_slide_pictures.styles import Chain, OpenSlideStyles, said
from workroom.documents.open_slide_pictures.texts import OpenSlideTexts, frame_of
from workroom.documents.slide_pictures.canvas import Canvas, attributes
from workroom.documents.slide_pictures.places import ShapePlace
from workroom.documents.slide_pictures.text_layout import SlideParagraph, lettering, text_height

_MOST_CELLS = 4_000
_MOST_COLUMNS = 200
_EDGE = ' stroke="#b3b3b3" stroke-width="0.75"'


@dataclass(frozen=True)
class _OpenSlideCell:
    row: int
    column: int
    rows: int
    columns: int
    chain: Chain
    paragraphs: list[SlideParagraph]


class OpenSlideTables:
    def __init__(self, canvas: Canvas, styles: OpenSlideStyles, texts: OpenSlideTexts) -> None:
        self._canvas, self._styles, self._texts = canvas, styles, texts

    def draw(self, table: Any, place: ShapePlace) -> str:
        wide = [width for column in table.iter("{*}table-column") for width in self._column(column)][:_MOST_COLUMNS]
        scale = place.width / sum(wide) if sum(wide) > 0 and place.width > 1 else 1.0
        wide = [width * scale for width in wide]
        rows = list(table.iter("{*}table-row"))[:_MOST_CELLS]
        cells = list(self._cells(rows, wide))
        high = self._heights(rows, cells, wide)
        return "".join(
            element
            for cell in cells
            for element in self._cell(
                cell,
                ShapePlace(
                    place.x + sum(wide[: cell.column]),
                    place.y + sum(high[: cell.row]),
                    sum(wide[cell.column : cell.column + cell.columns]),
                    sum(high[cell.row : cell.row + cell.rows]),
                ),
            )
        )

    def _column(self, column: Any) -> list[float]:
        chain = self._styles.chain("table-column", attribute(column, "style-name"))
        width = max(1.0, length(said(chain, "table-column", "column-width"), 70.0))
        return [width] * min(_count(column, "number-columns-repeated"), _MOST_COLUMNS)

    def _cells(self, rows: list[Any], wide: list[float]) -> Iterator[_OpenSlideCell]:
        count = 0
        for number, row in enumerate(rows):
            column = 0
            for element in row:
                for _ in range(min(_count(element, "number-columns-repeated"), _MOST_COLUMNS)):
                    count += 1
                    if column >= len(wide) or count > _MOST_CELLS:
                        break
                    if local_name(element) == "table-cell":
                        chain = self._styles.chain("table-cell", attribute(element, "style-name"))
                        yield _OpenSlideCell(
                            number,
                            column,
                            min(_count(element, "number-rows-spanned"), len(rows) - number),
                            min(_count(element, "number-columns-spanned"), len(wide) - column),
                            chain,
                            self._texts.paragraphs(element, chain),
                        )
                    column += 1

    def _heights(self, rows: list[Any], cells: list[_OpenSlideCell], wide: list[float]) -> list[float]:
        high = []
        for row in rows:
            chain = self._styles.chain("table-row", attribute(row, "style-name"))
            high.append(max(4.0, length(said(chain, "table-row", "row-height"), 20.0)))
        for cell in cells:
            if cell.rows == 1:
                _, (left, top, right, bottom) = frame_of(cell.chain)
                room = sum(wide[cell.column : cell.column + cell.columns]) - left - right
                high[cell.row] = max(high[cell.row], text_height(cell.paragraphs, max(1.0, room)) + top + bottom)
        return high

    def _cell(self, cell: _OpenSlideCell, box: ShapePlace) -> Iterator[str]:
        fill = paint.fill(self._canvas, self._styles, cell.chain)
        if fill == paint.NO_FILL:
            ground = paint.colour(said(cell.chain, "table-cell", "background-color"))
            fill = fill if ground is None else attributes(fill=ground.hex)
        yield f"<rect{attributes(x=box.x, y=box.y, width=box.width, height=box.height)}{fill}{_EDGE}/>"
        frame, insets = frame_of(cell.chain)
        yield from lettering(cell.paragraphs, box.smaller(*insets), frame)


def _count(element: Any, name: str) -> int:
    text = attribute(element, name)
    return max(1, int(text)) if text.isdecimal() and len(text) < 6 else 1
