"""The body of the file: title page, then sections, each on a page of its own; blocks as paragraphs, lists and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from workroom.documents.docx_writer.inline import InlineWriter, Links, run
from workroom.documents.docx_writer.lists import INDENT, LEVELS, Lists
from workroom.documents.docx_writer.xml import R, w
from workroom.documents.markdown_blocks import Block, blocks_of, printable
from workroom.documents.report import Report, ReportSection

ALIGNMENTS = {"left": "left", "center": "center", "right": "right"}
WIDTH = 9_354  # of the text on a page of A4, in twentieths of a point
MOST_COLUMNS = 63  # what Word opens


class Body:
    """One pass over a report; afterwards `lists` and `links` know what the other parts of the file need."""

    def __init__(self) -> None:
        self.lists, self.links = Lists(), Links()
        self._inline = InlineWriter(self.links)

    def document(self, report: Report) -> Any:
        title = [_paragraph("Title", run(printable(report.title)))]
        title += [_paragraph("Subtitle", run(printable(line))) for line in report.lines]
        sections = [element for section in report.sections for element in self._section(section)]
        return w("document", w("body", *title, *sections, _page()))

    def _section(self, section: ReportSection) -> Iterator[Any]:
        yield w("p", w("r", w("br", type="page")))
        if section.title:
            yield _paragraph("Heading1", run(printable(section.title)))
        if section.note:
            yield _paragraph("Note", run(printable(section.note)))
        yield from self._blocks(blocks_of(section.markdown), "", -1)

    def _blocks(self, blocks: Sequence[Block], style: str, level: int) -> Iterator[Any]:
        """`level` is that of the list they stand in; -1 outside of lists."""
        for block in blocks:
            yield from self._block(block, style, level)

    def _block(self, block: Block, style: str, level: int) -> Iterator[Any]:
        match block["kind"]:
            case "heading":
                yield _paragraph(f"Heading{block['level']}", *self._inline.runs(block["inline"]))
            case "paragraph":
                yield _paragraph(style, *self._inline.runs(block["inline"]), indent=level)
            case "code":
                yield _paragraph("CodeBlock", *_lines(block["text"]), indent=level)
            case "quote":
                yield from self._blocks(block["blocks"], "Quote", level)
            case "rule":
                yield _paragraph("Rule")
            case "list":
                yield from self._list(block, min(level + 1, LEVELS - 1))
            case "table":
                yield self._table(block)
                yield w("p")  # two tables in a row would be one

    def _list(self, block: Block, level: int) -> Iterator[Any]:
        start = block["start"]
        number = self.lists.bullets() if start is None else self.lists.numbers(level, start)
        for item in block["items"]:
            first, rest = (item[0], item[1:]) if item and item[0]["kind"] == "paragraph" else (None, item)
            runs = self._inline.runs(first["inline"]) if first else []
            yield _paragraph("ListParagraph", *runs, listed=(number, level))
            yield from self._blocks(rest, "ListParagraph", level)

    def _table(self, block: Block) -> Any:
        columns = min(max(1, len(block["align"])), MOST_COLUMNS)
        grid = w("tblGrid", *(w("gridCol", w=WIDTH // columns) for _ in range(columns)))
        look = w("tblPr", w("tblStyle", val="TableGrid"), w("tblW", w=WIDTH, type="dxa"))
        rows = [self._row(row, block["align"], columns, is_head=at == 0) for at, row in enumerate(block["rows"])]
        return w("tbl", look, grid, *rows)

    def _row(self, cells: Sequence[Any], aligned: Sequence[str], columns: int, *, is_head: bool) -> Any:
        made = []
        for column in range(columns):
            runs = self._inline.runs(cells[column], bold=is_head) if column < len(cells) else []
            alignment = ALIGNMENTS.get(aligned[column]) if column < len(aligned) else None
            width = w("tcPr", w("tcW", w=WIDTH // columns, type="dxa"))
            made.append(w("tc", width, _paragraph("TableText", *runs, alignment=alignment)))
        return w("tr", w("trPr", w("tblHeader")) if is_head else None, *made)


def _paragraph(
    style: str, *runs: Any, listed: tuple[int, int] | None = None, indent: int = -1, alignment: str | None = None
) -> Any:
    properties = [w("pStyle", val=style)] if style else []
    if listed:
        properties.append(w("numPr", w("ilvl", val=listed[1]), w("numId", val=listed[0])))
    elif indent >= 0:
        properties.append(w("ind", left=INDENT * (indent + 1)))
    if alignment:
        properties.append(w("jc", val=alignment))
    return w("p", w("pPr", *properties) if properties else None, *runs)


def _lines(code: str) -> Iterator[Any]:
    for at, line in enumerate(code.split("\n")):
        if at:
            yield w("r", w("br"))
        yield run(line)


def _page() -> Any:
    """A4, with the number of the page at its foot."""
    footer = w("footerReference", type="default")
    footer.set(f"{{{R}}}id", "footer")
    return w(
        "sectPr",
        footer,
        w("pgSz", w=11_906, h=16_838),
        w("pgMar", top=1_276, right=1_276, bottom=1_276, left=1_276, header=567, footer=567, gutter=0),
        w("titlePg"),
    )
