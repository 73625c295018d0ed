"""Tables as DrawingML: a head in a tint of the accent colour, and lines between rows; the same in every theme."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workroom.documents.writers.markdown_blocks import is_right_to_left
from workroom.documents.writers.pptx.drawn_text import TextDrawing
from workroom.documents.writers.pptx.look import EMU
from workroom.documents.writers.pptx.pieces import TableFrame
from workroom.documents.writers.pptx.runs import Runs, words
from workroom.documents.writers.pptx.tables import MARGIN, MARGIN_ABOVE
from workroom.documents.writers.pptx.xml import A, P, a

NO_STYLE = "{2D5ABB26-0587-4C30-8999-92F81FD0307C}"


def drawn_table(slide: Any, frame: TableFrame, text: TextDrawing, size: float) -> None:
    box = frame.box
    places = [round(side * EMU) for side in (box.left, box.top, box.width, box.height)]
    shape = slide.shapes.add_table(1, 1, *places)
    about = shape._element.find(f".//{{{P}}}cNvPr")
    about.set("name", f"Table {shape.shape_id}")
    about.set("descr", words(frame.table.caption))
    style = a("tableStyleId")
    style.text = NO_STYLE
    columns = [a("gridCol", w=round(width * EMU)) for width in frame.widths]
    rows = [
        _row(row, frame.table.align, height, text, size, is_head=at == 0)
        for at, (row, height) in enumerate(zip(frame.table.rows, frame.heights, strict=True))
    ]
    table = shape._element.find(f".//{{{A}}}tbl")
    table.getparent().replace(table, a("tbl", a("tblPr", style, firstRow=1), a("tblGrid", *columns), *rows))


def _row(
    row: Sequence[Runs], align: Sequence[str], height: float, text: TextDrawing, size: float, *, is_head: bool
) -> Any:
    cells = []
    for column, cell in enumerate(row):
        aligned = align[column] if column < len(align) else "start"
        line = text.line(cell, size=size, align=aligned, is_rtl=is_right_to_left(words(cell)))
        body = a("txBody", a("bodyPr"), a("lstStyle"), line)
        cells.append(a("tc", body, _look(is_head=is_head)))
    return a("tr", *cells, h=round(height * EMU))


def _look(*, is_head: bool) -> Any:
    grey = a("schemeClr", a("lumMod", val=85_000), val="bg1")
    accent = a("schemeClr", val="accent1")
    tint = a("schemeClr", a("lumMod", val=12_000), a("lumOff", val=88_000), val="accent1")
    fill = a("solidFill", tint) if is_head else a("noFill")
    below = _line("lnB", accent, 12_700) if is_head else _line("lnB", grey, 6_350)
    sides = [_line(side, None, 0) for side in ("lnL", "lnR", "lnT")]
    margin, above = round(MARGIN * EMU), round(MARGIN_ABOVE * EMU)
    return a(
        "tcPr", *sides, below, fill, marL=margin, marR=margin, marT=above, marB=above, anchor="ctr" if is_head else "t"
    )


def _line(side: str, colour: Any, width: int) -> Any:
    return a(side, a("noFill")) if colour is None else a(side, a("solidFill", colour), w=width)
