from __future__ import annotations

import csv
import io
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.making import read, stored, text_of
from workroom.documents import text_files
from workroom.documents.errors import DocumentError
from workroom.documents.extractors import csv as csv_module
from workroom.documents.extractors.csv import EXTRACTOR
from workroom.documents.types import ExtractionScope


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(tmp_path: Path, delimiter: str) -> None:
    rows = [["name", "town", "note"], ["Ann", "Zürich, Kreis 4", "x"], ["Bob", "Bern", "y; z"]]
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows(rows)
    source = stored(tmp_path, text.getvalue())
    assert EXTRACTOR.scan(source).properties["delimiter"] == delimiter
    assert text_of(read(EXTRACTOR, source)).splitlines()[2] == "| Ann | Zürich, Kreis 4 | x |"


def test_slices_repeat_the_header_and_number_their_rows(tmp_path: Path) -> None:
    source = stored(tmp_path, "id,value\n" + "".join(f"{n},v{n}\n" for n in range(1, 451)))
    found = read(EXTRACTOR, source)
    assert [each.ref.location for each in found] == ["rows:1-200", "rows:201-400", "rows:401-451"]
    assert all(each.text.startswith("| id | value |\n| --- | --- |\n") for each in found)
    assert [each.metadata["rows"] for each in found] == [200, 200, 51]
    assert EXTRACTOR.scan(source).counts == {"rows": 451, "columns": 2, "tables": 1}


def test_a_quote_that_never_ends_does_not_swallow_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_module, "_MAX_FIELD", 1_000)
    source = stored(tmp_path, 'a,b\n1,"open\n' + "".join(f"{n},{n}\n" for n in range(5_000)))
    text = text_of(read(EXTRACTOR, source))
    assert '| 1 | "open |' in text
    assert "| 4999 | 4999 |" in text


def test_bars_and_line_ends_in_cells_do_not_break_the_table(tmp_path: Path) -> None:
    text = text_of(read(EXTRACTOR, stored(tmp_path, 'a,b\n"one | two","first\nsecond"\n')))
    assert text.splitlines()[2] == "| one \\| two | first second |"


def test_memory_stays_bounded_while_rows_stream(tmp_path: Path) -> None:
    source = stored(tmp_path, "id,value\n" + "1234567,some text here\n" * 200_000)
    tracemalloc.start()
    count = sum(1 for _ in EXTRACTOR.extract(source, ExtractionScope()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count > 500
    assert peak < 5_000_000  # the file has as much


def test_a_million_rows_come_as_they_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is collected: whenever a part is handed on, no more of the file was read than it and the next chunk."""
    million = 1_000_000
    source = stored(tmp_path, "id,value\n" + "1,some text\n" * million)
    read_so_far = 0
    real = text_files.lines

    def counted(*arguments: Any) -> Iterator[str]:
        nonlocal read_so_far
        for line in real(*arguments):
            read_so_far += 1
            yield line

    monkeypatch.setattr(csv_module, "lines", counted)
    handed_on = 0
    for part in EXTRACTOR.extract(source, ExtractionScope()):
        handed_on += part.metadata["rows"]
        assert read_so_far - handed_on < 1_000
        assert len(part.text) < 20_000
    assert handed_on == million + 1


def test_more_rows_than_are_read_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_module, "MAX_ROWS", 10)
    source = stored(tmp_path, "a,b\n" + "1,2\n" * 50)
    assert EXTRACTOR.scan(source).notes == ["Only the first 10 rows are read."]
    assert sum(each.metadata["rows"] for each in read(EXTRACTOR, source)) == 10


@given(
    st.lists(
        st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8), min_size=2, max_size=4)
    )
)
def test_any_table_can_be_read(tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]]) -> None:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    source = stored(tmp_path_factory.mktemp("csv"), text.getvalue())
    try:
        found = read(EXTRACTOR, source)
    except DocumentError:  # control characters alone are no text
        return
    for each in found:
        widths = {line.replace("\\\\", "").replace("\\|", "").count("|") for line in each.text.splitlines()}
        assert len(widths) == 1
