"""Marks: what answers cite places by."""

from __future__ import annotations

from uuid import UUID

import pytest

from workroom.core.sources import CITED, citation, cited_in, mark_of


def test_a_place_has_one_mark_and_others_have_others() -> None:
    file = UUID(int=7)  # of 200 places of some file two may share their mark
    marks = [mark_of(file, "", page) for page in range(200)]
    assert marks == [mark_of(file, "", page) for page in range(200)]
    assert len(set(marks)) == 200
    assert mark_of(file, "a/b", 1) != mark_of(file, "a", "b", 1)
    assert all(CITED.fullmatch(citation([mark])) for mark in marks)


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("It rains [[k7qda]]. It pours [[aaaaa]][[k7qda]].", ["k7qda", "aaaaa"]),
        ("Both say so [[k7qda, aaaaa]], and [[bbbbb;ccccc]].", ["k7qda", "aaaaa", "bbbbb", "ccccc"]),
        ("No marks: [k7qda], [[K7QDA]], [[k7q]], [[k7qda8]], [[]], [[k7q", []),
    ],
)
def test_marks_are_read_from_an_answer(text: str, marks: list[str]) -> None:
    assert cited_in(text) == marks
