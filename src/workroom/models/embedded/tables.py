"""A table in a passage, cut to what the question asks for: its head, and the rows that have the words of the question."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log1p

from workroom.models.embedded.query_terms import QueryTerms

MOST_ROWS = 8
MOST_COLUMNS = 8
MOST_HEADS = 3
LONGEST_CELL = 100
LONGEST_QUOTED = 400  # of a cell that is marked where it stands
ENOUGH = 0.75  # of what the best row says
_BORDER = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\s*:?-{3,}:?\s*")

Row = Sequence[str]


@dataclass(frozen=True)
class PassageTable:
    """`heads` are more than one row where the first is only a title."""

    heads: Sequence[Row]
    rows: Sequence[Row]

    def with_rows(self, more: Iterable[Row]) -> PassageTable:
        return PassageTable(self.heads, [*self.rows, *more])


def is_row(line: str) -> bool:
    return line.lstrip().startswith("|") and line.count("|") > 1


def read(lines: Iterable[str]) -> PassageTable:
    """From lines of Markdown. A piece from the middle of a table has no head."""
    rows = [_cells(line) for line in lines]
    ruled = len(rows) > 1 and _is_rule(rows[1])
    body = [row for row in rows if not _is_rule(row)]
    count = _heads(body) if ruled else 0
    return PassageTable(body[:count], body[count:])


def cut(table: PassageTable, terms: QueryTerms, quote: str = "") -> str:
    """As Markdown. Rows of the `quote` stay, and whole; without any word of the question in the rows, the first ones stand for
    all."""
    quoted = {at for at, row in enumerate(table.rows) if _is_quoted(row, quote)}
    chosen = _chosen(table.rows, terms, quoted)
    columns = _columns(table, chosen, terms)
    head, *heads = table.heads or [[]]
    lines = [_line(head, columns), "|---" * len(columns) + "|", *(_line(row, columns) for row in heads)]
    lines += [_line(table.rows[at], columns, LONGEST_QUOTED if at in quoted else LONGEST_CELL) for at in chosen]
    return "\n".join([*lines, *(["", "…"] if len(chosen) < len(table.rows) else [])])


def _is_quoted(row: Row, quote: str) -> bool:
    """A quotation may end within a row."""
    lines = [line for line in quote.split("\n") if is_row(line) or len(line) > LONGEST_CELL]
    own = _plain(row)
    return any(
        own == said if line.rstrip().endswith("|") else own.startswith(said)
        for line in lines
        if (said := _plain(_cells(line)))
    )


def _chosen(rows: Sequence[Row], terms: QueryTerms, quoted: set[int]) -> list[int]:
    """A word that many rows have says little about any of them. What is quoted comes first."""
    said = [terms.terms_in(" ".join(row)) for row in rows]
    known = Counter(word for words in said for word in words)
    worth = [sum(log1p(len(rows) / known[word]) for word in words) for words in said]
    best = max(worth, default=0.0)
    worthy = {at for at, value in enumerate(worth) if best and value >= ENOUGH * best}
    found = worthy | quoted or set(range(len(rows)))
    return sorted(sorted(found, key=lambda at: (at not in quoted, -worth[at], at))[:MOST_ROWS])


def _columns(table: PassageTable, chosen: Sequence[int], terms: QueryTerms) -> list[int]:
    """Those that say something: the first, those that were asked for, then the others in their order."""
    shown = [*table.heads, *(table.rows[at] for at in chosen)]
    width = max((len(row) for row in shown), default=0)
    told = [at for at in range(width) if any(at < len(row) and row[at] for row in shown)]

    def rank(at: int) -> tuple[bool, bool]:
        return at != told[0], not any(terms.terms_in(_at(row, at)) for row in shown)

    return sorted(sorted(told, key=rank)[:MOST_COLUMNS])


def _heads(rows: Sequence[Row]) -> int:
    """A row with hardly a cell is a title of what follows; one that begins with an empty cell is the second half of a head."""
    count = min(1, len(rows))
    while 0 < count < min(MOST_HEADS, len(rows) - 1) and rows[count - 1][0] and _is_sparse(rows[count - 1]):
        count += 1
    halved = 0 < count < min(MOST_HEADS, len(rows) - 1) and not rows[count][0] and _is_sparse(rows[count])
    return count + halved


def _is_sparse(row: Row) -> bool:
    return sum(map(bool, row)) * 2 <= len(row)


def _cells(line: str) -> list[str]:
    """A cell that goes over the whole row is said once."""
    inner = line.strip().removeprefix("|")
    cells = [cell.strip() for cell in _BORDER.split(inner[:-1] if inner.endswith("|") else inner)]
    one = len(cells) > 2 and len(set(cells)) == 1 and not _RULE.fullmatch(cells[0])
    return [cells[0], *([""] * (len(cells) - 1))] if one else cells


def _is_rule(row: Row) -> bool:
    return bool(row) and all(_RULE.fullmatch(cell) for cell in row)


def _line(row: Row, columns: Iterable[int], longest: int = LONGEST_CELL) -> str:
    return f"| {' | '.join(_short(_at(row, at), longest) for at in columns)} |"


def _at(row: Row, at: int) -> str:
    return row[at] if at < len(row) else ""


def _short(cell: str, longest: int) -> str:
    return cell if len(cell) <= longest else cell[:longest].rstrip("\\ ") + " …"


def _plain(row: Row) -> str:
    return "|".join(row)


def blocks(text: str) -> Iterator[tuple[bool, int, int]]:
    """Whether it is a table, and where it begins and ends: lines of one kind that follow each other. An empty line ends a table:
    what comes after it has a head of its own."""
    start, kind, at, gap = 0, None, 0, False
    for line in text.splitlines(keepends=True):
        if line.strip():
            row = is_row(line)
            if kind is not row or (row and gap):
                if kind is not None:
                    yield kind, start, at
                    start = at
                kind = row
            gap = False
        else:
            gap = True
        at += len(line)
    if kind is not None:
        yield kind, start, at
