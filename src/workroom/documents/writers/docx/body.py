"""The body of the file: title, then sections; blocks as paragraphs, lists, tables and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from workroom.documents.writers.charts import ChartPictures
from workroom.documents.writers.docx.contents import Heading, contents, marked
from workroom.documents.writers.docx.figures import Figures
from workroom.documents.writers.docx.inline import DocxInlineWriter, Links, run
from workroom.documents.writers.docx.lists import INDENT, LEVELS, Lists
from workroom.documents.writers.docx.notes import DocxFootnotes
from workroom.documents.writers.docx.styles import Styles
from workroom.documents.writers.docx.xml import w
from workroom.documents.writers.markdown_blocks import Block, blocks_of, plain_text, printable
from workroom.documents.writers.package import OfficePackage
from workroom.documents.writers.report import Report, ReportSection
from workroom.documents.writers.text_tables import require_columns, require_fitting
from workroom.documents.writers.words import WORDS

ALIGNMENTS = {"left": "left", "center": "center", "right": "right"}
MOST_COLUMNS = 63  # what Word opens
LETTER, MARGIN = 135, 220  # of a cell, in twentieths of a point: a wide letter, and what is beside the text


class WrittenBody:
    """One pass over a report. Afterwards `put` stores what the other parts of the file need."""

    def __init__(self, package: OfficePackage, report: Report, width: int) -> None:
        """`width` of the text on a page, in twentieths of a point."""
        self._package, self._report, self._width = package, report, width
        self._words = WORDS[report.language]
        self._styles = Styles(package)
        self._lists, self._notes = Lists(package), DocxFootnotes(package, self._styles)
        self._links, self._note_links = Links(), Links()
        within_notes = DocxInlineWriter(self._note_links, self._styles)
        self._inline = DocxInlineWriter(
            self._links, self._styles, lambda note: self._notes.reference(within_notes.runs(note))
        )
        charts = ChartPictures(report.pictures, report.language)
        self._sections = [(one, charts.within(blocks_of(one.markdown))) for one in report.sections]
        self._figures = Figures(package, charts.pictures, width / 20)
        self._headings = list(self._all_headings())
        self._heading = self._counted = 0
        self._captions = {"figure": 0, "table": 0}

    def elements(self, *, with_title: bool) -> Iterator[Any]:
        if with_title:
            yield from self._title()
        for at, (section, blocks) in enumerate(self._sections):
            yield from self._section(section, blocks, on_new_page=self._report.has_title_page or at > 0)

    def put(self) -> None:
        self._lists.put()
        self._notes.put()
        self._figures.put()
        self._links.put(self._package, self._package.document)
        self._note_links.put(self._package, self._notes.part)

    def _title(self) -> Iterator[Any]:
        if self._report.title:
            above = 4_200 if self._report.has_title_page else 0
            yield self._paragraph("Title", run(printable(self._report.title)), above=above)
        for line in self._report.lines:
            yield self._paragraph("Subtitle", run(printable(line)))

    def _section(self, section: ReportSection, blocks: Sequence[Block], *, on_new_page: bool) -> Iterator[Any]:
        if on_new_page:
            yield _page_break()
        if section.title:
            yield self._heading_of(1, run(printable(section.title)))
        if section.note:
            yield self._paragraph("Note", run(printable(section.note)))
        yield from self._blocks(blocks, "", -1)

    def _blocks(self, blocks: Sequence[Block], style: str, level: int) -> Iterator[Any]:
        """`level` is that of the list they stand in; -1 outside of lists."""
        for block in blocks:
            yield from self._block(block, style, level)

    def _block(self, block: Block, style: str, level: int) -> Iterator[Any]:
        match block["kind"]:
            case "heading" if level < 0 and style == "":
                yield self._heading_of(block["level"], *self._inline.runs(block["inline"]))
            case "heading":
                yield self._paragraph(style, *self._inline.runs(block["inline"], bold=True), indent=level)
            case "paragraph":
                yield self._paragraph(style, *self._inline.runs(block["inline"]), indent=level, is_bidi=block["rtl"])
            case "code":
                yield self._paragraph("CodeBlock", *_lines(block["text"]), indent=level)
            case "quote":
                yield from self._blocks(block["blocks"], "Quote", level)
            case "rule":
                yield self._paragraph("Rule")
            case "list":
                yield from self._list(block, min(level + 1, LEVELS - 1))
            case "table":
                yield from self._table(block)
            case "image":
                yield from self._image(block)
            case "pageBreak":
                yield _page_break()
            case "contents":
                yield from contents(self._headings, self._words.contents, self._styles)

    def _heading_of(self, level: int, *runs: Any) -> Any:
        heading = self._headings[self._heading] if self._heading < len(self._headings) else None
        paragraph = self._paragraph(f"Heading{level}", *runs)
        if heading is not None and heading.level == level:
            self._heading += 1
            marked(paragraph, heading)
        return paragraph

    def _all_headings(self) -> Iterator[Heading]:
        """In the order in which they are written. Those in lists and quotations are no headings of the document."""
        number = 0
        for section, blocks in self._sections:
            titles = [(1, printable(section.title))] if section.title else []
            found = [(one["level"], plain_text(one["inline"])) for one in blocks if one["kind"] == "heading"]
            for level, title in [*titles, *found]:
                number += 1
                yield Heading(number, level, title)

    def _list(self, block: Block, level: int) -> Iterator[Any]:
        start = block["start"]
        number = self._lists.bullets() if start is None else self._lists.numbers(level, start)
        for item in block["items"]:
            first, rest = (item[0], item[1:]) if item and item[0]["kind"] == "paragraph" else (None, item)
            runs = self._inline.runs(first["inline"]) if first else []
            yield self._paragraph("ListParagraph", *runs, listed=(number, level))
            yield from self._blocks(rest, "ListParagraph", level)

    def _table(self, block: Block) -> Iterator[Any]:
        require_fitting(block)
        require_columns(block, MOST_COLUMNS)
        if block["caption"]:
            yield self._caption("table", self._words.table, self._inline.runs(block["caption"]), is_above=True)
        columns = max(1, len(block["align"]))
        widths = _widths(block["rows"], columns, self._width)
        grid = w("tblGrid", *(w("gridCol", w=width) for width in widths))
        look = w("tblPr", w("tblStyle", val=self._styles.id("TableGrid")), w("tblW", w=sum(widths), type="dxa"))
        rows = [self._row(row, block["align"], widths, is_head=at == 0) for at, row in enumerate(block["rows"])]
        yield w("tbl", look, grid, *rows)
        yield self._paragraph("AfterTable")  # two tables in a row would be one

    def _row(self, cells: Sequence[Any], aligned: Sequence[str], widths: Sequence[int], *, is_head: bool) -> Any:
        made = []
        for column, width in enumerate(widths):
            runs = self._inline.runs(cells[column], bold=is_head) if column < len(cells) else []
            alignment = ALIGNMENTS.get(aligned[column]) if column < len(aligned) else None
            shade = w("shd", val="clear", color="auto", fill="EEF0F4") if is_head else None
            about = w("tcPr", w("tcW", w=width, type="dxa"), shade)
            made.append(w("tc", about, self._paragraph("TableText", *runs, alignment=alignment)))
        return w("tr", w("trPr", w("cantSplit"), w("tblHeader") if is_head else None), *made)

    def _image(self, block: Block) -> Iterator[Any]:
        drawing = self._figures.drawing(block["source"], str(block.get("alt", block["text"])))
        if drawing is None:
            missing = self._words.missing_picture.format(name=block["text"] or block["source"])
            yield self._paragraph("Note", run(printable(missing)))
            return
        yield self._paragraph("Figure", drawing)
        if block["text"]:
            yield self._caption("figure", self._words.figure, [run(block["text"])])

    def _caption(self, kind: str, word: str, runs: Sequence[Any], *, is_above: bool = False) -> Any:
        """With a number that Word counts anew when pictures or tables are moved."""
        self._captions[kind] += 1
        number = w("fldSimple", run(str(self._captions[kind])), instr=f" SEQ {word.strip()} \\* ARABIC ")
        return self._paragraph("Caption", run(word), number, run(self._words.after_number), *runs, keep_next=is_above)

    def _paragraph(
        self,
        style: str,
        *runs: Any,
        listed: tuple[int, int] | None = None,
        indent: int = -1,
        alignment: str | None = None,
        above: int | None = None,
        is_bidi: bool = False,
        keep_next: bool = False,
    ) -> Any:
        properties = [
            w("pStyle", val=self._styles.id(style)) if style else None,
            w("keepNext") if keep_next else None,
            w("numPr", w("ilvl", val=listed[1]), w("numId", val=listed[0])) if listed else None,
            w("bidi") if is_bidi else None,
            w("spacing", before=above) if above is not None else None,
            w("ind", left=INDENT * (indent + 1)) if indent >= 0 and not listed else None,
            w("jc", val=alignment) if alignment else None,
        ]
        kept = [one for one in properties if one is not None]
        return w("p", w("pPr", *kept) if kept else None, *runs)


def _widths(rows: Sequence[Any], columns: int, width: int) -> list[int]:
    """Columns as wide as what is in them asks for, and if possible no narrower than their longest word."""
    words, longest = [MARGIN] * columns, [1] * columns
    for row in rows[:200]:
        for column, cell in enumerate(row[:columns]):
            text = plain_text(cell)
            word = max(map(len, text.split()), default=0)
            words[column] = max(words[column], MARGIN + min(word, 25) * LETTER)
            longest[column] = max(longest[column], min(len(text), 60))
    least = words if sum(words) <= width else [width // columns] * columns
    room = width - sum(least)
    return [place + room * length // sum(longest) for place, length in zip(least, longest, strict=True)]


def _lines(code: str) -> Iterator[Any]:
    for at, line in enumerate(code.split("\n")):
        if at:
            yield w("r", w("br"))
        yield run(line)


def _page_break() -> Any:
    return w("p", w("r", w("br", type="page")))
