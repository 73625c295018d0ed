"""Places in documents: what models read, what others may see of them, and that they stay as they are on their way."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as some

from workroom.core.actions import OpenFile
from workroom.core.ids import new_id
from workroom.core.places import (
    LONGEST_LABEL,
    DocumentPlace,
    PlaceKind,
    file_place,
    named_place,
    number_ranges,
    numbered_place,
    section_place,
    sheet_place,
    titled_place,
)
from workroom.core.sources import Source

NAMES = some.text(min_size=1, max_size=30)
FILE = new_id()
PLACES = some.builds(
    DocumentPlace,
    kind=some.sampled_from(get_args(PlaceKind)),
    path=NAMES,
    numbers=some.lists(some.integers(1, 900), min_size=1, max_size=8).map(tuple),
    sheet=NAMES,
    section=NAMES,
    title=NAMES,
    recognised=some.booleans(),
)


@pytest.mark.parametrize(
    ("place", "label"),
    [
        (file_place("report.pdf"), "report.pdf"),
        (numbered_place("page", [47], "report.pdf"), "page 47 of report.pdf"),
        (numbered_place("page", [9, 3, 4, 5, 4], "report.pdf"), "pages 3-5, 9 of report.pdf"),
        (numbered_place("slide", [2, 3], "talk.pptx"), "slides 2-3 of talk.pptx"),
        (sheet_place("Q4", "a.xlsx"), "sheet Q4 of a.xlsx"),
        (section_place("s1.2", "Dismissals", "a.docx"), "section s1.2 “Dismissals” of a.docx"),
        (section_place("s1.2", path="a.docx"), "section s1.2 of a.docx"),
        (titled_place("Windows", "offer.eml"), "“Windows” of offer.eml"),
        (named_place("summaries of all parts"), "summaries of all parts"),
        (file_place("sign.png", recognised=True), "sign.png (recognised from a picture)"),
        (DocumentPlace(kind="page", numbers=(4, 5), title="Loss", path="a.pdf"), "“Loss”, pages 4-5 of a.pdf"),
        (DocumentPlace(kind="title", title="Loss", piece=2, pieces=3, path="a.md"), "part 2 of 3 of “Loss” of a.md"),
    ],
)
def test_models_read_a_place_in_english(place: DocumentPlace, label: str) -> None:
    assert place.label == label


@given(PLACES)
def test_a_place_stays_as_it_is_whatever_things_are_called(place: DocumentPlace) -> None:
    source = Source(mark="k7qda", place=place, opens=OpenFile(file_id=FILE))
    assert Source.model_validate_json(source.model_dump_json()) == source
    assert DocumentPlace.model_validate_json(place.model_dump_json()) == place


@given(PLACES)
def test_others_see_no_words_of_a_document(place: DocumentPlace) -> None:
    seen = place.public
    assert seen.sheet is None or seen.kind not in ("sheet", "title")
    assert seen.title is None or seen.kind in ("named", "file")
    assert seen.path == place.path
    assert seen.public == seen


def test_of_a_place_in_no_document_others_see_nothing() -> None:
    assert titled_place("Dismissal of Bob").public.label == "…"


def test_a_label_is_never_long_and_says_nothing_by_itself() -> None:
    source = Source(mark="k7qda", place=file_place("a" * 1_000), opens=OpenFile(file_id=FILE))
    assert source.label == "a" * LONGEST_LABEL
    stored = source.model_dump(mode="json")
    assert Source.model_validate({**stored, "label": "something else"}) == source


def test_a_source_with_a_label_alone_is_known_by_it() -> None:
    """As plugins made them before there were places."""
    source = Source.model_validate({"mark": "k7qda", "label": "entry 4 of the register", "opens": {"fileId": FILE}})
    assert (source.place, source.label) == (named_place("entry 4 of the register"), "entry 4 of the register")


@given(some.lists(some.integers(1, 900), min_size=1, max_size=8))
def test_ranges_of_numbers_name_each_of_them(numbers: list[int]) -> None:
    spans = [span.split("-") for span in number_ranges(numbers).split(", ")]
    named = [number for span in spans for number in range(int(span[0]), int(span[-1]) + 1)]
    assert named == sorted(set(numbers))
