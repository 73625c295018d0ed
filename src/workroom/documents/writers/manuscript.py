"""Reads the Markdown of a whole document: its title, the pictures it names, and the report that writers make of it. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workroom.core.markdown_headings import headings, moved_headings
from workroom.documents.writers.markdown_blocks import Block, blocks_of, plain_text
from workroom.documents.writers.report import Report, ReportSection

MOST_PICTURES = 100
_CLOSING = re.compile(r"(?:^|\s)#+\s*$")
_EMBEDDED = re.compile(r"data:", re.IGNORECASE)


def report_of(markdown: str, *, title: str, lines: Sequence[str], language: str, has_title_page: bool) -> Report:
    """A heading of the first level that begins the text, and is the only one, is the title: those below it are the chapters
    then. Where another title is given it stays what it is."""
    found = list(headings(markdown))
    is_first = bool(found) and found[0].level == 1 and not markdown[: found[0].start].strip()
    if is_first and "[^" not in found[0].title and _is_single(markdown) and title in ("", _words(found[0].title)):
        title = _words(found[0].title)
        markdown = markdown[found[0].end :].lstrip("\n")
        markdown = moved_headings(markdown, 1) if len(found) > 1 else markdown
    section = ReportSection(title="", note="", markdown=markdown)
    return Report(title=title, lines=lines, language=language, sections=[section], has_title_page=has_title_page)


def pictures_named(markdown: str) -> list[str]:
    """The addresses of pictures that are figures, each once, in their order."""
    found: dict[str, None] = {}
    pending: list[Block] = list(reversed(blocks_of(markdown)))
    while pending:
        block = pending.pop()
        if block["kind"] == "image":
            found[block["source"]] = None
        inner = [*block.get("blocks", ()), *(one for item in block.get("items", ()) for one in item)]
        pending += reversed(inner)
    return [source for source in found if source and not _EMBEDDED.match(source)][:MOST_PICTURES]


def _is_single(markdown: str) -> bool:
    """Whether one heading alone is of the first level, underlined ones included."""
    return [block["level"] for block in blocks_of(markdown) if block["kind"] == "heading"].count(1) == 1


def _words(title: str) -> str:
    blocks = blocks_of(_CLOSING.sub("", title).strip())
    return plain_text(blocks[0]["inline"]) if blocks and blocks[0]["kind"] == "paragraph" else title.strip()
