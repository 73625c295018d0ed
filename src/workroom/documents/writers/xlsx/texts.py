"""The first sheet, where there is more to say than tables: title, lines, and the texts around them, with links to the sheets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workroom.documents.writers.markdown_blocks import Block, footnotes_in, plain_text, printable
from workroom.documents.writers.report import Report
from workroom.documents.writers.report_tables import one_line
from workroom.documents.writers.words import WORDS
from workroom.documents.writers.xlsx.sheets import (
    HIGHEST,
    LEADING,
    LONGEST_CELL,
    TAKEN_FOR_FORMULA,
    WorkbookFormats,
    wrapped_lines,
)

WIDTH = 100
SIZES = (16, 14, 12, 11, 11, 11)
SILENT = ("heading", "table", "contents", "pageBreak", "rule")
SMALL = {"font_color": "#5A5F6B", "font_size": 9}


@dataclass(frozen=True)
class _Line:
    text: str
    look: Mapping[str, Any]
    sheet: str = ""  # what it leads to


def says_more(sections: Sequence[tuple[str, Sequence[Block]]]) -> bool:
    """`sections`: their notes and blocks. Headings and captions are names of sheets already."""
    return any(bool(note.strip()) or any(block["kind"] not in SILENT for block in blocks) for note, blocks in sections)


def write_texts(
    sheet: Any, formats: WorkbookFormats, report: Report, sections: Sequence[Sequence[Block]], names: Sequence[str]
) -> None:
    """`names` of the sheets of all tables, in their order."""
    sheet.set_column(0, 0, WIDTH)
    sheet.hide_gridlines(2)
    sheet.set_paper(9)
    sheet.fit_to_pages(1, 0)
    for row, line in enumerate(_Texts(report, names).lines(sections)):
        look = {"text_wrap": True, **line.look}
        size = float(line.look.get("font_size", 11))
        sheet.set_row(row, min(wrapped_lines(line.text, WIDTH * 11 / size) * size * LEADING, HIGHEST))
        if line.text.startswith(TAKEN_FOR_FORMULA):
            look["quote_prefix"] = True
        if line.sheet:
            quoted = line.sheet.replace("'", "''")
            sheet.write_url(row, 0, f"internal:'{quoted}'!A1", formats.get(**look), line.text)
        elif line.text:
            sheet.write_string(row, 0, line.text, formats.get(**look))


class _Texts:
    def __init__(self, report: Report, names: Sequence[str]) -> None:
        self._report, self._words = report, WORDS[report.language]
        self._names = iter(names)
        self._notes: list[str] = []

    def lines(self, sections: Sequence[Sequence[Block]]) -> Iterator[_Line]:
        for line in self._all(sections):
            text = line.text or ""
            yield _Line(text[:LONGEST_CELL], line.look, line.sheet)
            for at in range(LONGEST_CELL, len(text), LONGEST_CELL):
                yield _Line(text[at : at + LONGEST_CELL], line.look)

    def _all(self, sections: Sequence[Sequence[Block]]) -> Iterator[_Line]:
        if self._report.title:
            yield _Line(printable(self._report.title), {"bold": True, "font_size": 20})
        for line in self._report.lines:
            yield _Line(printable(line), {"font_color": "#5A5F6B"})
        for section, blocks in zip(self._report.sections, sections, strict=True):
            yield _Line("", {})
            if section.title:
                yield _Line(printable(section.title), {"bold": True, "font_size": SIZES[0]})
            if section.note:
                yield _Line(printable(section.note), SMALL)
            yield from self._blocks(blocks, 0, {})
            yield from self._open_notes()

    def _blocks(self, blocks: Sequence[Block], indent: int, look: Mapping[str, Any]) -> Iterator[_Line]:
        placed = {"indent": indent} if indent else {}
        for block in blocks:
            match block["kind"]:
                case "heading":
                    yield _Line("", {})
                    size = {"bold": True, "font_size": SIZES[block["level"] - 1]}
                    yield _Line(self._text(block["inline"]), {**look, **placed, **size})
                case "paragraph":
                    side = {"reading_order": 2, "align": "right"} if block["rtl"] else {}
                    yield _Line(self._text(block["inline"]), {**look, **placed, **side})
                case "code":
                    yield _Line(block["text"], {**placed, "font_name": "Consolas", "bg_color": "#F4F5F7"})
                case "quote":
                    yield from self._blocks(block["blocks"], indent + 1, {**look, "italic": True})
                case "list":
                    yield from self._list(block, indent, look)
                case "image":
                    missing = self._words.missing_picture.format(name=block["text"] or block["source"])
                    yield _Line(printable(block["text"] or missing), {**placed, "italic": True})
                case "table":
                    yield from self._table(block)

    def _list(self, block: Block, indent: int, look: Mapping[str, Any]) -> Iterator[_Line]:
        for at, item in enumerate(block["items"]):
            sign = "•" if block["start"] is None else f"{block['start'] + at}."
            first = item[0] if item and item[0]["kind"] == "paragraph" else None
            words = self._text(first["inline"]) if first else ""
            yield _Line(f"{sign} {words}", {**look, "indent": indent + 1})
            yield from self._blocks(item[1:] if first else item, indent + 2, look)

    def _table(self, block: Block) -> Iterator[_Line]:
        name = next(self._names)
        yield _Line(
            f"→ {one_line(plain_text(block['caption'])) or name}", {"font_color": "#3B4CCA", "underline": 1}, name
        )
        self._text(block["caption"])  # its footnotes

    def _text(self, inline: Sequence[Block]) -> str:
        """Footnotes stand below their section, by number."""
        marks = ""
        for note in footnotes_in(inline):
            self._notes.append(plain_text(note))
            marks += f" [{len(self._notes)}]"
        return plain_text(inline).strip() + marks

    def _open_notes(self) -> Iterator[_Line]:
        if any(self._notes):
            yield _Line("", {})
        for number, note in enumerate(self._notes, start=1):
            if note:
                yield _Line(f"[{number}] {note}", SMALL)
        self._notes = [""] * len(self._notes)  # said, and counted on
