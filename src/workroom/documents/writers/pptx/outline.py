"""Blocks as slides: which heading begins one, and what stands on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from workroom.documents.writers.charts import ChartPictures
from workroom.documents.writers.markdown_blocks import Block, blocks_of, plain_text, printable
from workroom.documents.writers.pictures import picture
from workroom.documents.writers.pptx.look import Look
from workroom.documents.writers.pptx.pieces import (
    DEEPEST,
    Code,
    Figure,
    ListMark,
    NewSlide,
    Paragraph,
    Piece,
    SpeakerNotes,
    Table,
)
from workroom.documents.writers.pptx.runs import Footnotes, Runs, TextRun, words
from workroom.documents.writers.report import Report
from workroom.documents.writers.text_tables import require_columns, require_fitting
from workroom.documents.writers.words import WORDS

MOST_COLUMNS = 100
ON_SLIDES = 2  # headings of these levels begin slides
NOTES = re.compile(r"(?:speaker notes|notes|notizen|notas|备注|演讲者备注)\s*[:：]\s*", re.IGNORECASE)


@dataclass
class Topic:
    """A heading and what stands below it. Level 0: what stands above all headings."""

    level: int
    title: Runs
    pieces: list[Piece] = field(default_factory=list)
    is_section: bool = False
    lines: Runs = ()
    contents_at: Sequence[int] = ()  # before which of the pieces the contents stand


class SlideOutline:
    def __init__(self, report: Report, look: Look, footnotes: Footnotes) -> None:
        self._report, self._look, self._footnotes = report, look, footnotes
        self._words = WORDS[report.language]
        self._charts = ChartPictures(report.pictures, report.language)
        self._lists = 0
        self._counted = {"figure": 0, "table": 0}

    def topics(self) -> list[Topic]:
        """In their order; a heading has a section slide when others follow below it, or nothing does."""
        topics = [topic for number in range(len(self._report.sections)) for topic in self._section(number)]
        for at, topic in enumerate(topics):
            following = topics[at + 1] if at + 1 < len(topics) else None
            is_above = following is not None and following.level > 1
            topic.is_section = topic.level == 1 and (is_above or not topic.pieces)
        return [topic for topic in topics if topic.pieces or topic.title]

    def agenda(self, topics: Sequence[Topic]) -> list[Piece]:
        """The contents: the titles of all slides below headings."""
        self._lists += 1
        mark = ListMark(self._lists, None)
        found = [(topic.level, words(topic.title)) for topic in topics if topic.level and topic.title]
        least = min((level for level, _ in found), default=1)
        entries = [
            Paragraph((TextRun(title),), self._size(level - least), level - least + 1, mark) for level, title in found
        ]
        return list(entries)

    @property
    def contents_title(self) -> Runs:
        return (TextRun(self._words.contents),)

    def _section(self, number: int) -> Iterator[Topic]:
        section = self._report.sections[number]
        title = printable(section.title)
        blocks = self._charts.within(blocks_of(section.markdown))
        has_headings = any(block["kind"] == "heading" and block["level"] <= ON_SLIDES for block in blocks)
        topic = Topic(1 if title else 0, (TextRun(title),) if title else ())
        note = printable(section.note)
        if note:
            topic.lines = (TextRun(note),)
            topic.pieces += (
                [] if has_headings and title else [Paragraph((TextRun(note),), self._look.smaller, kind="caption")]
            )
        for block in blocks:
            if block["kind"] == "heading" and block["level"] <= ON_SLIDES:
                yield topic
                level = block["level"] + (1 if title and block["level"] == 1 else 0)
                topic = Topic(level, self._footnotes.runs(block["inline"]))
            elif block["kind"] == "contents":
                topic.contents_at = [*topic.contents_at, len(topic.pieces)]
                topic.pieces.append(NewSlide())
            else:
                topic.pieces += self._pieces(block, 0)
        yield topic

    def _size(self, level: int) -> float:
        return self._look.size if level <= 0 else self._look.deeper

    def _pieces(self, block: Block, indent: int, *, is_quote: bool = False) -> Iterator[Piece]:
        size, kind = self._size(indent - 1), "quote" if is_quote else "text"
        match block["kind"]:
            case "heading":
                runs = self._footnotes.runs(block["inline"], TextRun("", bold=True))
                yield Paragraph(runs, size, indent, kind="heading")
            case "paragraph":
                runs = self._footnotes.runs(block["inline"], TextRun("", italic=is_quote))
                yield Paragraph(runs, size, indent, is_rtl=block["rtl"], kind=kind)
            case "code":
                yield Code(block["text"])
            case "quote":
                yield from self._quote(block, indent)
            case "list":
                yield from self._list(block, indent, is_quote=is_quote)
            case "table":
                yield self._table(block)
            case "image":
                yield self._figure(block, indent)
            case "pageBreak" | "rule" if indent == 0:
                yield NewSlide()

    def _quote(self, block: Block, indent: int) -> Iterator[Piece]:
        blocks: Sequence[Block] = block["blocks"]
        first = plain_text(blocks[0]["inline"]) if blocks and blocks[0]["kind"] == "paragraph" else ""
        if start := NOTES.match(first):
            said = [first[start.end() :], *(_plain(one) for one in blocks[1:])]
            yield SpeakerNotes("\n".join(filter(None, said)))
            return
        for one in blocks:
            yield from self._pieces(one, indent + 1, is_quote=True)

    def _list(self, block: Block, indent: int, *, is_quote: bool) -> Iterator[Piece]:
        self._lists += 1
        list_id, start = self._lists, block["start"]
        for at, item in enumerate(block["items"]):
            first = item[0] if item and item[0]["kind"] == "paragraph" else None
            runs = self._footnotes.runs(first["inline"], TextRun("", italic=is_quote)) if first else ()
            level = min(indent + 1, DEEPEST)
            mark = ListMark(list_id, None if start is None else start + at)
            is_rtl = bool(first and first["rtl"])
            yield Paragraph(runs, self._size(indent), level, mark, is_rtl)
            for one in item[1:] if first else item:
                yield from self._pieces(one, level, is_quote=is_quote)

    def _table(self, block: Block) -> Table:
        require_fitting(block)
        require_columns(block, MOST_COLUMNS)
        rows = [
            [self._footnotes.runs(cell, TextRun("", bold=at == 0)) for cell in row[:MOST_COLUMNS]]
            for at, row in enumerate(block["rows"])
        ]
        caption = self._captioned("table", self._words.table, self._footnotes.runs(block["caption"]))
        return Table(caption if block["caption"] else (), block["align"][:MOST_COLUMNS], rows)

    def _figure(self, block: Block, indent: int) -> Piece:
        source = block["source"]
        data = self._charts.pictures.get(source)
        found = picture(data) if data else None
        if found is None:
            missing = self._words.missing_picture.format(name=block["text"] or source)
            return Paragraph((TextRun(printable(missing), italic=True),), self._look.smaller, indent, kind="caption")
        caption = self._captioned("figure", self._words.figure, (TextRun(block["text"]),)) if block["text"] else ()
        return Figure(found, str(block.get("alt", block["text"])), caption)

    def _captioned(self, kind: str, word: str, runs: Runs) -> Runs:
        if not runs:
            return ()
        self._counted[kind] += 1
        return (TextRun(f"{word}{self._counted[kind]}{self._words.after_number}"), *runs)


def _plain(block: Block) -> str:
    """The words of a block, one line for each part; without recursion."""
    lines: list[str] = []
    pending = [block]
    while pending:
        one = pending.pop()
        match one["kind"]:
            case "paragraph" | "heading":
                lines.append(plain_text(one["inline"]))
            case "code":
                lines.append(str(one["text"]))
            case "list":
                pending += [part for item in reversed(one["items"]) for part in reversed(item)]
            case "quote":
                pending += reversed(one["blocks"])
            case "table":
                lines += [" | ".join(map(plain_text, row)) for row in one["rows"]]
            case "image":
                lines.append(str(one["text"]))
    return "\n".join(lines)
