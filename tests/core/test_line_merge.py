"""Laws of merging: a side that changed nothing gives way, edits in different places commute, nothing is lost unnoticed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.core.line_merge import Merge, MergeConflict, merge

BASE = "one\ntwo\nthree\nfour\nfive"
texts = st.lists(st.sampled_from("abcd"), max_size=12).map("\n".join)


@st.composite
def changed(draw: st.DrawFn, mark: str) -> str:
    """The base with lines of its own in some places; no two of its lines are alike."""
    lines: list[str] = []
    for number, line in enumerate(BASE.split("\n")):
        how = draw(st.sampled_from(["kept", "kept", "gone", "replaced", "before"]))
        if how in ("replaced", "before"):
            lines.append(f"{mark}{number}")
        if how in ("kept", "before"):
            lines.append(line)
    return "\n".join(lines)


@given(texts, texts)
def test_a_side_that_has_changed_nothing_gives_way(base: str, other: str) -> None:
    assert merge(base, base, other) == merge(base, other, base) == Merge(other)


@given(texts, texts)
def test_what_both_have_changed_alike_is_taken_once(base: str, both: str) -> None:
    assert merge(base, both, both) == Merge(both)


@given(texts, texts, texts)
def test_it_does_not_matter_who_comes_first(base: str, ours: str, theirs: str) -> None:
    one, other = merge(base, ours, theirs), merge(base, theirs, ours)
    assert one.text == other.text
    assert [(each.ours, each.theirs) for each in one.conflicts] == [
        (each.theirs, each.ours) for each in other.conflicts
    ]


@given(st.data())
def test_edits_of_different_lines_are_both_there(data: st.DataObject) -> None:
    base = [f"line {number}" for number in range(12)]
    ours, theirs, both = list(base), list(base), list(base)
    for number in range(12):
        side = data.draw(st.sampled_from([None, None, ours, theirs]))
        new = data.draw(st.sampled_from(["new {}", "new {}\nand more {}"])).format(number, number)
        if side is not None:
            side[number] = both[number] = new
    assert merge("\n".join(base), "\n".join(ours), "\n".join(theirs)) == Merge("\n".join(both))


@given(changed("ours"), changed("theirs"))
def test_nothing_of_either_side_is_lost_unnoticed(ours: str, theirs: str) -> None:
    """What is merged has every line that either of them wrote, and none that either of them took away; else it says so."""
    merged = merge(BASE, ours, theirs)
    assert (merged.text is None) == bool(merged.conflicts)
    if merged.text is None:
        return
    lines, base = merged.text.split("\n"), set(BASE.split("\n"))
    mine, other = (set(filter(None, text.split("\n"))) for text in (ours, theirs))
    assert Counter(filter(None, lines)) == Counter(((mine | other) - base) | (base & mine & other))


@pytest.mark.parametrize(
    ("ours", "theirs", "conflict"),
    [
        ("one\nTWO\nthree\nfour\nfive", "one\n2\nthree\nfour\nfive", MergeConflict(2, ("TWO",), ("2",))),
        ("zero\none\ntwo\nthree\nfour\nfive", "0\none\ntwo\nthree\nfour\nfive", MergeConflict(1, ("zero",), ("0",))),
        ("one\nthree\nfour\nfive", "one\ntwo\n2½\nthree\nfour\nfive", MergeConflict(2, (), ("two", "2½"))),
        (
            "above\none\ntwo\nthree\nFOUR\nfive",
            "one\ntwo\nthree\n4\nfive",
            MergeConflict(5, ("FOUR",), ("4",)),  # in the line where the first side has it
        ),
        (
            "one\nTWO\nthree\nfour\nfive",
            "one\n2\n3\nfour\nfive",
            MergeConflict(2, ("TWO", "three"), ("2", "3")),
        ),
    ],
)
def test_a_conflict_says_where_and_what(ours: str, theirs: str, conflict: MergeConflict) -> None:
    assert merge(BASE, ours, theirs) == Merge(None, (conflict,))


def test_neighbouring_lines_are_no_conflict() -> None:
    merged = merge(BASE, "one\nTWO\nthree\nfour\nfive", "one\ntwo\nTHREE\nfour\nfive")
    assert merged == Merge("one\nTWO\nTHREE\nfour\nfive")
