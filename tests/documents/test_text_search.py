"""Looking for words: as people type them, wherever they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.documents.making import pptx, shape, sheet, slide, stored, xlsx
from workroom.core.errors import InvalidInput
from workroom.documents.extractors.markdown import EXTRACTOR as MARKDOWN
from workroom.documents.extractors.pptx import EXTRACTOR as PPTX
from workroom.documents.extractors.sheets import EXTRACTOR as SHEETS
from workroom.documents.text_search import AROUND, find_in_objects, matches_in, part_of, pattern_of
from workroom.documents.types import ContextRef


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("lake constance", "The Lake Constance region"),
        ("LAKE  constance", "lake\n  constance"),
        ("Übergröße", "die ÜBERGRÖßE"),
        ("constance", "Con\u00adstance"),
        ("documentation", "docu\ufffementation"),
        ("well-known", "a well\ufffeknown one"),
        ("a | b", "a \\| b"),
        ("very important", "a **very** important thing"),
        ("c++ (2.0)", "C++ (2.0)"),
        ("湖", "博登湖在"),
    ],
)
def test_what_is_found(typed: str, text: str) -> None:
    assert len(list(matches_in(text, pattern_of(typed)))) == 1


@pytest.mark.parametrize(("typed", "text"), [("lake", "lak e"), ("a.c", "abc"), ("lake constance", "lakeconstance")])
def test_what_is_not_found(typed: str, text: str) -> None:
    assert list(matches_in(text, pattern_of(typed))) == []


@pytest.mark.parametrize("typed", ["", " \n", "x" * 201])
def test_what_cannot_be_looked_for(typed: str) -> None:
    with pytest.raises(InvalidInput, match="200"):
        pattern_of(typed)


def test_a_passage_shows_what_stands_around_it_on_one_line() -> None:
    before, after = "word \n" * 100, "\nword" * 100
    (found,) = matches_in(f"{before}Needle{after}", pattern_of("needle"))
    assert found.match == "Needle"
    assert found.before.endswith("word word ")
    assert found.after.startswith(" word word")
    assert "\n" not in found.before + found.after
    assert AROUND - 10 <= len(found.before) <= AROUND
    assert AROUND - 10 <= len(found.after) <= AROUND


def test_half_characters_are_not_handed_on() -> None:
    (found,) = matches_in("\ud83d needle \udc00", pattern_of("needle"))
    assert (found.before, found.match, found.after) == ("", "needle", "")


def test_hits_say_which_part_to_ask_for(tmp_path: Path) -> None:
    deck = stored(tmp_path, pptx([slide(shape("nothing")), slide(shape("a Duck")), slide(shape("duck, duck"))]))
    hits = list(find_in_objects(PPTX, deck, "duck"))
    assert [(hit.part, hit.match) for hit in hits] == [("slide:2", "Duck"), ("slide:3", "duck"), ("slide:3", "duck")]
    assert hits[0].location == "slide:2/shape:1"
    assert hits[2].before == "duck, "
    book = stored(tmp_path, xlsx({"One": sheet({"A1": "x"}), "Q 4": sheet({"A1": "a duck"})}), _XLSX, "b.xlsx")
    assert [hit.part for hit in find_in_objects(SHEETS, book, "duck")] == ["sheet:Q 4"]
    text = stored(tmp_path, "# One\n\nwords\n\n## Two\n\na duck\n", "text/markdown", "a.md")
    assert [hit.part for hit in find_in_objects(MARKDOWN, text, "duck")] == ["section:s1.1"]


def test_pages_come_before_everything_else() -> None:
    ref = ContextRef(container_path="x", location="x", page_index=46, section_id="s1", slide_index=2)
    assert part_of(ref) == "page:47"
    assert part_of(ContextRef(container_path="x", location="x")) == "whole"


_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
