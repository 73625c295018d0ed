"""Long tables as several Markdown tables of a bounded size, each with the header: nothing is collected beyond one slice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from workroom.documents.content import MAX_TEXT, ObjectBuilder
from workroom.documents.tables import markdown_table
from workroom.documents.types import ContentObject

ROWS_PER_SLICE = 200
_SIZE = MAX_TEXT * 4 // 5  # what escaping adds must fit, too
_HEADER_SHARE = 4  # a header that would fill more than this fraction of a slice is not repeated
_BORDERS = 3  # characters around a cell; two more at the ends of a line, and its end


@dataclass(frozen=True)
class TableSlice:
    first: int  # numbers of its first and last row, as the caller counts; the repeated header is neither
    last: int
    rows: int
    columns: int
    text: str


def table_slices(
    numbered: Iterable[tuple[int, Sequence[str]]], *, max_rows: int = ROWS_PER_SLICE, max_size: int = _SIZE
) -> Iterator[TableSlice]:
    """The first row is the header."""
    rows = iter(numbered)
    first = next(rows, None)
    if first is None:
        return
    number, header = first
    repeated = header if _size(header) * _HEADER_SHARE < max_size else [""] * len(header)
    pending = _Pending(header)
    pending.add(number, None, 0)
    for number, row in rows:
        size = _size(row)
        if pending.count >= max_rows or (pending.count and pending.size + size > max_size):
            yield pending.done()
            pending = _Pending(repeated)
        pending.add(number, row, size)
    yield pending.done()


def table_objects(
    objects: ObjectBuilder,
    location: str,
    rows: Iterable[Sequence[str]],
    *,
    facts: dict[str, Any] | None = None,
    **ref: Any,
) -> Iterator[ContentObject]:
    """A table somewhere in a document; a long one comes as `…/rows:1-200`, `…/rows:201-400`."""
    slices = table_slices(enumerate(rows, start=1))
    current = next(slices, None)
    is_long = False
    while current is not None:
        following = next(slices, None)
        is_long = is_long or following is not None
        where = f"{location}/rows:{current.first}-{current.last}" if is_long else location
        metadata = {**(facts or {}), "table": True, "rows": current.rows, "columns": current.columns}
        yield from objects.text(current.text, where, metadata=metadata, **ref)
        current = following


class _Pending:
    def __init__(self, header: Sequence[str]) -> None:
        self._lines = [header]
        self._first: int | None = None
        self._last = 0
        self.count = 0
        self.size = _size(header) + 6 * len(header)  # and the line below it

    def add(self, number: int, row: Sequence[str] | None, size: int) -> None:
        """No row: it is the header itself that counts."""
        if self._first is None:
            self._first = number
        if row is not None:
            self._lines.append(row)
        self._last = number
        self.count += 1
        self.size += size

    def done(self) -> TableSlice:
        columns = max(map(len, self._lines), default=0)
        return TableSlice(self._first or 0, self._last, self.count, columns, markdown_table(self._lines))


def _size(row: Sequence[str]) -> int:
    return sum(map(len, row)) + _BORDERS * (len(row) + 1)
