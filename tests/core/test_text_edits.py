"""Edits name what they replace: it stands there once, or nothing happens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.core.text_edits import NearLine, Replacement, UnfitEdit, apply_edits

TEXT = "Dear Ann,\n\nthe roof costs 1200 francs.\nYours, Bob\n"


def edits(*pairs: tuple[str, str]) -> list[Replacement]:
    return [Replacement(*pair) for pair in pairs]


def test_a_later_edit_sees_what_the_earlier_ones_wrote() -> None:
    assert apply_edits(TEXT, edits(("Ann", "Anna"), ("Anna", "Eva"), ("1200", "1300"))) == (
        "Dear Eva,\n\nthe roof costs 1300 francs.\nYours, Bob\n"
    )


def test_line_ends_of_a_model_are_those_of_the_text() -> None:
    assert apply_edits(TEXT, edits(("Ann,\r\n\r\nthe", "Ann\r\nthe"))) == TEXT.replace("Ann,\n\n", "Ann\n")


@given(st.text("ab \n", min_size=1, max_size=30), st.text("ab \n", min_size=1, max_size=3), st.text("xy", max_size=3))
def test_it_replaces_what_stands_there_once_and_nothing_else(text: str, find: str, replace: str) -> None:
    times = sum(text.startswith(find, at) for at in range(len(text)))
    made = apply_edits(text, edits((find, replace)))
    if times == 1:
        assert made == text.replace(find, replace)
    else:
        assert isinstance(made, UnfitEdit)
        assert (made.number, made.times) == (1, times)


def test_what_stands_there_several_times_is_counted_also_where_it_overlaps() -> None:
    assert apply_edits("one\naaa", edits(("one", "two"), ("aa", "b"))) == UnfitEdit(2, 2, lines=(2, 2))


@pytest.mark.parametrize(
    ("find", "nearest"),
    [
        ("The  roof costs 1,200 francs", (NearLine(3, "the roof costs 1200 francs."),)),
        ("Yours,\nBob", (NearLine(4, "Yours, Bob"),)),
        ("nothing like it", ()),
        ("\n\n\n", ()),
    ],
)
def test_what_is_not_there_is_answered_with_what_is_like_it(find: str, nearest: tuple[NearLine, ...]) -> None:
    assert apply_edits(TEXT, edits((find, "x"))) == UnfitEdit(1, 0, nearest=nearest)
