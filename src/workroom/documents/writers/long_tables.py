"""Tables of many rows, read faster than the parser of Markdown does it, which needs a minute and gigabytes for a million cells.

The parser sees such a table with a mark in the place of its rows, and so decides itself whether it is one; the rows then take the
place of the mark. What is in a row is left to the parser as well, unless it is a plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from workroom.documents.writers.markdown_blocks import Block, blocks_of, plain_text, printable

LONG = 500  # rows that the parser reads without being slow
TOGETHER = 200  # rows that it reads at a time
DELIMITER = re.compile(r" {0,3}\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*")
MARK = "\ue000rows{}\ue001"
MARKED = re.compile("\ue000rows(\\d+)\ue001")
MARKUP = re.compile(r"[\\`*_\[\]<&!~^]|https?://")
REFERRING = re.compile(r"\]\[|\[\^|\]\s*\[")  # what a row says elsewhere in the text


def blocks_with_long_tables(markdown: str) -> list[Block]:
    """What `blocks_of` says of it, also of a table of hundreds of thousands of rows."""
    lines = markdown.split("\n")
    runs = [] if "\ue000" in markdown else list(_long_runs(lines))
    if not runs:
        return blocks_of(markdown)
    kept: list[str] = []
    done = 0
    for number, (begin, end) in enumerate(runs):
        kept += [*lines[done:begin], f"| {MARK.format(number)} |"]
        done = end
    blocks = blocks_of("\n".join([*kept, *lines[done:]]))
    tables = [block for block in blocks if block["kind"] == "table"]
    places = {int(mark[1]): table for table in tables for row in table["rows"] if (mark := _mark_of(row))}
    if len(places) < len(runs) or sum(len(MARKED.findall(str(block))) for block in blocks) > len(runs):
        return blocks_of(markdown)  # a long text that is no table, such as code
    for number, table in places.items():
        begin, end = runs[number]
        at = next(at for at, row in enumerate(table["rows"]) if _mark_of(row))
        table["rows"][at : at + 1] = _rows(lines[begin:end], len(table["align"]))
    return blocks


def _long_runs(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """From which line to which there are rows; those that refer to something else are left to the parser."""
    at = 0
    while at < len(lines):
        if not DELIMITER.fullmatch(lines[at].rstrip("\r")):
            at += 1
            continue
        begin = at = at + 1
        while at < len(lines) and lines[at].startswith("|"):
            at += 1
        if at - begin > LONG and not any(REFERRING.search(line) for line in lines[begin:at]):
            yield begin, at


def _mark_of(row: Sequence[Sequence[Block]]) -> re.Match[str] | None:
    return MARKED.fullmatch(plain_text(row[0])) if row else None


def _rows(lines: Sequence[str], columns: int) -> list[list[list[Block]]]:
    rows: list[list[list[Block]]] = []
    for has_markup, group in groupby(lines, key=lambda line: bool(MARKUP.search(line))):
        some = list(group)
        if has_markup:
            for at in range(0, len(some), TOGETHER):
                rows += _parsed(some[at : at + TOGETHER], columns)
        else:
            rows += [_plain_row(line, columns) for line in some]
    return rows


def _parsed(lines: Sequence[str], columns: int) -> list[list[list[Block]]]:
    head = ["|" + "x|" * columns, "|" + "-|" * columns]
    (table,) = blocks_of("\n".join([*head, *lines]))
    return list(table["rows"][1:])


def _plain_row(line: str, columns: int) -> list[list[Block]]:
    cells = printable(line).strip().removeprefix("|").removesuffix("|").split("|")[:columns]
    made: list[list[Block]] = [[{"kind": "text", "text": words}] if (words := cell.strip()) else [] for cell in cells]
    return made + [[] for _ in range(columns - len(made))]
