"""The body of the page: title, then sections; blocks as elements."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence

from workroom.documents.writers.charts import ChartPictures
from workroom.documents.writers.html.elements import Markup, element, joined, text
from workroom.documents.writers.html.inline import HtmlInlineWriter
from workroom.documents.writers.markdown_blocks import Block, blocks_of, is_right_to_left, plain_text, printable
from workroom.documents.writers.pictures import picture
from workroom.documents.writers.report import Report, ReportSection
from workroom.documents.writers.text_tables import require_fitting
from workroom.documents.writers.words import WORDS

DEEPEST_HEADING = 6
CONTENTS_LEVELS = 3
SIDES = ("left", "center", "right")


class HtmlBody:
    """One pass over a report."""

    def __init__(self, report: Report) -> None:
        self._report, self._words = report, WORDS[report.language]
        charts = ChartPictures(report.pictures, report.language)
        self._sections = [(one, charts.within(blocks_of(one.markdown))) for one in report.sections]
        self._pictures = charts.pictures
        self._headings = list(self._all_headings())
        self._written = 0  # headings
        self._inline = HtmlInlineWriter()
        self._counted = {"figure": 0, "table": 0}
        self._below_title = 1 if report.title else 0  # by how much headings are lower than they say

    @property
    def is_right_to_left(self) -> bool:
        """Whether most paragraphs are."""
        sides = [bool(block["rtl"]) for _, blocks in self._sections for block in blocks if block["kind"] == "paragraph"]
        return sides.count(True) * 2 > len(sides)

    def markup(self) -> Markup:
        sections = [self._section(section, blocks) for section, blocks in self._sections]
        return joined(self._title(), element("main", *sections), self._inline.notes())

    def _title(self) -> Markup:
        title = element("h1", text(printable(self._report.title)), dir="auto") if self._report.title else Markup()
        lines = [element("p", text(printable(line)), dir="auto") for line in self._report.lines]
        if not title and not lines:
            return Markup()
        return element("header", title, *lines, class_="page" if self._report.has_title_page else None)

    def _section(self, section: ReportSection, blocks: Sequence[Block]) -> Markup:
        title = [self._heading(1, text(printable(section.title)))] if section.title else []
        note = [element("p", text(printable(section.note)), class_="note", dir="auto")] if section.note else []
        return element("section", *title, *note, *self._blocks(blocks, is_inner=False))

    def _all_headings(self) -> Iterator[tuple[int, str]]:
        """In the order in which they are written."""
        for section, blocks in self._sections:
            if section.title:
                yield 1, printable(section.title)
            yield from ((one["level"], plain_text(one["inline"])) for one in blocks if one["kind"] == "heading")

    def _heading(self, level: int, words: Markup) -> Markup:
        self._written += 1
        name = f"h{min(level + self._below_title, DEEPEST_HEADING)}"
        return element(name, words, id=f"heading-{self._written}", dir="auto")

    def _blocks(self, blocks: Sequence[Block], *, is_inner: bool) -> Iterator[Markup]:
        for block in blocks:
            yield self._block(block, is_inner=is_inner)
            yield Markup("\n")

    def _block(self, block: Block, *, is_inner: bool) -> Markup:
        match block["kind"]:
            case "heading" if not is_inner:
                return self._heading(block["level"], self._inline.markup(block["inline"]))
            case "heading":
                return element("p", element("strong", self._inline.markup(block["inline"])))
            case "paragraph":
                return element("p", self._inline.markup(block["inline"]), dir="rtl" if block["rtl"] else None)
            case "code":
                return element("pre", element("code", text(block["text"])), dir="ltr")
            case "quote":
                return element("blockquote", *self._blocks(block["blocks"], is_inner=True))
            case "list":
                return self._list(block)
            case "table":
                return self._table(block)
            case "image":
                return self._figure(block)
            case "pageBreak":
                return element("div", class_="break")
            case "contents":
                return self._contents()
        return element("hr")

    def _list(self, block: Block) -> Markup:
        items = [element("li", *self._item(item), dir="auto") for item in block["items"]]
        if block["start"] is None:
            return element("ul", *items)
        return element("ol", *items, start=block["start"] if block["start"] != 1 else None)

    def _item(self, blocks: Sequence[Block]) -> Iterator[Markup]:
        """An item of one paragraph is not one of its own."""
        first = blocks[0] if blocks and blocks[0]["kind"] == "paragraph" else None
        if (
            first is not None
            and all(block["kind"] in ("paragraph", "list") for block in blocks)
            and (sum(block["kind"] == "paragraph" for block in blocks) == 1)
        ):
            yield self._inline.markup(first["inline"])
            yield from self._blocks(blocks[1:], is_inner=True)
        else:
            yield from self._blocks(blocks, is_inner=True)

    def _table(self, block: Block) -> Markup:
        require_fitting(block)
        caption = []
        if block["caption"]:
            caption = [
                element("caption", self._numbered("table", self._words.table), self._inline.markup(block["caption"]))
            ]
        head, *rows = block["rows"]
        columns = max(1, len(block["align"]))
        body = [element("tr", *self._cells("td", row, block["align"], columns)) for row in rows]
        top = element("thead", element("tr", *self._cells("th", head, block["align"], columns)))
        table = element("table", *caption, top, element("tbody", *body))
        return element("div", table, class_="table", tabindex=0)

    def _cells(self, name: str, row: Sequence[Sequence[Block]], align: Sequence[str], columns: int) -> Iterator[Markup]:
        for column in range(columns):
            cell = row[column] if column < len(row) else []
            side = align[column] if column < len(align) and align[column] in SIDES else None
            direction = "rtl" if is_right_to_left(plain_text(cell)) else None
            scope = "col" if name == "th" else None
            yield element(name, self._inline.markup(cell), scope=scope, class_=side, dir=direction)

    def _figure(self, block: Block) -> Markup:
        data = self._pictures.get(block["source"])
        found = picture(data) if data else None
        if found is None:
            missing = self._words.missing_picture.format(name=block["text"] or block["source"])
            return element("p", text(printable(missing)), class_="note")
        address = f"data:image/{found.extension};base64,{base64.b64encode(found.data).decode()}"
        size = {"width": round(found.width * 96 / 72), "height": round(found.height * 96 / 72)}
        shown = element("img", src=address, alt=block.get("alt", block["text"]), **size)
        words = text(block["text"])
        caption = [element("figcaption", self._numbered("figure", self._words.figure), words)] if block["text"] else []
        return element("figure", shown, *caption)

    def _numbered(self, kind: str, word: str) -> Markup:
        self._counted[kind] += 1
        return text(f"{word}{self._counted[kind]}{self._words.after_number}")

    def _contents(self) -> Markup:
        shown = [(number, level, title) for number, (level, title) in enumerate(self._headings, start=1)]
        items = [
            element("li", element("a", text(title), href=f"#heading-{number}"), class_=f"level-{level}", dir="auto")
            for number, level, title in shown
            if level <= CONTENTS_LEVELS and title.strip()
        ]
        heading = element("p", text(self._words.contents), class_="contents")
        return element("nav", heading, element("ul", *items), role="doc-toc", aria_label=self._words.contents)
