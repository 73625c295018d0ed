"""CSV and TSV: delimiter and encoding are detected, rows are streamed in bounded memory."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

from workroom.core.errors import NotFound
from workroom.documents.content import ObjectBuilder
from workroom.documents.table_slices import table_slices
from workroom.documents.text_files import lines, open_text
from workroom.documents.types import ContentObject, Element, ExtractionScope, SourceFile, Structure

MAX_ROWS = 2_000_000
_MAX_FIELD = 200_000
_SAMPLE_LINES = 200
_DELIMITERS = ",;\t|"


class CsvExtractor:
    media_types = frozenset({"text/csv", "text/tab-separated-values", "application/csv"})

    def scan(self, source: SourceFile) -> Structure:
        rows = columns = 0
        header: list[str] = []
        with _open(source) as (encoding, delimiter, records):
            for row in islice(records, MAX_ROWS):
                header = header or row
                rows += 1
                columns = max(columns, len(row))
            notes = [] if next(records, None) is None else [f"Only the first {MAX_ROWS:,} rows are read."]
        return Structure(
            kind="csv",
            counts={"rows": rows, "columns": columns, "tables": 1 if rows else 0},
            properties={"encoding": encoding, "delimiter": delimiter, "columns": ", ".join(header)[:2_000]},
            notes=notes,
        )

    def extract(self, source: SourceFile, wanted: ExtractionScope) -> Iterator[ContentObject]:
        if not wanted.everything:
            return
        objects = ObjectBuilder(source)
        with _open(source) as (_, _, records):
            for part in table_slices(enumerate(islice(records, MAX_ROWS), start=1)):
                facts = {"table": True, "rows": part.rows, "columns": part.columns}
                yield from objects.text(part.text, f"rows:{part.first}-{part.last}", metadata=facts)

    def element(self, source: SourceFile, location: str) -> Element:
        raise NotFound("A table of text holds nothing but text.")


EXTRACTOR = CsvExtractor()


@contextmanager
def _open(source: SourceFile) -> Iterator[tuple[str, str, Iterator[list[str]]]]:
    csv.field_size_limit(_MAX_FIELD)
    with open_text(source) as stream:
        sample = list(islice(lines(stream, _MAX_FIELD), _SAMPLE_LINES))
    delimiter = _delimiter(sample)
    with open_text(source) as stream:
        yield stream.encoding, delimiter, (row for row in _rows(lines(stream, _MAX_FIELD), delimiter) if any(row))


def _delimiter(sample: list[str]) -> str:
    """The delimiter that splits most lines into the same number of cells, and into more than one."""
    return max(_DELIMITERS, key=lambda delimiter: _score(sample, delimiter))


def _score(sample: list[str], delimiter: str) -> float:
    widths = Counter(len(row) for row in _rows(iter(sample), delimiter) if row)
    total = sum(widths.values())
    if not total:
        return 0.0
    width, count = max(widths.items(), key=lambda item: (item[1] * (item[0] > 1), item[0]))
    return count / total * (1 + min(width, 50) / 100) if width > 1 else 0.0


def _rows(lines_: Iterator[str], delimiter: str) -> Iterator[list[str]]:
    """Parsed rows. An unclosed quote would swallow the rest of the file: past the size limit of a cell, the lines since then
    are parsed again without quoting."""
    since: list[str] = []

    def remembered() -> Iterator[str]:
        for line in lines_:
            since.append(line)
            yield line

    while True:
        reader = csv.reader(remembered(), delimiter=delimiter)
        try:
            for row in reader:
                since.clear()
                yield row
            return
        except csv.Error:
            again, since = since, []
            for line in again:
                yield line.rstrip("\r\n").split(delimiter)
