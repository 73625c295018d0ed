from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.making import read, stored, text_of
from workroom.core.errors import NotFound
from workroom.documents.errors import DamagedDocument
from workroom.documents.extractors.text import EXTRACTOR
from workroom.documents.types import ExtractionScope

BOOK = """BOOK ONE: 1805

CHAPTER I

It began.

JULIE

CHAPTER II

It went on.

1.2 Numbers too

Notes
=====

The end.
"""


def test_headings_that_can_be_seen_make_sections(tmp_path: Path) -> None:
    structure = EXTRACTOR.scan(stored(tmp_path, BOOK))
    assert [(section.id, section.title) for section in structure.sections] == [
        ("s1", "BOOK ONE: 1805"),
        ("s1.1", "CHAPTER I"),
        ("s1.1.1", "JULIE"),
        ("s1.2", "CHAPTER II"),
        ("s1.3", "1.2 Numbers too"),
        ("s2", "Notes"),
    ]
    assert [(section.first, section.last) for section in structure.sections][:2] == [(1, 14), (3, 8)]


@pytest.mark.parametrize(
    "line", ["He said: 1 apple.", "1. Buy milk.", "OK", "A", "and then CHAPTER I was read", "x" * 200, "12345"]
)
def test_ordinary_lines_are_no_headings(tmp_path: Path, line: str) -> None:
    assert EXTRACTOR.scan(stored(tmp_path, f"Text.\n\n{line}\n\nText.\n")).sections == []


def test_a_section_can_be_read_alone_and_says_where_it_stands(tmp_path: Path) -> None:
    found = read(EXTRACTOR, stored(tmp_path, BOOK), ExtractionScope(sections=frozenset({"s1.2"})))
    assert text_of(found) == "CHAPTER II\n\nIt went on."
    assert (found[0].ref.location, found[0].ref.section_id, found[0].ref.label) == ("lines:9-11", "s1.2", "CHAPTER II")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252"])
def test_the_encoding_is_found(tmp_path: Path, encoding: str) -> None:
    text = "Größe und Länge: für alle Möbel in der Straße gültig. " * 3
    assert text_of(read(EXTRACTOR, stored(tmp_path, text.encode(encoding)))).strip() == text.strip()


def test_a_long_line_comes_in_pieces_and_nothing_is_lost(tmp_path: Path) -> None:
    text = "word " * 50_000
    found = read(EXTRACTOR, stored(tmp_path, text))
    assert len(found) > 5
    assert "".join(each.text for each in found).replace(" ", "").replace("\n", "") == text.replace(" ", "")


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DamagedDocument, match="no text"):
        EXTRACTOR.scan(stored(tmp_path, bytes(range(256)) * 100))


def test_an_empty_file_is_empty(tmp_path: Path) -> None:
    assert read(EXTRACTOR, stored(tmp_path, "")) == []


def test_nothing_but_text_is_in_it(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        EXTRACTOR.element(stored(tmp_path, "text"), "image:1")
