"""What a place is called can be read again, whatever files, sheets and sections are called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from workroom.core import places
from workroom.core.actions import OpenFile
from workroom.core.ids import new_id
from workroom.core.places import Called, Kind, called

NAMES = some.text(min_size=1, max_size=30)
FILE = new_id()


@given(some.lists(some.integers(1, 900), min_size=1, max_size=8, unique=True), NAMES)
def test_numbers(numbers: list[int], path: str) -> None:
    label = places.of(places.numbered("slide", numbers), path)
    kind: Kind = "slides" if len(numbers) > 1 else "slide"
    assert called(label, OpenFile(file_id=FILE, slide=numbers[0])) == Called(kind, places.listed(numbers), path)


@given(NAMES, NAMES)
def test_sheets(name: str, path: str) -> None:
    label = places.of(places.sheet(name), path)
    assert called(label, OpenFile(file_id=FILE, sheet=name)) == Called("sheet", name, path)


@given(some.integers(1, 900), NAMES)
def test_what_was_recognised_says_so(page: int, path: str) -> None:
    opens = OpenFile(file_id=FILE, page=page)
    label = places.recognised(places.of(places.numbered("page", [page]), path))
    assert called(label, opens) == Called("page", str(page), path, recognised=True)
    assert called(places.recognised("sign.png"), None) == Called("file", "", "sign.png", recognised=True)


@given(NAMES, NAMES.filter(lambda path: "” of " not in path))
def test_titles_of_sections_and_subjects_of_mails(title: str, path: str) -> None:
    label = places.of(places.section("s1.2", title), path)
    assert called(label, OpenFile(file_id=FILE, section="s1.2")) == Called("title", title, path)
    assert called(places.of(places.titled(title), path), OpenFile(file_id=FILE)) == Called("title", title, path)


@pytest.mark.parametrize(
    ("label", "opens"),
    [
        ("report.pdf", OpenFile(file_id=FILE)),
        ("sheet metal of 2024.pdf", OpenFile(file_id=FILE)),
        ("section s1 of a.docx", None),
        ("“unfinished", OpenFile(file_id=FILE, section="s1")),
    ],
)
def test_what_only_looks_like_a_place_is_the_name_of_a_file(label: str, opens: OpenFile | None) -> None:
    assert called(label, opens) == Called("file", "", label)


def test_the_id_of_a_section_says_nothing() -> None:
    assert called("section s1.2 of a.docx", OpenFile(file_id=FILE, section="s1.2")) == Called("file", "", "a.docx")
